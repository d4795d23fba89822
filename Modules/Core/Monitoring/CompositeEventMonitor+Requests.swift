public import AirframeTransport
public import Foundation

extension CompositeEventMonitor {
    /// The `URLRequest` was made, before adaptation.
    public func request(_ request: Request, didCreateInitialURLRequest urlRequest: URLRequest) {
        guard wants(.preparation) else { return }
        notify(.preparation) { $0.request(request, didCreateInitialURLRequest: urlRequest) }
    }

    /// The `URLRequest` could not be made.
    public func request(_ request: Request, didFailToCreateURLRequestWithError error: AFError) {
        guard wants(.preparation) else { return }
        notify(.preparation) { $0.request(request, didFailToCreateURLRequestWithError: error) }
    }

    /// An adapter changed the `URLRequest`.
    public func request(
        _ request: Request,
        didAdaptInitialRequest initialRequest: URLRequest,
        to adaptedRequest: URLRequest
    ) {
        guard wants(.preparation) else { return }
        notify(.preparation) { $0.request(request, didAdaptInitialRequest: initialRequest, to: adaptedRequest) }
    }

    /// An adapter failed.
    public func request(
        _ request: Request,
        didFailToAdaptURLRequest initialRequest: URLRequest,
        withError error: AFError
    ) {
        guard wants(.preparation) else { return }
        notify(.preparation) { $0.request(request, didFailToAdaptURLRequest: initialRequest, withError: error) }
    }

    /// The `URLRequest` is ready to be sent.
    public func request(_ request: Request, didCreateURLRequest urlRequest: URLRequest) {
        guard wants(.preparation) else { return }
        notify(.preparation) { $0.request(request, didCreateURLRequest: urlRequest) }
    }

    /// The task of an attempt was created.
    public func request(_ request: Request, didCreateTask task: URLSessionTask) {
        guard wants(.attempts) else { return }
        notify(.attempts) { $0.request(request, didCreateTask: task) }
    }

    /// The metrics of an attempt are complete.
    public func request(_ request: Request, didGatherMetrics metrics: URLSessionTaskMetrics) {
        guard wants(.attempts) else { return }
        notify(.attempts) { $0.request(request, didGatherMetrics: metrics) }
    }

    /// An attempt failed before its task completed.
    public func request(_ request: Request, didFailTask task: URLSessionTask, earlyWithError error: AFError) {
        guard wants(.attempts) else { return }
        notify(.attempts) { $0.request(request, didFailTask: task, earlyWithError: error) }
    }

    /// An attempt completed, with the error of its task. It may be retried.
    public func request(_ request: Request, didCompleteTask task: URLSessionTask, with error: AFError?) {
        guard wants(.attempts) else { return }
        notify(.attempts) { $0.request(request, didCompleteTask: task, with: error) }
    }

    /// The request is about to be retried.
    public func requestIsRetrying(_ request: Request) {
        guard wants(.attempts) else { return }
        notify(.attempts) { $0.requestIsRetrying(request) }
    }

    /// The request finished, and its handlers are about to be called.
    public func requestDidFinish(_ request: Request) {
        notify(
            .ends,
            here: { $0.requestDidFinish(request) },
            later: { monitor in monitor.queue.async { monitor.requestDidFinish(request) } }
        )
    }

    /// The request was resumed.
    public func requestDidResume(_ request: Request) {
        guard wants(.states) else { return }
        notify(.states) { $0.requestDidResume(request) }
    }

    /// The request's task was resumed.
    public func request(_ request: Request, didResumeTask task: URLSessionTask) {
        guard wants(.states) else { return }
        notify(.states) { $0.request(request, didResumeTask: task) }
    }

    /// The request was suspended.
    public func requestDidSuspend(_ request: Request) {
        guard wants(.states) else { return }
        notify(.states) { $0.requestDidSuspend(request) }
    }

    /// The request's task was suspended.
    public func request(_ request: Request, didSuspendTask task: URLSessionTask) {
        guard wants(.states) else { return }
        notify(.states) { $0.request(request, didSuspendTask: task) }
    }

    /// The request was cancelled.
    public func requestDidCancel(_ request: Request) {
        guard wants(.states) else { return }
        notify(.states) { $0.requestDidCancel(request) }
    }

    /// The request's task was cancelled.
    public func request(_ request: Request, didCancelTask task: URLSessionTask) {
        guard wants(.states) else { return }
        notify(.states) { $0.request(request, didCancelTask: task) }
    }

    /// The transport or a layer reported an event: a phase of an exchange or a decision, with its instant.
    public func request(_ request: Request, didReceive event: TransportEvent) {
        guard wants(.transport) else { return }
        notify(.transport) { $0.request(request, didReceive: event) }
    }
}

