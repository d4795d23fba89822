internal import AirframeTransport
public import Foundation
internal import Synchronization

/// A request whose response goes to a file.
///
/// `@unchecked Sendable` because Request is: what is added here is immutable or behind its own lock.
public final class DownloadRequest: Request, @unchecked Sendable {
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
        /// What an earlier download left: it goes on where that one ended.
        case resumeData(Data)
    }

    /// What is kept of the transfer.
    struct Transfer {
        var fileURL: URL?
        var resumeData: Data?
        /// What the attempt goes on with.
        var resumed: ResumeData?
        /// The file of an earlier download, once a response has turned out to be its rest.
        var reopened: (file: PartialFile, total: Int64?)?
        var keepsFileWhenCancelled = false
        var resumeDataHandlers: [@Sendable (Data?) -> Void] = []
        var hasFinished = false
    }

    /// What the download is made from.
    public let downloadable: Downloadable
    let destination: Destination

    // Guards what is kept of the transfer. Handlers are called without it.
    let transfer = Mutex(Transfer())

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
    public var fileURL: URL? { transfer.withLock { $0.fileURL } }

    /// What a new request needs in order to go on where this one ended: after a failure in the middle, or
    /// ``cancel(producingResumeData:)``. `nil` where that is not possible.
    ///
    /// It names the temporary file with the bytes so far, which stays until a new request has gone on with it. A
    /// download can be resumed when it was a `GET` whose response had status 200, a strong entity tag or, without any
    /// tag, a strong `Last-Modified`, no content coding, and brought at least a byte.
    public var resumeData: Data? {
        let isCancelled = isCancelled
        return transfer.withLock { isCancelled && !$0.keepsFileWhenCancelled ? nil : $0.resumeData }
    }

    // MARK: Cancelling

    /// Ends the request at once, and sets ``resumeData`` where that is possible.
    ///
    /// - Parameter shouldProduceResumeData: Whether to keep what came so far. Without it this is ``Request/cancel()``.
    @discardableResult
    public func cancel(producingResumeData shouldProduceResumeData: Bool) -> Self {
        shouldProduceResumeData ? cancel { _ in } : cancel()
    }

    /// Ends the request at once, and hands over what a new one needs in order to go on.
    ///
    /// - Parameter completionHandler: Called once, wherever the request runs, with the data; `nil` where the download
    ///   cannot be resumed, or had finished.
    @preconcurrency
    @discardableResult
    public func cancel(byProducingResumeData completionHandler: @escaping @Sendable (Data?) -> Void) -> Self {
        let hasFinished = transfer.withLock { transfer in
            guard !transfer.hasFinished else { return true }
            transfer.keepsFileWhenCancelled = true
            transfer.resumeDataHandlers.append(completionHandler)
            return false
        }
        guard !hasFinished else {
            completionHandler(resumeData)
            return self
        }
        return cancel()
    }

    /// Tells those who wait for resume data that it is there, or that there is none.
    func answerResumeDataHandlers(with data: Data?) {
        let handlers = transfer.withLock { transfer in
            defer { transfer.resumeDataHandlers = [] }
            return transfer.resumeDataHandlers
        }
        for handler in handlers { handler(data) }
    }

    // MARK: The pipeline's steps

    override func makeURLRequest() throws -> URLRequest {
        switch downloadable {
        case .request(let convertible): try convertible.asURLRequest()
        case .resumeData(let data): try resume(from: data)
        }
    }

    override func makeTask(for urlRequest: URLRequest) -> URLSessionTask {
        URLSessionDownloadTask(request: self, original: urlRequest)
    }

    override var isResuming: Bool { transfer.withLock { $0.resumed != nil } }

    override func resuming(
        _ response: TransportResponse,
        to request: TransportRequest
    ) async throws(TransportError) -> TransportResponse {
        try await goOn(with: response, to: request)
    }

    override func receiveBody(of response: TransportResponse, for task: URLSessionTask) async throws(AFError) {
        let result = await download(response, for: task)
        monitors?.request(self, didFinishDownloadingUsing: task, with: result)
        let url = try result.get()
        transfer.withLock { $0.fileURL = url }
    }

    override func reset() {
        super.reset()
        let left = transfer.withLock { transfer -> Data? in
            transfer.fileURL = nil
            transfer.reopened = nil
            // A download that was resumed goes on with what it has by now; another one begins again.
            guard transfer.resumed == nil else { return nil }
            defer { transfer.resumeData = nil }
            return transfer.resumeData
        }
        if let left, let partial = try? ResumeData(reading: left) { TemporaryFile.remove(partial.file) }
    }

    /// Answers those who still wait for resume data.
    public override func cleanup() {
        super.cleanup()
        transfer.withLock { $0.hasFinished = true }
        answerResumeDataHandlers(with: resumeData)
    }
}
