public import AirframeTransport
public import Dispatch
public import Foundation

/// A monitor that calls closures.
///
/// ```swift
/// let monitor = ClosureEventMonitor()
/// monitor.requestDidFinish = { print($0) }
/// let session = Session(eventMonitors: [monitor])
/// ```
///
/// Set the closures before a session or request receives the monitor. They are called on ``queue``.
///
/// `@unchecked Sendable` because its closures are confined: one thread sets them before it passes the monitor on, and
/// afterwards they are only read, on one queue. A lock could not order a later change with the events either.
open class ClosureEventMonitor: EventMonitor, @unchecked Sendable {
    /// The session was invalidated.
    open var sessionDidBecomeInvalidWithError: ((URLSession, (any Error)?) -> Void)?
    /// A server or proxy sent a challenge.
    open var taskDidReceiveChallenge: ((URLSession, URLSessionTask, URLAuthenticationChallenge) -> Void)?
    /// Bytes of the request's body were sent. A total of -1 is unknown.
    open var taskDidSendBodyData: ((URLSession, URLSessionTask, Int64, Int64, Int64) -> Void)?
    /// The request's body must be sent again.
    open var taskNeedNewBodyStream: ((URLSession, URLSessionTask) -> Void)?
    /// A redirect was received, with the request that would follow. The redirect handler is called afterwards.
    open var taskWillPerformHTTPRedirection: ((URLSession, URLSessionTask, HTTPURLResponse, URLRequest) -> Void)?
    /// A task's metrics are complete.
    open var taskDidFinishCollectingMetrics: ((URLSession, URLSessionTask, URLSessionTaskMetrics) -> Void)?
    /// A task completed.
    open var taskDidComplete: ((URLSession, URLSessionTask, (any Error)?) -> Void)?
    /// A task waits for connectivity.
    open var taskIsWaitingForConnectivity: ((URLSession, URLSessionTask) -> Void)?
    /// The head of a response was received.
    open var dataTaskDidReceiveResponse: ((URLSession, URLSessionDataTask, URLResponse) -> Void)?
    /// A chunk of a response's body was received.
    open var dataTaskDidReceiveData: ((URLSession, URLSessionDataTask, Data) -> Void)?
    /// A response is about to be cached.
    open var dataTaskWillCacheResponse: ((URLSession, URLSessionDataTask, CachedURLResponse) -> Void)?
    /// A download continues an earlier one.
    open var downloadTaskDidResumeAtOffset: ((URLSession, URLSessionDownloadTask, Int64, Int64) -> Void)?
    /// Bytes of a download were written. A total of -1 is unknown.
    open var downloadTaskDidWriteData: ((URLSession, URLSessionDownloadTask, Int64, Int64, Int64) -> Void)?
    /// A download's file is complete, at its temporary location.
    open var downloadTaskDidFinishDownloadingToURL: ((URLSession, URLSessionDownloadTask, URL) -> Void)?
    /// The `URLRequest` was made, before adaptation.
    open var requestDidCreateInitialURLRequest: ((Request, URLRequest) -> Void)?
    /// The `URLRequest` could not be made.
    open var requestDidFailToCreateURLRequestWithError: ((Request, AFError) -> Void)?
    /// An adapter changed the `URLRequest`.
    open var requestDidAdaptInitialRequestToAdaptedRequest: ((Request, URLRequest, URLRequest) -> Void)?
    /// An adapter failed.
    open var requestDidFailToAdaptURLRequestWithError: ((Request, URLRequest, AFError) -> Void)?
    /// The `URLRequest` is ready to be sent.
    open var requestDidCreateURLRequest: ((Request, URLRequest) -> Void)?
    /// The task of an attempt was created.
    open var requestDidCreateTask: ((Request, URLSessionTask) -> Void)?
    /// The metrics of an attempt are complete.
    open var requestDidGatherMetrics: ((Request, URLSessionTaskMetrics) -> Void)?
    /// An attempt failed before its task completed.
    open var requestDidFailTaskEarlyWithError: ((Request, URLSessionTask, AFError) -> Void)?
    /// An attempt completed, with the error of its task. It may be retried.
    open var requestDidCompleteTaskWithError: ((Request, URLSessionTask, AFError?) -> Void)?
    /// The request is about to be retried.
    open var requestIsRetrying: ((Request) -> Void)?
    /// The request finished, and its handlers are about to be called.
    open var requestDidFinish: ((Request) -> Void)?
    /// The request was resumed.
    open var requestDidResume: ((Request) -> Void)?
    /// The request's task was resumed.
    open var requestDidResumeTask: ((Request, URLSessionTask) -> Void)?
    /// The request was suspended.
    open var requestDidSuspend: ((Request) -> Void)?
    /// The request's task was suspended.
    open var requestDidSuspendTask: ((Request, URLSessionTask) -> Void)?
    /// The request was cancelled.
    open var requestDidCancel: ((Request) -> Void)?
    /// The request's task was cancelled.
    open var requestDidCancelTask: ((Request, URLSessionTask) -> Void)?
    /// The transport or a layer reported an event: a phase of an exchange or a decision, with its instant.
    open var requestDidReceiveTransportEvent: ((Request, TransportEvent) -> Void)?
    /// A response was validated.
    open var requestDidValidateRequestResponseDataWithResult:
        ((DataRequest, URLRequest?, HTTPURLResponse, Data?, Request.ValidationResult) -> Void)?
    /// A response was received without serialization.
    open var requestDidParseResponse: ((DataRequest, DataResponse<Data?, AFError>) -> Void)?
    /// A stream's response was validated.
    open var requestDidValidateRequestResponseWithResult:
        ((DataStreamRequest, URLRequest?, HTTPURLResponse, Request.ValidationResult) -> Void)?
    /// A WebSocket was opened, with the application protocol that the server chose.
    open var webSocketTaskDidOpenWithProtocol: ((URLSession, URLSessionWebSocketTask, String?) -> Void)?
    /// A WebSocket was closed by a Close frame.
    open var webSocketTaskDidCloseWithCodeAndReason:
        ((URLSession, URLSessionWebSocketTask, URLSessionWebSocketTask.CloseCode, Data?) -> Void)?
    /// A message or control frame was sent or received on a WebSocket.
    open var requestDidTransferTraffic: ((WebSocketRequest, WebSocketTraffic) -> Void)?
    /// The content to upload was made.
    open var requestDidCreateUploadable: ((UploadRequest, UploadRequest.Uploadable) -> Void)?
    /// The content to upload could not be made.
    open var requestDidFailToCreateUploadableWithError: ((UploadRequest, AFError) -> Void)?
    /// The stream to upload was provided.
    open var requestDidProvideInputStream: ((UploadRequest, InputStream) -> Void)?
    /// A complete file was moved to its destination, or could not be moved.
    open var requestDidFinishDownloadingUsingTaskWithResult:
        ((DownloadRequest, URLSessionTask, Result<URL, AFError>) -> Void)?
    /// The destination of a download's file was chosen.
    open var requestDidCreateDestinationURL: ((DownloadRequest, URL) -> Void)?
    /// A download was validated.
    open var requestDidValidateRequestResponseFileURLWithResult:
        ((DownloadRequest, URLRequest?, HTTPURLResponse, URL?, Request.ValidationResult) -> Void)?
    /// A download was received without serialization.
    open var requestDidParseDownloadResponse: ((DownloadRequest, DownloadResponse<URL?, AFError>) -> Void)?

