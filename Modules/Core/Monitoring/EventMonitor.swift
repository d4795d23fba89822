public import AirframeTransport
public import Dispatch
public import Foundation

/// Receives the events of requests. Every function has a default implementation that ignores its event; those for
/// unserialized responses report them to the functions for serialized values.
///
/// The events of one request arrive in order. They arrive on ``queue``, so that a slow monitor delays no request.
///
/// Three properties reduce the work for many requests: ``monitoredEvents`` and ``monitoring(_:)`` select events, and
/// ``isCalledSynchronously`` avoids the dispatch to the queue.
public protocol EventMonitor: Sendable {
    /// The queue on which the monitor is called; by default the main queue. It must be serial to preserve the order.
    var queue: DispatchQueue { get }

    /// Whether the monitor receives the transport's events, which are numerous. `true` by default.
    var receivesTransportEvents: Bool { get }

    /// The events that the monitor receives: by default all, without the transport's events if
    /// ``receivesTransportEvents`` is `false`. Read when a session or a request gets the monitor.
    var monitoredEvents: MonitoredEvents { get }

    /// Whether the monitor is called synchronously and not on ``queue``. `false` by default.
    ///
    /// The request waits for such a monitor, which must not block. It is called on several threads, at the same time
    /// too, and even for one request: a cancellation is reported on the thread that cancels.
    var isCalledSynchronously: Bool { get }

    /// Returns how the monitor observes a request; `.shared` by default.
    ///
    /// Called in the task that creates the request, so that the monitor can read task-local values. For a monitor of
    /// one request, called in ``Request/eventMonitor(_:)``.
    func monitoring(_ request: Request) -> RequestMonitoring

    // MARK: Tasks

