public import Foundation

/// The functions that Alamofire's session delegate has, for subclasses that override them.
///
/// A session calls the functions of a subclass where things happen, beside its monitors and before them. A function
/// that is not overridden does what a session does by itself. A subclass must be quick, and must not block.
///
/// - Redirects and responses to cache are put to the delegate unless the request or the session has a handler.
/// - Of the answers to a challenge, ``URLSession/AuthChallengeDisposition/cancelAuthenticationChallenge`` ends the
///   task. The others leave it to the session: `Request.authenticate(with:)` sets credentials.
///
/// `@unchecked Sendable` because the class is open: it has no state of its own, and is immutable.
open class SessionDelegate: URLSessionDelegate, @unchecked Sendable {
    /// Makes a delegate.
    ///
    /// - Parameter fileManager: Accepted for compatibility. Downloads use the file manager of their process.
    public init(fileManager: FileManager = .default) {}

    /// The session was invalidated.
    open func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {}

    /// A server or proxy asks for credentials.
    open func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        completionHandler(.performDefaultHandling, nil)
    }

    /// Bytes of the request's body were sent; -1 stands for an unknown total.
    open func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didSendBodyData bytesSent: Int64,
        totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {}

    /// The request's body is about to be sent. The session provides it: the answer has no effect.
    open func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping (InputStream?) -> Void
    ) {
        completionHandler(nil)
    }

    /// A redirect came. The answer is the request to follow it with, or `nil` to take the redirect as the response.
    open func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping (URLRequest?) -> Void
    ) {
        completionHandler(request)
    }

    /// A task's metrics are complete.
    open func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didFinishCollecting metrics: URLSessionTaskMetrics
    ) {}

    /// A task ended.
    open func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {}

    /// A task waits for a network.
    open func urlSession(_ session: URLSession, taskIsWaitingForConnectivity task: URLSessionTask) {}

    /// The head of a response came.
    open func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
        completionHandler(.allow)
    }

    /// A piece of a response's body came.
    open func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {}

    /// A WebSocket was opened, with the application protocol that the server chose.
    open func urlSession(
        _ session: URLSession,
        webSocketTask: URLSessionWebSocketTask,
        didOpenWithProtocol protocol: String?
    ) {}

    /// A WebSocket was closed by a Close frame.
    open func urlSession(
        _ session: URLSession,
        webSocketTask: URLSessionWebSocketTask,
        didCloseWith closeCode: URLSessionWebSocketTask.CloseCode,
        reason: Data?
    ) {}

    /// A response is about to be put into a cache. The answer is stored in its place, or nothing for `nil`.
    open func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        willCacheResponse proposedResponse: CachedURLResponse,
        completionHandler: @escaping (CachedURLResponse?) -> Void
    ) {
        completionHandler(proposedResponse)
    }

    /// A download continues where an earlier one ended.
    open func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didResumeAtOffset fileOffset: Int64,
        expectedTotalBytes: Int64
    ) {}

    /// Bytes of a download were written; -1 stands for an unknown total.
    open func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64,
        totalBytesExpectedToWrite: Int64
    ) {}

    /// A download's file is complete, at its temporary place.
    open func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didFinishDownloadingTo location: URL
    ) {}
}
