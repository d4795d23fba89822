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

    /// Receives the invalidation of a session.
    ///
    /// - Parameters:
    ///   - session: The handle of the session.
    ///   - error: The reason; `nil` if there is none.
    open func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {}

    /// Decides on a challenge of a server (RFC 9110 §11.3), or on the trust in a server to which a TLS connection
    /// begins (``NSURLAuthenticationMethodServerTrust``). By default the session answers.
    ///
    /// - Parameters:
    ///   - session: The handle of the session.
    ///   - task: The task whose request was challenged.
    ///   - challenge: The challenge.
    ///   - completionHandler: Receives the decision. Only a cancellation has an effect; the credential has none.
    open func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        completionHandler(.performDefaultHandling, nil)
    }

    /// Receives the progress of sending the request's body.
    ///
    /// - Parameters:
    ///   - session: The handle of the session.
    ///   - task: The task.
    ///   - bytesSent: The number of bytes sent since the last call.
    ///   - totalBytesSent: The number of bytes sent so far.
    ///   - totalBytesExpectedToSend: The length of the body in bytes; -1 if it is unknown.
    open func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didSendBodyData bytesSent: Int64,
        totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {}

    /// Provides the request's body before it is sent. The session has the body, so the answer has no effect.
    ///
    /// - Parameters:
    ///   - session: The handle of the session.
    ///   - task: The task.
    ///   - completionHandler: Receives the answer.
    open func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping (InputStream?) -> Void
    ) {
        completionHandler(nil)
    }

    /// Decides on a redirect. By default it is followed.
    ///
    /// - Parameters:
    ///   - session: The handle of the session.
    ///   - task: The task whose response redirects.
    ///   - response: The response that redirects.
    ///   - request: The request that would follow.
    ///   - completionHandler: Receives the request that follows the redirect, or `nil` to end with the redirect's
    ///     response. Only the first call counts; the task waits for it.
    open func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping (URLRequest?) -> Void
    ) {
        completionHandler(request)
    }

    /// Receives the complete metrics of a task.
    ///
    /// - Parameters:
    ///   - session: The handle of the session.
    ///   - task: The task.
    ///   - metrics: The metrics.
    open func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didFinishCollecting metrics: URLSessionTaskMetrics
    ) {}

    /// Receives the completion of a task.
    ///
    /// - Parameters:
    ///   - session: The handle of the session.
    ///   - task: The task.
    ///   - error: The error that the task failed with; `nil` if it succeeded.
    open func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {}

    /// Receives the notification that a task waits for connectivity.
    ///
    /// - Parameters:
    ///   - session: The handle of the session.
    ///   - task: The task.
    open func urlSession(_ session: URLSession, taskIsWaitingForConnectivity task: URLSessionTask) {}

    /// Receives the head of a response, and decides whether its body is read. By default it is.
    ///
    /// - Parameters:
    ///   - session: The handle of the session.
    ///   - dataTask: The task.
    ///   - response: The head of the response.
    ///   - completionHandler: Receives the decision. Only a cancellation has an effect.
    open func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
        completionHandler(.allow)
    }

    /// Receives a chunk of a response's body.
    ///
    /// - Parameters:
    ///   - session: The handle of the session.
    ///   - dataTask: The task.
    ///   - data: The chunk.
    open func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {}

    /// Receives the opening of a WebSocket.
    ///
    /// - Parameters:
    ///   - session: The handle of the session.
    ///   - webSocketTask: The task.
    ///   - protocol: The subprotocol that the server chose (RFC 6455 §1.9); `nil` for none.
    open func urlSession(
        _ session: URLSession,
        webSocketTask: URLSessionWebSocketTask,
        didOpenWithProtocol protocol: String?
    ) {}

    /// Receives the Close frame that closed a WebSocket.
    ///
    /// - Parameters:
    ///   - session: The handle of the session.
    ///   - webSocketTask: The task.
    ///   - closeCode: The code of the frame (RFC 6455 §7.4).
    ///   - reason: The reason in the frame, in UTF-8; `nil` for none.
    open func urlSession(
        _ session: URLSession,
        webSocketTask: URLSessionWebSocketTask,
        didCloseWith closeCode: URLSessionWebSocketTask.CloseCode,
        reason: Data?
    ) {}

    /// Decides whether a response is stored in the cache. By default it is.
    ///
    /// - Parameters:
    ///   - session: The handle of the session.
    ///   - dataTask: The task.
    ///   - proposedResponse: The response, with decoded content.
    ///   - completionHandler: Receives the response to store, or `nil` to store none. Only the first call counts; the
    ///     cache waits for it.
    open func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        willCacheResponse proposedResponse: CachedURLResponse,
        completionHandler: @escaping (CachedURLResponse?) -> Void
    ) {
        completionHandler(proposedResponse)
    }

    /// Receives the offset at which a download continues an earlier one.
    ///
    /// - Parameters:
    ///   - session: The handle of the session.
    ///   - downloadTask: The task.
    ///   - fileOffset: The number of bytes that the earlier download received.
    ///   - expectedTotalBytes: The length of the whole file in bytes; -1 if it is unknown.
    open func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didResumeAtOffset fileOffset: Int64,
        expectedTotalBytes: Int64
    ) {}

    /// Receives the progress of a download.
    ///
    /// - Parameters:
    ///   - session: The handle of the session.
    ///   - downloadTask: The task.
    ///   - bytesWritten: The number of bytes written since the last call.
    ///   - totalBytesWritten: The number of bytes written so far.
    ///   - totalBytesExpectedToWrite: The length of the file in bytes; -1 if it is unknown.
    open func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64,
        totalBytesExpectedToWrite: Int64
    ) {}

    /// Receives the complete file of a download.
    ///
    /// - Parameters:
    ///   - session: The handle of the session.
    ///   - downloadTask: The task.
    ///   - location: The temporary file.
    open func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didFinishDownloadingTo location: URL
    ) {}
}