    /// The session was invalidated.
    func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?)
    /// A server or proxy sent a challenge.
    func urlSession(_ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge)
    /// Bytes of the request's body were sent. A total of -1 is unknown.
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didSendBodyData bytesSent: Int64,
        totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    )
    /// The request's body must be sent again.
    func urlSession(_ session: URLSession, taskNeedsNewBodyStream task: URLSessionTask)
    /// A redirect was received, with the request that would follow. The redirect handler is called afterwards.
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest
    )
    /// A task's metrics are complete.
    func urlSession(_ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics)
    /// A task completed.
    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?)
    /// A task waits for connectivity.
    func urlSession(_ session: URLSession, taskIsWaitingForConnectivity task: URLSessionTask)
    /// The head of a response was received.
    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse)
    /// A chunk of a response's body was received.
    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data)
    /// A response is about to be cached.
    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, willCacheResponse proposedResponse: CachedURLResponse)
    /// A download continues an earlier one.
    func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didResumeAtOffset fileOffset: Int64,
        expectedTotalBytes: Int64
    )
    /// Bytes of a download were written. A total of -1 is unknown.
    func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64,
        totalBytesExpectedToWrite: Int64
    )
    /// A download's file is complete, at its temporary location.
    func urlSession(_ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL)
    /// A WebSocket was opened, with the application protocol that the server chose.
    func urlSession(
        _ session: URLSession,
        webSocketTask: URLSessionWebSocketTask,
        didOpenWithProtocol protocol: String?
    )
    /// A WebSocket was closed by a Close frame.
    func urlSession(
        _ session: URLSession,
        webSocketTask: URLSessionWebSocketTask,
        didCloseWith closeCode: URLSessionWebSocketTask.CloseCode,
        reason: Data?
    )

    // MARK: Requests

    /// The `URLRequest` was made, before adaptation.
    func request(_ request: Request, didCreateInitialURLRequest urlRequest: URLRequest)
    /// The `URLRequest` could not be made.
    func request(_ request: Request, didFailToCreateURLRequestWithError error: AFError)
    /// An adapter changed the `URLRequest`.
    func request(
        _ request: Request,
        didAdaptInitialRequest initialRequest: URLRequest,
        to adaptedRequest: URLRequest
    )
    /// An adapter failed.
    func request(_ request: Request, didFailToAdaptURLRequest initialRequest: URLRequest, withError error: AFError)
    /// The `URLRequest` is ready to be sent.
    func request(_ request: Request, didCreateURLRequest urlRequest: URLRequest)
    /// The task of an attempt was created.
    func request(_ request: Request, didCreateTask task: URLSessionTask)
    /// The metrics of an attempt are complete.
    func request(_ request: Request, didGatherMetrics metrics: URLSessionTaskMetrics)
    /// An attempt failed before its task completed.
    func request(_ request: Request, didFailTask task: URLSessionTask, earlyWithError error: AFError)
    /// An attempt completed, with the error of its task. It may be retried.
    func request(_ request: Request, didCompleteTask task: URLSessionTask, with error: AFError?)
    /// The request is about to be retried.
    func requestIsRetrying(_ request: Request)
    /// The request finished, and its handlers are about to be called.
    func requestDidFinish(_ request: Request)
    /// The request was resumed.
    func requestDidResume(_ request: Request)
    /// The request's task was resumed.
    func request(_ request: Request, didResumeTask task: URLSessionTask)
    /// The request was suspended.
    func requestDidSuspend(_ request: Request)
    /// The request's task was suspended.
    func request(_ request: Request, didSuspendTask task: URLSessionTask)
    /// The request was cancelled.
    func requestDidCancel(_ request: Request)
    /// The request's task was cancelled.
    func request(_ request: Request, didCancelTask task: URLSessionTask)
    /// The transport or a layer reported an event: a phase of an exchange or a decision, with its instant.
    func request(_ request: Request, didReceive event: TransportEvent)

    // MARK: Kinds of requests

    /// A response was validated.
    func request(
        _ request: DataRequest,
        didValidateRequest urlRequest: URLRequest?,
        response: HTTPURLResponse,
        data: Data?,
        withResult result: Request.ValidationResult
    )
    /// A response was received without serialization.
    func request(_ request: DataRequest, didParseResponse response: DataResponse<Data?, AFError>)
    /// A response was serialized, or its serializer failed. A retrier may repeat the request after a failure.
    func request<Value: Sendable>(_ request: DataRequest, didParseResponse response: DataResponse<Value, AFError>)
    /// A stream's response was validated.
    func request(
        _ request: DataStreamRequest,
        didValidateRequest urlRequest: URLRequest?,
        response: HTTPURLResponse,
        withResult result: Request.ValidationResult
    )
    /// A value of a stream was serialized.
    func request<Value: Sendable>(_ request: DataStreamRequest, didParseStream result: Result<Value, AFError>)
    /// A message or control frame was sent or received on a WebSocket.
    func request(_ request: WebSocketRequest, didTransfer traffic: WebSocketTraffic)
    /// The content to upload was made.
    func request(_ request: UploadRequest, didCreateUploadable uploadable: UploadRequest.Uploadable)
    /// The content to upload could not be made.
    func request(_ request: UploadRequest, didFailToCreateUploadableWithError error: AFError)
    /// The stream to upload was provided.
    func request(_ request: UploadRequest, didProvideInputStream stream: InputStream)
    /// A complete file was moved to its destination, or could not be moved.
    func request(
        _ request: DownloadRequest,
        didFinishDownloadingUsing task: URLSessionTask,
        with result: Result<URL, AFError>
    )
    /// The destination of a download's file was chosen.
    func request(_ request: DownloadRequest, didCreateDestinationURL url: URL)
    /// A download was validated.
    func request(
        _ request: DownloadRequest,
        didValidateRequest urlRequest: URLRequest?,
        response: HTTPURLResponse,
        fileURL: URL?,
        withResult result: Request.ValidationResult
    )
    /// A download was received without serialization.
    func request(_ request: DownloadRequest, didParseResponse response: DownloadResponse<URL?, AFError>)
    /// A download was serialized, or its serializer failed. A retrier may repeat the request after a failure.
    func request<Value: Sendable>(
        _ request: DownloadRequest,
        didParseResponse response: DownloadResponse<Value, AFError>
    )
}
