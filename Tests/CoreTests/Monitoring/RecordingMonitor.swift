import AirframeCore
import AirframeTransport
import Dispatch
import Foundation
import Synchronization

/// A monitor that records the names of its events.
final class RecordingMonitor: EventMonitor {
    let queue = DispatchQueue(label: "recording")
    let receivesTransportEvents: Bool
    private let recorded = Mutex<[String]>([])

    init(receivesTransportEvents: Bool = false) { self.receivesTransportEvents = receivesTransportEvents }

    /// The events so far, after all pending ones have arrived.
    var events: [String] {
        get async {
            await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
            return recorded.withLock { $0 }
        }
    }

    private func record(_ event: String) { recorded.withLock { $0.append(event) } }

    func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) { record("session invalid") }
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest
    ) { record("redirect \(response.statusCode) to \(request.url?.path ?? "")") }
    func urlSession(_ session: URLSession, taskNeedsNewBodyStream task: URLSessionTask) { record("needs stream") }
    func request(_ request: UploadRequest, didProvideInputStream stream: InputStream) { record("stream") }
    func urlSession(_ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics) {
        record("task metrics")
    }
    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        record("task end")
    }
    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse) {
        record("head")
    }
    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) { record("data") }
    func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask, didWriteData bytesWritten: Int64, totalBytesWritten: Int64,
        totalBytesExpectedToWrite: Int64
    ) { record("written \(totalBytesWritten) of \(totalBytesExpectedToWrite)") }
    func request(_ request: Request, didCreateInitialURLRequest urlRequest: URLRequest) { record("initial request") }
    func request(_ request: Request, didFailToCreateURLRequestWithError error: AFError) { record("no request") }
    func request(
        _ request: Request, didAdaptInitialRequest initialRequest: URLRequest, to adaptedRequest: URLRequest
    ) { record("adapted") }
    func request(_ request: Request, didFailToAdaptURLRequest initialRequest: URLRequest, withError error: AFError) {
        record("not adapted")
    }
    func request(_ request: UploadRequest, didCreateUploadable uploadable: UploadRequest.Uploadable) {
        record("content")
    }
    func request(_ request: UploadRequest, didFailToCreateUploadableWithError error: AFError) { record("no content") }
    func request(_ request: Request, didCreateURLRequest urlRequest: URLRequest) { record("request") }
    func request(_ request: Request, didCreateTask task: URLSessionTask) { record("task") }
    func request(_ request: Request, didGatherMetrics metrics: URLSessionTaskMetrics) { record("metrics") }
    func request(_ request: Request, didFailTask task: URLSessionTask, earlyWithError error: AFError) {
        record("early failure")
    }
    func request(_ request: Request, didCompleteTask task: URLSessionTask, with error: AFError?) {
        record(error == nil ? "complete" : "complete with error")
    }
    func requestIsRetrying(_ request: Request) { record("retrying") }
    func requestDidFinish(_ request: Request) { record("finish") }
    func requestDidResume(_ request: Request) { record("resume") }
    func request(_ request: Request, didResumeTask task: URLSessionTask) { record("resume task") }
    func requestDidSuspend(_ request: Request) { record("suspend") }
    func request(_ request: Request, didSuspendTask task: URLSessionTask) { record("suspend task") }
    func requestDidCancel(_ request: Request) { record("cancel") }
    func request(_ request: Request, didCancelTask task: URLSessionTask) { record("cancel task") }
    func request(_ request: Request, didReceive event: TransportEvent) { record("transport") }
    func request(
        _ request: DataRequest, didValidateRequest urlRequest: URLRequest?, response: HTTPURLResponse, data: Data?,
        withResult result: Request.ValidationResult
    ) { record("validated") }
    func request(_ request: DataRequest, didParseResponse response: DataResponse<Data?, AFError>) { record("parsed") }
    func request<Value: Sendable>(_ request: DataRequest, didParseResponse response: DataResponse<Value, AFError>) {
        record("parsed value")
    }
    func request<Value: Sendable>(_ request: DataStreamRequest, didParseStream result: Result<Value, AFError>) {
        record("stream value")
    }
}
