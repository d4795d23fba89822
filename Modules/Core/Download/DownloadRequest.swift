internal import AirframeTransport
public import Foundation
internal import Synchronization

/// A request whose response is written to a file.
///
/// `@unchecked Sendable` because Request is: the properties added here are immutable or behind their own lock.
public final class DownloadRequest: Request, @unchecked Sendable {
    /// Options that make room for the file.
    public struct Options: OptionSet, Sendable, Hashable {
        /// One bit for each option.
        public let rawValue: Int

        /// Creates a set from bits.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// Creates the directories of the file's path.
        public static let createIntermediateDirectories = Options(rawValue: 1 << 0)
        /// Removes a file at the destination.
        public static let removePreviousFile = Options(rawValue: 1 << 1)
    }

    /// Returns the destination of a finished download for its temporary file and response.
    public typealias Destination =
        @Sendable (_ temporaryURL: URL, _ response: HTTPURLResponse) -> (destinationURL: URL, options: Options)

    /// The source of a download.
    public enum Downloadable: Sendable {
        /// A request, from the first byte.
        case request(any URLRequestConvertible)
        /// The resume data of an earlier download, which is continued.
        case resumeData(Data)
    }

    /// The state of the transfer.
    struct Transfer {
        var fileURL: URL?
        var resumeData: Data?
        /// The resume data that the attempt continues.
        var resumed: ResumeData?
        /// The file of an earlier download, once a response is known to be its rest.
        var reopened: (file: PartialFile, total: Int64?)?
        var keepsFileWhenCancelled = false
        var resumeDataHandlers: [@Sendable (Data?) -> Void] = []
        var hasFinished = false
    }

    /// The source of the download.
    public let downloadable: Downloadable
    let destination: Destination

    // Guards the state of the transfer. Handlers are called without it.
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

    /// The data with which a new request continues this download: after a failure in the middle, or after
    /// ``cancel(producingResumeData:)``. `nil` if the download cannot be resumed.
    ///
    /// The data names the temporary file with the bytes received so far, which exists until a new request has continued
    /// it. A download can be resumed if it was a `GET` whose response had status 200, a strong entity tag or, without
    /// any tag, a strong `Last-Modified`, no content coding, and at least one byte of content.
    public var resumeData: Data? {
        let isCancelled = isCancelled
        return transfer.withLock { isCancelled && !$0.keepsFileWhenCancelled ? nil : $0.resumeData }
    }

    // MARK: Cancelling

    /// Cancels the request, and sets ``resumeData`` if the download can be resumed.
    ///
    /// - Parameter shouldProduceResumeData: Whether to keep the bytes received so far. If `false`, the same as
    ///   ``Request/cancel()``.
    @discardableResult
    public func cancel(producingResumeData shouldProduceResumeData: Bool) -> Self {
        shouldProduceResumeData ? cancel { _ in } : cancel()
    }

    /// Cancels the request and passes on its resume data.
    ///
    /// - Parameter completionHandler: Called once, on the thread of the request, with the data; `nil` if the download
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

    /// Passes resume data, or `nil`, to the handlers that wait for it.
    func answerResumeDataHandlers(with data: Data?) {
        let handlers = transfer.withLock { transfer in
            defer { transfer.resumeDataHandlers = [] }
            return transfer.resumeDataHandlers
        }
        for handler in handlers { handler(data) }
    }

    // MARK: The pipeline's steps

    override func validateByDefault() { judge(by: Self.defaultValidations) }

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
        try await continueDownload(with: response, to: request)
    }

    override func receiveBody(of response: TransportResponse, for task: URLSessionTask) async throws(AFError) {
        let file = try await download(response, for: task)
        let url = try place(file, of: task)
        transfer.withLock { $0.fileURL = url }
    }

    override func reset() {
        super.reset()
        let (placed, left) = transfer.withLock { transfer -> (URL?, Data?) in
            // Once handlers have been called, the files belong to the program.
            let placed = transfer.hasFinished ? nil : transfer.fileURL
            transfer.fileURL = nil
            transfer.reopened = nil
            // A resumed download continues with its current bytes; another one starts again.
            guard transfer.resumed == nil else { return (placed, nil) }
            let left = transfer.resumeData.take()
            return (placed, transfer.hasFinished ? nil : left)
        }
        // The next attempt could not move its file to the same destination.
        if let placed { TemporaryFile.remove(placed) }
        removePartialFile(named: left)
    }

    /// Removes a partial file that no resume data refers to, and calls the handlers that still wait for resume data.
    public override func cleanup() {
        super.cleanup()
        let isCancelled = isCancelled
        let isNamed = error?.downloadResumeData != nil
        let left = transfer.withLock { transfer -> Data? in
            defer { transfer.hasFinished = true }
            // Cancelled during the delay of a retry. The file stays if the user's resume data, or that of a handler
            // that was called before, refers to it.
            guard isCancelled, !isNamed, !transfer.keepsFileWhenCancelled, transfer.resumed == nil,
                !transfer.hasFinished
            else { return nil }
            return transfer.resumeData.take()
        }
        removePartialFile(named: left)
        answerResumeDataHandlers(with: resumeData)
    }

    private func removePartialFile(named data: Data?) {
        if let data, let partial = try? ResumeData(reading: data) { TemporaryFile.remove(partial.file) }
    }
}