// MARK: Kinds of requests

extension CompositeEventMonitor {
    /// A response was validated.
    public func request(
        _ request: DataRequest,
        didValidateRequest urlRequest: URLRequest?,
        response: HTTPURLResponse,
        data: Data?,
        withResult result: Request.ValidationResult
    ) {
        guard wants(.results) else { return }
        notify(.results) {
            $0.request(
                request,
                didValidateRequest: urlRequest,
                response: response,
                data: data,
                withResult: result
            )
        }
    }

    /// A response was received without serialization.
    public func request(_ request: DataRequest, didParseResponse response: DataResponse<Data?, AFError>) {
        notify(
            .results,
            here: { $0.request(request, didParseResponse: response) },
            later: { monitor in monitor.queue.async { monitor.request(request, didParseResponse: response) } }
        )
    }

    /// A response was serialized.
    public func request<Value: Sendable>(
        _ request: DataRequest,
        didParseResponse response: DataResponse<Value, AFError>
    ) {
        notify(
            .results,
            here: { $0.request(request, didParseResponse: response) },
            later: { monitor in monitor.queue.async { monitor.request(request, didParseResponse: response) } }
        )
    }

    /// A stream's response was validated.
    public func request(
        _ request: DataStreamRequest,
        didValidateRequest urlRequest: URLRequest?,
        response: HTTPURLResponse,
        withResult result: Request.ValidationResult
    ) {
        guard wants(.results) else { return }
        notify(.results) { $0.request(request, didValidateRequest: urlRequest, response: response, withResult: result) }
    }

    /// A value of a stream was serialized.
    public func request<Value: Sendable>(
        _ request: DataStreamRequest,
        didParseStream result: Result<Value, AFError>
    ) {
        guard wants(.results) else { return }
        notify(.results) { $0.request(request, didParseStream: result) }
    }

    /// The content to upload was made.
    public func request(_ request: UploadRequest, didCreateUploadable uploadable: UploadRequest.Uploadable) {
        guard wants(.preparation) else { return }
        notify(.preparation) { $0.request(request, didCreateUploadable: uploadable) }
    }

    /// The content to upload could not be made.
    public func request(_ request: UploadRequest, didFailToCreateUploadableWithError error: AFError) {
        guard wants(.preparation) else { return }
        notify(.preparation) { $0.request(request, didFailToCreateUploadableWithError: error) }
    }

    /// The stream to upload was provided.
    public func request(_ request: UploadRequest, didProvideInputStream stream: InputStream) {
        // An InputStream is not Sendable. Monitors may identify it and must not read it.
        let reference = InputStreamReference(stream)
        guard wants(.preparation) else { return }
        notify(.preparation) { $0.request(request, didProvideInputStream: reference.stream) }
    }

    /// A complete file was moved to its destination, or could not be moved.
    public func request(
        _ request: DownloadRequest,
        didFinishDownloadingUsing task: URLSessionTask,
        with result: Result<URL, AFError>
    ) {
        guard wants(.attempts) else { return }
        notify(.attempts) { $0.request(request, didFinishDownloadingUsing: task, with: result) }
    }

    /// The destination of a download's file was chosen.
    public func request(_ request: DownloadRequest, didCreateDestinationURL url: URL) {
        guard wants(.preparation) else { return }
        notify(.preparation) { $0.request(request, didCreateDestinationURL: url) }
    }

    /// A download was validated.
    public func request(
        _ request: DownloadRequest,
        didValidateRequest urlRequest: URLRequest?,
        response: HTTPURLResponse,
        fileURL: URL?,
        withResult result: Request.ValidationResult
    ) {
        guard wants(.results) else { return }
        notify(.results) {
            $0.request(
                request,
                didValidateRequest: urlRequest,
                response: response,
                fileURL: fileURL,
                withResult: result
            )
        }
    }

    /// A download was received without serialization.
    public func request(_ request: DownloadRequest, didParseResponse response: DownloadResponse<URL?, AFError>) {
        notify(
            .results,
            here: { $0.request(request, didParseResponse: response) },
            later: { monitor in monitor.queue.async { monitor.request(request, didParseResponse: response) } }
        )
    }

    /// A download was serialized.
    public func request<Value: Sendable>(
        _ request: DownloadRequest,
        didParseResponse response: DownloadResponse<Value, AFError>
    ) {
        notify(
            .results,
            here: { $0.request(request, didParseResponse: response) },
            later: { monitor in monitor.queue.async { monitor.request(request, didParseResponse: response) } }
        )
    }
}
