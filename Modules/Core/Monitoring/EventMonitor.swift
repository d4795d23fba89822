public import AirframeTransport
public import Dispatch
public import Foundation

/// Is told of everything that happens to requests. What it does not implement, it ignores.
///
/// Events of one request come in their order. They come on ``queue``, so that a slow monitor delays no request.
///
/// A monitor that many requests have can be cheap: ``monitoredEvents`` and ``monitoring(_:)`` keep away what it does
/// not want, and ``isToldInPlace`` saves the way over the queue.
public protocol EventMonitor: Sendable {
    /// Where the monitor is told; the main queue unless it says otherwise. A serial queue, or events get out of order.
    var queue: DispatchQueue { get }

    /// Whether to tell the monitor of the transport's events, of which there are many; `true` unless it says otherwise.
    var receivesTransportEvents: Bool { get }

    /// What to tell the monitor of: everything unless it says otherwise, without the transport's events if
    /// ``receivesTransportEvents`` is `false`. Asked when a session or a request gets the monitor.
    var monitoredEvents: MonitoredEvents { get }

    /// Whether to tell the monitor where things happen, and not on ``queue``; `false` unless it says otherwise.
    ///
    /// The request waits for a monitor that is told in place: it must be quick, and must not block. It is called from
    /// several threads, also at the same time, and for one request too: when that is cancelled, say.
    var isToldInPlace: Bool { get }

    /// Says what the monitor makes of a request: `.shared` unless it says otherwise.
    ///
    /// Called where the request is made, in the task that makes it: what is local to that task can be read here. For a
    /// monitor of one request it is called where ``Request/eventMonitor(_:)`` is.
    func monitoring(_ request: Request) -> RequestMonitoring

    // MARK: Tasks

    /// The session was invalidated.
    func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?)
    /// A server or proxy asks for credentials.
    func urlSession(_ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge)
    /// Bytes of the request's body were sent; -1 stands for an unknown total.
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didSendBodyData bytesSent: Int64,
        totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    )
    /// The request's body has to be sent again.
    func urlSession(_ session: URLSession, taskNeedsNewBodyStream task: URLSessionTask)
    /// A redirect is about to be followed.
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest
    )
    /// A task's metrics are complete.
    func urlSession(_ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics)
    /// A task ended.
    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?)
    /// A task waits for a network.
    func urlSession(_ session: URLSession, taskIsWaitingForConnectivity task: URLSessionTask)
    /// The head of a response came.
    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse)
    /// A piece of a response's body came.
    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data)
    /// A response is about to be put into a cache.
    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, willCacheResponse proposedResponse: CachedURLResponse)
    /// A download goes on where an earlier one ended.
    func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didResumeAtOffset fileOffset: Int64,
        expectedTotalBytes: Int64
    )
    /// Bytes of a download were written; -1 stands for an unknown total.
    func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64,
        totalBytesExpectedToWrite: Int64
    )
    /// A download's file is complete, at its temporary place.
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
    /// A task was made for an attempt.
    func request(_ request: Request, didCreateTask task: URLSessionTask)
    /// The metrics of an attempt are there.
    func request(_ request: Request, didGatherMetrics metrics: URLSessionTaskMetrics)
    /// An attempt failed before its task could.
    func request(_ request: Request, didFailTask task: URLSessionTask, earlyWithError error: AFError)
    /// An attempt ended; it may be retried.
    func request(_ request: Request, didCompleteTask task: URLSessionTask, with error: AFError?)
    /// The request is about to be tried again.
    func requestIsRetrying(_ request: Request)
    /// The request ended, and its handlers are about to be called.
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
    /// The transport or a layer did or decided something: every phase of an exchange, with its instant.
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
    /// A response was taken as it came.
    func request(_ request: DataRequest, didParseResponse response: DataResponse<Data?, AFError>)
    /// A value was made of a response.
    func request<Value: Sendable>(_ request: DataRequest, didParseResponse response: DataResponse<Value, AFError>)
    /// A stream's response was validated.
    func request(
        _ request: DataStreamRequest,
        didValidateRequest urlRequest: URLRequest?,
        response: HTTPURLResponse,
        withResult result: Request.ValidationResult
    )
    /// A value was made of a piece of a stream.
    func request<Value: Sendable>(_ request: DataStreamRequest, didParseStream result: Result<Value, AFError>)
    /// A message or control frame crossed a WebSocket.
    func request(_ request: WebSocketRequest, didTransfer traffic: WebSocketTraffic)
    /// The content to upload was made.
    func request(_ request: UploadRequest, didCreateUploadable uploadable: UploadRequest.Uploadable)
    /// The content to upload could not be made.
    func request(_ request: UploadRequest, didFailToCreateUploadableWithError error: AFError)
    /// The stream to upload was handed over.
    func request(_ request: UploadRequest, didProvideInputStream stream: InputStream)
    /// A download's file is complete, or failed.
    func request(
        _ request: DownloadRequest,
        didFinishDownloadingUsing task: URLSessionTask,
        with result: Result<URL, AFError>
    )
    /// The place for a download's file was chosen.
    func request(_ request: DownloadRequest, didCreateDestinationURL url: URL)
    /// A download was validated.
    func request(
        _ request: DownloadRequest,
        didValidateRequest urlRequest: URLRequest?,
        response: HTTPURLResponse,
        fileURL: URL?,
        withResult result: Request.ValidationResult
    )
    /// A download was taken as it came.
    func request(_ request: DownloadRequest, didParseResponse response: DownloadResponse<URL?, AFError>)
    /// A value was made of a download.
    func request<Value: Sendable>(
        _ request: DownloadRequest,
        didParseResponse response: DownloadResponse<Value, AFError>
    )
}
