public import Foundation

/// The functions that Alamofire's session delegate has, for subclasses that override them.
///
/// A session calls the functions of a subclass synchronously, before its monitors. A function that is not overridden
/// has the session's default behaviour. A subclass must not block.
///
/// - The delegate decides on redirects and on responses to cache unless the request or the session has a handler.
/// - Of the answers to a challenge, ``URLSession/AuthChallengeDisposition/cancelAuthenticationChallenge`` cancels the
///   task. The others leave the challenge to the session: `Request.authenticate(with:)` sets credentials.
///
/// `@unchecked Sendable` because the class is open: it is immutable, without stored properties.
open class SessionDelegate: URLSessionDelegate, @unchecked Sendable {
    /// Creates a delegate.
    ///
    /// - Parameter fileManager: Accepted for compatibility. Downloads use the file manager of their process.
    public init(fileManager: FileManager = .default) {}

    /// The session was invalidated.
    open func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {}

    /// A server or proxy sent a challenge.
    open func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        completionHandler(.performDefaultHandling, nil)
    }

    /// Bytes of the request's body were sent. A total of -1 is unknown.
    open func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didSendBodyData bytesSent: Int64,
        totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {}

    /// The request's body is about to be sent. The session provides the body, so the answer has no effect.
    open func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping (InputStream?) -> Void
    ) {
        completionHandler(nil)
    }

    /// A redirect was received. Answer with the request that follows it, or `nil` to take the redirect as the response.
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

    /// A task completed.
    open func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {}

    /// A task waits for connectivity.
    open func urlSession(_ session: URLSession, taskIsWaitingForConnectivity task: URLSessionTask) {}

    /// The head of a response was received.
    open func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
        completionHandler(.allow)
    }

    /// A chunk of a response's body was received.
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

    /// A response is about to be cached. Answer with the response to store, or `nil` to store none.
    open func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        willCacheResponse proposedResponse: CachedURLResponse,
        completionHandler: @escaping (CachedURLResponse?) -> Void
    ) {
        completionHandler(proposedResponse)
    }

    /// A download continues an earlier one.
    open func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didResumeAtOffset fileOffset: Int64,
        expectedTotalBytes: Int64
    ) {}

    /// Bytes of a download were written. A total of -1 is unknown.
    open func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64,
        totalBytesExpectedToWrite: Int64
    ) {}

    /// A download's file is complete, at its temporary location.
    open func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didFinishDownloadingTo location: URL
    ) {}
}
