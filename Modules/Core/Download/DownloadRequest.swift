internal import AirframeTransport
public import Foundation
internal import Synchronization

/// A request whose response goes to a file.
public final class DownloadRequest: Request, @unchecked Sendable {
    // `@unchecked` because Request is: what is added here is a constant or behind its own lock.

    /// What to do to make room for the file.
    public struct Options: OptionSet, Sendable, Hashable {
        /// One bit an option.
        public let rawValue: Int

        /// Makes a set from its bits.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// Make the directories that lead to the file.
        public static let createIntermediateDirectories = Options(rawValue: 1 << 0)
        /// Remove a file that is in the way.
        public static let removePreviousFile = Options(rawValue: 1 << 1)
    }

    /// Says where a finished download goes, from the temporary file and the response.
    public typealias Destination =
        @Sendable (_ temporaryURL: URL, _ response: HTTPURLResponse) -> (destinationURL: URL, options: Options)

    /// What a download is made from.
    public enum Downloadable: Sendable {
        /// A request, from the first byte.
        case request(any URLRequestConvertible)
    }

    /// What the download is made from.
    public let downloadable: Downloadable
    private let destination: Destination

    // Guards the file's place, once it has one.
    private let file = Mutex<URL?>(nil)

    init(
        downloadable: Downloadable,
        session: Session,
        interceptor: (any RequestInterceptor)?,
        shouldAutomaticallyResume: Bool?,
        destination: @escaping Destination
    ) {
        self.downloadable = downloadable
        self.destination = destination
        super.init(
            session: session,
            interceptor: interceptor,
            shouldAutomaticallyResume: shouldAutomaticallyResume
        )
    }

    /// The downloaded file, once the download has finished.
    public var fileURL: URL? { file.withLock { $0 } }

    override func makeURLRequest() throws -> URLRequest {
        switch downloadable {
        case .request(let convertible): try convertible.asURLRequest()
        }
    }

    override func makeTask(for urlRequest: URLRequest) -> URLSessionTask {
        URLSessionDownloadTask(request: self, original: urlRequest)
    }

    override func receive(_ response: TransportResponse, for task: URLSessionTask) async throws(AFError) {
        let result = await download(response.body, for: task)
        monitors?.request(self, didFinishDownloadingUsing: task, with: result)
        let url = try result.get()
        file.withLock { $0 = url }
    }

    override func reset() {
        super.reset()
        file.withLock { $0 = nil }
    }

    /// Writes the body to a temporary file and moves that to its destination.
    private func download(_ body: ResponseBody, for task: URLSessionTask) async -> Result<URL, AFError> {
        let temporary = TemporaryFile.newURL()
        do throws(AFError) {
            var writer = try FileWriter(creating: temporary, for: task)
            try await pull(body, for: task) { chunk throws(AFError) in try writer.write(chunk) }
            try writer.close()
            guard let response = task.response else { return .success(temporary) }
            return .success(try place(temporary, response))
        } catch {
            TemporaryFile.remove(temporary)
            return .failure(error)
        }
    }

    private func place(_ temporary: URL, _ response: HTTPURLResponse) throws(AFError) -> URL {
        let (target, options) = destination(temporary, response)
        monitors?.request(self, didCreateDestinationURL: target)
        do {
            if options.contains(.createIntermediateDirectories) {
                let directory = target.deletingLastPathComponent()
                try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
            }
            if options.contains(.removePreviousFile), FileManager.default.fileExists(atPath: target.path) {
                try FileManager.default.removeItem(at: target)
            }
            try FileManager.default.moveItem(at: temporary, to: target)
            return target
        } catch {
            throw .downloadedFileMoveFailed(error: error, source: temporary, destination: target)
        }
    }

    /// A destination in one of the user's directories, under the name that the response suggests.
    ///
    /// - Parameters:
    ///   - directory: The kind of directory.
    ///   - domain: Where to look for it.
    ///   - options: What to do to make room for the file.
    public class func suggestedDownloadDestination(
        for directory: FileManager.SearchPathDirectory = .documentDirectory,
        in domain: FileManager.SearchPathDomainMask = .userDomainMask,
        options: Options = []
    ) -> Destination {
        { temporary, response in
            let directories = FileManager.default.urls(for: directory, in: domain)
            let name = response.suggestedFilename ?? temporary.lastPathComponent
            return (directories.first?.appendingPathComponent(name) ?? temporary, options)
        }
    }

    /// Leaves the file in the temporary directory, under a name that says whose it is.
    static let defaultDestination: Destination = { temporary, _ in
        let name = "Airframe_\(temporary.lastPathComponent)"
        return (temporary.deletingLastPathComponent().appendingPathComponent(name), [])
    }
}