    /// The queue on which the closures are called.
    public let queue: DispatchQueue

    /// Creates a monitor without closures.
    ///
    /// - Parameter queue: The queue to call the closures on.
    public init(queue: DispatchQueue = .main) { self.queue = queue }

    /// Whether ``requestDidReceiveTransportEvent`` is set.
    open var receivesTransportEvents: Bool { requestDidReceiveTransportEvent != nil }

    /// Calls ``sessionDidBecomeInvalidWithError``.
    open func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
        sessionDidBecomeInvalidWithError?(session, error)
    }

    /// Calls ``taskDidReceiveChallenge``.
    open func urlSession(_ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge)
    {
        taskDidReceiveChallenge?(session, task, challenge)
    }

    /// Calls ``taskDidSendBodyData``.
    open func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didSendBodyData bytesSent: Int64,
        totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        taskDidSendBodyData?(session, task, bytesSent, totalBytesSent, totalBytesExpectedToSend)
    }

    /// Calls ``taskNeedNewBodyStream``.
    open func urlSession(_ session: URLSession, taskNeedsNewBodyStream task: URLSessionTask) {
        taskNeedNewBodyStream?(session, task)
    }

    /// Calls ``taskWillPerformHTTPRedirection``.
    open func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest
    ) {
        taskWillPerformHTTPRedirection?(session, task, response, request)
    }

    /// Calls ``taskDidFinishCollectingMetrics``.
    open func urlSession(
        _ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics
    ) {
        taskDidFinishCollectingMetrics?(session, task, metrics)
    }

    /// Calls ``taskDidComplete``.
    open func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        taskDidComplete?(session, task, error)
    }

    /// Calls ``taskIsWaitingForConnectivity``.
    open func urlSession(_ session: URLSession, taskIsWaitingForConnectivity task: URLSessionTask) {
        taskIsWaitingForConnectivity?(session, task)
    }

    /// Calls ``dataTaskDidReceiveResponse``.
    open func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse) {
        dataTaskDidReceiveResponse?(session, dataTask, response)
    }

    /// Calls ``dataTaskDidReceiveData``.
    open func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        dataTaskDidReceiveData?(session, dataTask, data)
    }

    /// Calls ``dataTaskWillCacheResponse``.
    open func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, willCacheResponse proposedResponse: CachedURLResponse
    ) {
        dataTaskWillCacheResponse?(session, dataTask, proposedResponse)
    }

    /// Calls ``downloadTaskDidResumeAtOffset``.
    open func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didResumeAtOffset fileOffset: Int64,
        expectedTotalBytes: Int64
    ) {
        downloadTaskDidResumeAtOffset?(session, downloadTask, fileOffset, expectedTotalBytes)
    }

    /// Calls ``downloadTaskDidWriteData``.
    open func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64,
        totalBytesExpectedToWrite: Int64
    ) {
        downloadTaskDidWriteData?(session, downloadTask, bytesWritten, totalBytesWritten, totalBytesExpectedToWrite)
    }

    /// Calls ``downloadTaskDidFinishDownloadingToURL``.
    open func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
    ) {
        downloadTaskDidFinishDownloadingToURL?(session, downloadTask, location)
    }

    /// Calls ``requestDidCreateInitialURLRequest``.
    open func request(_ request: Request, didCreateInitialURLRequest urlRequest: URLRequest) {
        requestDidCreateInitialURLRequest?(request, urlRequest)
    }

    /// Calls ``requestDidFailToCreateURLRequestWithError``.
    open func request(_ request: Request, didFailToCreateURLRequestWithError error: AFError) {
        requestDidFailToCreateURLRequestWithError?(request, error)
    }

    /// Calls ``requestDidAdaptInitialRequestToAdaptedRequest``.
    open func request(
        _ request: Request,
        didAdaptInitialRequest initialRequest: URLRequest,
        to adaptedRequest: URLRequest
    ) {
        requestDidAdaptInitialRequestToAdaptedRequest?(request, initialRequest, adaptedRequest)
    }

    /// Calls ``requestDidFailToAdaptURLRequestWithError``.
    open func request(
        _ request: Request,
        didFailToAdaptURLRequest initialRequest: URLRequest,
        withError error: AFError
    ) {
        requestDidFailToAdaptURLRequestWithError?(request, initialRequest, error)
    }

    /// Calls ``requestDidCreateURLRequest``.
    open func request(_ request: Request, didCreateURLRequest urlRequest: URLRequest) {
        requestDidCreateURLRequest?(request, urlRequest)
    }

    /// Calls ``requestDidCreateTask``.
    open func request(_ request: Request, didCreateTask task: URLSessionTask) { requestDidCreateTask?(request, task) }

    /// Calls ``requestDidGatherMetrics``.
    open func request(_ request: Request, didGatherMetrics metrics: URLSessionTaskMetrics) {
        requestDidGatherMetrics?(request, metrics)
    }

    /// Calls ``requestDidFailTaskEarlyWithError``.
    open func request(_ request: Request, didFailTask task: URLSessionTask, earlyWithError error: AFError) {
        requestDidFailTaskEarlyWithError?(request, task, error)
    }

    /// Calls ``requestDidCompleteTaskWithError``.
    open func request(_ request: Request, didCompleteTask task: URLSessionTask, with error: AFError?) {
        requestDidCompleteTaskWithError?(request, task, error)
    }

    /// Calls ``requestIsRetrying``.
    open func requestIsRetrying(_ request: Request) { requestIsRetrying?(request) }

    /// Calls ``requestDidFinish``.
    open func requestDidFinish(_ request: Request) { requestDidFinish?(request) }

    /// Calls ``requestDidResume``.
    open func requestDidResume(_ request: Request) { requestDidResume?(request) }

    /// Calls ``requestDidResumeTask``.
    open func request(_ request: Request, didResumeTask task: URLSessionTask) { requestDidResumeTask?(request, task) }

    /// Calls ``requestDidSuspend``.
    open func requestDidSuspend(_ request: Request) { requestDidSuspend?(request) }

    /// Calls ``requestDidSuspendTask``.
    open func request(_ request: Request, didSuspendTask task: URLSessionTask) { requestDidSuspendTask?(request, task) }

    /// Calls ``requestDidCancel``.
    open func requestDidCancel(_ request: Request) { requestDidCancel?(request) }

    /// Calls ``requestDidCancelTask``.
    open func request(_ request: Request, didCancelTask task: URLSessionTask) { requestDidCancelTask?(request, task) }

    /// Calls ``requestDidReceiveTransportEvent``.
    open func request(_ request: Request, didReceive event: TransportEvent) {
        requestDidReceiveTransportEvent?(request, event)
    }

    /// Calls ``requestDidValidateRequestResponseDataWithResult``.
    open func request(
        _ request: DataRequest,
        didValidateRequest urlRequest: URLRequest?,
        response: HTTPURLResponse,
        data: Data?,
        withResult result: Request.ValidationResult
    ) {
        requestDidValidateRequestResponseDataWithResult?(request, urlRequest, response, data, result)
    }

    /// Calls ``requestDidParseResponse``.
    open func request(_ request: DataRequest, didParseResponse response: DataResponse<Data?, AFError>) {
        requestDidParseResponse?(request, response)
    }

    /// Calls ``requestDidValidateRequestResponseWithResult``.
    open func request(
        _ request: DataStreamRequest,
        didValidateRequest urlRequest: URLRequest?,
        response: HTTPURLResponse,
        withResult result: Request.ValidationResult
    ) {
        requestDidValidateRequestResponseWithResult?(request, urlRequest, response, result)
    }

    /// Calls ``requestDidCreateUploadable``.
    open func request(_ request: UploadRequest, didCreateUploadable uploadable: UploadRequest.Uploadable) {
        requestDidCreateUploadable?(request, uploadable)
    }

    /// Calls ``requestDidFailToCreateUploadableWithError``.
    open func request(_ request: UploadRequest, didFailToCreateUploadableWithError error: AFError) {
        requestDidFailToCreateUploadableWithError?(request, error)
    }

    /// Calls ``requestDidProvideInputStream``.
    open func request(_ request: UploadRequest, didProvideInputStream stream: InputStream) {
        requestDidProvideInputStream?(request, stream)
    }

    /// Calls ``requestDidFinishDownloadingUsingTaskWithResult``.
    open func request(
        _ request: DownloadRequest,
        didFinishDownloadingUsing task: URLSessionTask,
        with result: Result<URL, AFError>
    ) {
        requestDidFinishDownloadingUsingTaskWithResult?(request, task, result)
    }

    /// Calls ``requestDidCreateDestinationURL``.
    open func request(_ request: DownloadRequest, didCreateDestinationURL url: URL) {
        requestDidCreateDestinationURL?(request, url)
    }

    /// Calls ``requestDidValidateRequestResponseFileURLWithResult``.
    open func request(
        _ request: DownloadRequest,
        didValidateRequest urlRequest: URLRequest?,
        response: HTTPURLResponse,
        fileURL: URL?,
        withResult result: Request.ValidationResult
    ) {
        requestDidValidateRequestResponseFileURLWithResult?(request, urlRequest, response, fileURL, result)
    }

    /// Calls ``requestDidParseDownloadResponse``.
    open func request(_ request: DownloadRequest, didParseResponse response: DownloadResponse<URL?, AFError>) {
        requestDidParseDownloadResponse?(request, response)
    }

    /// Calls ``webSocketTaskDidOpenWithProtocol``.
    open func urlSession(
        _ session: URLSession,
        webSocketTask: URLSessionWebSocketTask,
        didOpenWithProtocol protocol: String?
    ) {
        webSocketTaskDidOpenWithProtocol?(session, webSocketTask, `protocol`)
    }

    /// Calls ``webSocketTaskDidCloseWithCodeAndReason``.
    open func urlSession(
        _ session: URLSession,
        webSocketTask: URLSessionWebSocketTask,
        didCloseWith closeCode: URLSessionWebSocketTask.CloseCode,
        reason: Data?
    ) {
        webSocketTaskDidCloseWithCodeAndReason?(session, webSocketTask, closeCode, reason)
    }

    /// Calls ``requestDidTransferTraffic``.
    open func request(_ request: WebSocketRequest, didTransfer traffic: WebSocketTraffic) {
        requestDidTransferTraffic?(request, traffic)
    }
}
