// swift-format-ignore-file
// Made by Tools/compatibility/generate.py from Features/EventMonitor.swift; do not edit.

import Airframe
import AirframeCore
import AirframeEncoding
import AirframeReachability
import AirframeSecurity
import AirframeSerialization
import AirframeTransport
import AirframeWebSocket
import Dispatch
import Foundation

/// The symbols of Features/EventMonitor.swift, each used as it is declared. Nothing calls this: that it compiles is the test.
enum UsesEventMonitor {
    static func use686(_: (any EventMonitor).Type) {}
    static func use687<Owner_: EventMonitor>(_ receiver: Owner_) { _ = receiver.queue }
    static func use688<Owner_: EventMonitor>(_ receiver: Owner_, _ a0: URLSession, _ a1: (any Error)?) { receiver.urlSession(a0, didBecomeInvalidWithError: a1) }
    static func use689<Owner_: EventMonitor>(_ receiver: Owner_, _ a0: URLSession, _ a1: URLSessionTask, _ a2: URLAuthenticationChallenge) { receiver.urlSession(a0, task: a1, didReceive: a2) }
    static func use690<Owner_: EventMonitor>(_ receiver: Owner_, _ a0: URLSession, _ a1: URLSessionTask, _ a2: Int64, _ a3: Int64, _ a4: Int64) { receiver.urlSession(a0, task: a1, didSendBodyData: a2, totalBytesSent: a3, totalBytesExpectedToSend: a4) }
    static func use691<Owner_: EventMonitor>(_ receiver: Owner_, _ a0: URLSession, _ a1: URLSessionTask) { receiver.urlSession(a0, taskNeedsNewBodyStream: a1) }
    static func use692<Owner_: EventMonitor>(_ receiver: Owner_, _ a0: URLSession, _ a1: URLSessionTask, _ a2: HTTPURLResponse, _ a3: URLRequest) { receiver.urlSession(a0, task: a1, willPerformHTTPRedirection: a2, newRequest: a3) }
    static func use693<Owner_: EventMonitor>(_ receiver: Owner_, _ a0: URLSession, _ a1: URLSessionTask, _ a2: URLSessionTaskMetrics) { receiver.urlSession(a0, task: a1, didFinishCollecting: a2) }
    static func use694<Owner_: EventMonitor>(_ receiver: Owner_, _ a0: URLSession, _ a1: URLSessionTask, _ a2: (any Error)?) { receiver.urlSession(a0, task: a1, didCompleteWithError: a2) }
    static func use695<Owner_: EventMonitor>(_ receiver: Owner_, _ a0: URLSession, _ a1: URLSessionTask) { receiver.urlSession(a0, taskIsWaitingForConnectivity: a1) }
    static func use696<Owner_: EventMonitor>(_ receiver: Owner_, _ a0: URLSession, _ a1: URLSessionDataTask, _ a2: URLResponse) { receiver.urlSession(a0, dataTask: a1, didReceive: a2) }
    static func use697<Owner_: EventMonitor>(_ receiver: Owner_, _ a0: URLSession, _ a1: URLSessionDataTask, _ a2: Data) { receiver.urlSession(a0, dataTask: a1, didReceive: a2) }
    static func use698<Owner_: EventMonitor>(_ receiver: Owner_, _ a0: URLSession, _ a1: URLSessionDataTask, _ a2: CachedURLResponse) { receiver.urlSession(a0, dataTask: a1, willCacheResponse: a2) }
    static func use699<Owner_: EventMonitor>(_ receiver: Owner_, _ a0: URLSession, _ a1: URLSessionDownloadTask, _ a2: Int64, _ a3: Int64) { receiver.urlSession(a0, downloadTask: a1, didResumeAtOffset: a2, expectedTotalBytes: a3) }
    static func use700<Owner_: EventMonitor>(_ receiver: Owner_, _ a0: URLSession, _ a1: URLSessionDownloadTask, _ a2: Int64, _ a3: Int64, _ a4: Int64) { receiver.urlSession(a0, downloadTask: a1, didWriteData: a2, totalBytesWritten: a3, totalBytesExpectedToWrite: a4) }
    static func use701<Owner_: EventMonitor>(_ receiver: Owner_, _ a0: URLSession, _ a1: URLSessionDownloadTask, _ a2: URL) { receiver.urlSession(a0, downloadTask: a1, didFinishDownloadingTo: a2) }
    static func use702<Owner_: EventMonitor>(_ receiver: Owner_, _ a0: Request, _ a1: URLRequest) { receiver.request(a0, didCreateInitialURLRequest: a1) }
    static func use703<Owner_: EventMonitor>(_ receiver: Owner_, _ a0: Request, _ a1: AFError) { receiver.request(a0, didFailToCreateURLRequestWithError: a1) }
    static func use704<Owner_: EventMonitor>(_ receiver: Owner_, _ a0: Request, _ a1: URLRequest, _ a2: URLRequest) { receiver.request(a0, didAdaptInitialRequest: a1, to: a2) }
    static func use705<Owner_: EventMonitor>(_ receiver: Owner_, _ a0: Request, _ a1: URLRequest, _ a2: AFError) { receiver.request(a0, didFailToAdaptURLRequest: a1, withError: a2) }
    static func use706<Owner_: EventMonitor>(_ receiver: Owner_, _ a0: Request, _ a1: URLRequest) { receiver.request(a0, didCreateURLRequest: a1) }
    static func use707<Owner_: EventMonitor>(_ receiver: Owner_, _ a0: Request, _ a1: URLSessionTask) { receiver.request(a0, didCreateTask: a1) }
    static func use708<Owner_: EventMonitor>(_ receiver: Owner_, _ a0: Request, _ a1: URLSessionTaskMetrics) { receiver.request(a0, didGatherMetrics: a1) }
    static func use709<Owner_: EventMonitor>(_ receiver: Owner_, _ a0: Request, _ a1: URLSessionTask, _ a2: AFError) { receiver.request(a0, didFailTask: a1, earlyWithError: a2) }
    static func use710<Owner_: EventMonitor>(_ receiver: Owner_, _ a0: Request, _ a1: URLSessionTask, _ a2: AFError?) { receiver.request(a0, didCompleteTask: a1, with: a2) }
    static func use711<Owner_: EventMonitor>(_ receiver: Owner_, _ a0: Request) throws { receiver.requestIsRetrying(a0) }
    static func use712<Owner_: EventMonitor>(_ receiver: Owner_, _ a0: Request) { receiver.requestDidFinish(a0) }
    static func use713<Owner_: EventMonitor>(_ receiver: Owner_, _ a0: Request) { receiver.requestDidResume(a0) }
    static func use714<Owner_: EventMonitor>(_ receiver: Owner_, _ a0: Request, _ a1: URLSessionTask) { receiver.request(a0, didResumeTask: a1) }
    static func use715<Owner_: EventMonitor>(_ receiver: Owner_, _ a0: Request) { receiver.requestDidSuspend(a0) }
    static func use716<Owner_: EventMonitor>(_ receiver: Owner_, _ a0: Request, _ a1: URLSessionTask) { receiver.request(a0, didSuspendTask: a1) }
    static func use717<Owner_: EventMonitor>(_ receiver: Owner_, _ a0: Request) { receiver.requestDidCancel(a0) }
    static func use718<Owner_: EventMonitor>(_ receiver: Owner_, _ a0: Request, _ a1: URLSessionTask) { receiver.request(a0, didCancelTask: a1) }
    static func use719<Owner_: EventMonitor>(_ receiver: Owner_, _ a0: DataRequest, _ a1: URLRequest?, _ a2: HTTPURLResponse, _ a3: Data?, _ a4: Request.ValidationResult) { receiver.request(a0, didValidateRequest: a1, response: a2, data: a3, withResult: a4) }
    static func use720<Owner_: EventMonitor>(_ receiver: Owner_, _ a0: DataRequest, _ a1: DataResponse<Data?, AFError>) { receiver.request(a0, didParseResponse: a1) }
    static func use721<Owner_: EventMonitor, Value>(_ receiver: Owner_, _ a0: DataRequest, _ a1: DataResponse<Value, AFError>) where Value : Sendable { receiver.request(a0, didParseResponse: a1) }
    static func use722<Owner_: EventMonitor>(_ receiver: Owner_, _ a0: DataStreamRequest, _ a1: URLRequest?, _ a2: HTTPURLResponse, _ a3: Request.ValidationResult) { receiver.request(a0, didValidateRequest: a1, response: a2, withResult: a3) }
    static func use723<Owner_: EventMonitor, Value>(_ receiver: Owner_, _ a0: DataStreamRequest, _ a1: Result<Value, AFError>) where Value : Sendable { receiver.request(a0, didParseStream: a1) }
    static func use724<Owner_: EventMonitor>(_ receiver: Owner_, _ a0: UploadRequest, _ a1: UploadRequest.Uploadable) { receiver.request(a0, didCreateUploadable: a1) }
    static func use725<Owner_: EventMonitor>(_ receiver: Owner_, _ a0: UploadRequest, _ a1: AFError) { receiver.request(a0, didFailToCreateUploadableWithError: a1) }
    static func use726<Owner_: EventMonitor>(_ receiver: Owner_, _ a0: UploadRequest, _ a1: InputStream) { receiver.request(a0, didProvideInputStream: a1) }
    static func use727<Owner_: EventMonitor>(_ receiver: Owner_, _ a0: DownloadRequest, _ a1: URLSessionTask, _ a2: Result<URL, AFError>) { receiver.request(a0, didFinishDownloadingUsing: a1, with: a2) }
    static func use728<Owner_: EventMonitor>(_ receiver: Owner_, _ a0: DownloadRequest, _ a1: URL) { receiver.request(a0, didCreateDestinationURL: a1) }
    static func use729<Owner_: EventMonitor>(_ receiver: Owner_, _ a0: DownloadRequest, _ a1: URLRequest?, _ a2: HTTPURLResponse, _ a3: URL?, _ a4: Request.ValidationResult) { receiver.request(a0, didValidateRequest: a1, response: a2, fileURL: a3, withResult: a4) }
    static func use730<Owner_: EventMonitor>(_ receiver: Owner_, _ a0: DownloadRequest, _ a1: DownloadResponse<URL?, AFError>) { receiver.request(a0, didParseResponse: a1) }
    static func use731<Owner_: EventMonitor, Value>(_ receiver: Owner_, _ a0: DownloadRequest, _ a1: DownloadResponse<Value, AFError>) where Value : Sendable { receiver.request(a0, didParseResponse: a1) }
    static func use777(_: CompositeEventMonitor.Type) {}
    static func use778(_ receiver: CompositeEventMonitor) { _ = receiver.queue }
    static func use779(_ receiver: CompositeEventMonitor) { _ = receiver.monitors }
    static func use780(_ receiver: CompositeEventMonitor, _ a0: URLSession, _ a1: (any Error)?) { receiver.urlSession(a0, didBecomeInvalidWithError: a1) }
    static func use781(_ receiver: CompositeEventMonitor, _ a0: URLSession, _ a1: URLSessionTask, _ a2: URLAuthenticationChallenge) { receiver.urlSession(a0, task: a1, didReceive: a2) }
    static func use782(_ receiver: CompositeEventMonitor, _ a0: URLSession, _ a1: URLSessionTask, _ a2: Int64, _ a3: Int64, _ a4: Int64) { receiver.urlSession(a0, task: a1, didSendBodyData: a2, totalBytesSent: a3, totalBytesExpectedToSend: a4) }
    static func use783(_ receiver: CompositeEventMonitor, _ a0: URLSession, _ a1: URLSessionTask) { receiver.urlSession(a0, taskNeedsNewBodyStream: a1) }
    static func use784(_ receiver: CompositeEventMonitor, _ a0: URLSession, _ a1: URLSessionTask, _ a2: HTTPURLResponse, _ a3: URLRequest) { receiver.urlSession(a0, task: a1, willPerformHTTPRedirection: a2, newRequest: a3) }
    static func use785(_ receiver: CompositeEventMonitor, _ a0: URLSession, _ a1: URLSessionTask, _ a2: URLSessionTaskMetrics) { receiver.urlSession(a0, task: a1, didFinishCollecting: a2) }
    static func use786(_ receiver: CompositeEventMonitor, _ a0: URLSession, _ a1: URLSessionTask, _ a2: (any Error)?) { receiver.urlSession(a0, task: a1, didCompleteWithError: a2) }
    static func use787(_ receiver: CompositeEventMonitor, _ a0: URLSession, _ a1: URLSessionTask) { receiver.urlSession(a0, taskIsWaitingForConnectivity: a1) }
    static func use788(_ receiver: CompositeEventMonitor, _ a0: URLSession, _ a1: URLSessionDataTask, _ a2: URLResponse) { receiver.urlSession(a0, dataTask: a1, didReceive: a2) }
    static func use789(_ receiver: CompositeEventMonitor, _ a0: URLSession, _ a1: URLSessionDataTask, _ a2: Data) { receiver.urlSession(a0, dataTask: a1, didReceive: a2) }
    static func use790(_ receiver: CompositeEventMonitor, _ a0: URLSession, _ a1: URLSessionDataTask, _ a2: CachedURLResponse) { receiver.urlSession(a0, dataTask: a1, willCacheResponse: a2) }
    static func use791(_ receiver: CompositeEventMonitor, _ a0: URLSession, _ a1: URLSessionDownloadTask, _ a2: Int64, _ a3: Int64) { receiver.urlSession(a0, downloadTask: a1, didResumeAtOffset: a2, expectedTotalBytes: a3) }
    static func use792(_ receiver: CompositeEventMonitor, _ a0: URLSession, _ a1: URLSessionDownloadTask, _ a2: Int64, _ a3: Int64, _ a4: Int64) { receiver.urlSession(a0, downloadTask: a1, didWriteData: a2, totalBytesWritten: a3, totalBytesExpectedToWrite: a4) }
    static func use793(_ receiver: CompositeEventMonitor, _ a0: URLSession, _ a1: URLSessionDownloadTask, _ a2: URL) { receiver.urlSession(a0, downloadTask: a1, didFinishDownloadingTo: a2) }
    static func use794(_ receiver: CompositeEventMonitor, _ a0: Request, _ a1: URLRequest) { receiver.request(a0, didCreateInitialURLRequest: a1) }
    static func use795(_ receiver: CompositeEventMonitor, _ a0: Request, _ a1: AFError) { receiver.request(a0, didFailToCreateURLRequestWithError: a1) }
    static func use796(_ receiver: CompositeEventMonitor, _ a0: Request, _ a1: URLRequest, _ a2: URLRequest) { receiver.request(a0, didAdaptInitialRequest: a1, to: a2) }
    static func use797(_ receiver: CompositeEventMonitor, _ a0: Request, _ a1: URLRequest, _ a2: AFError) { receiver.request(a0, didFailToAdaptURLRequest: a1, withError: a2) }
    static func use798(_ receiver: CompositeEventMonitor, _ a0: Request, _ a1: URLRequest) { receiver.request(a0, didCreateURLRequest: a1) }
    static func use799(_ receiver: CompositeEventMonitor, _ a0: Request, _ a1: URLSessionTask) { receiver.request(a0, didCreateTask: a1) }
    static func use800(_ receiver: CompositeEventMonitor, _ a0: Request, _ a1: URLSessionTaskMetrics) { receiver.request(a0, didGatherMetrics: a1) }
    static func use801(_ receiver: CompositeEventMonitor, _ a0: Request, _ a1: URLSessionTask, _ a2: AFError) { receiver.request(a0, didFailTask: a1, earlyWithError: a2) }
    static func use802(_ receiver: CompositeEventMonitor, _ a0: Request, _ a1: URLSessionTask, _ a2: AFError?) { receiver.request(a0, didCompleteTask: a1, with: a2) }
    static func use803(_ receiver: CompositeEventMonitor, _ a0: Request) throws { receiver.requestIsRetrying(a0) }
    static func use804(_ receiver: CompositeEventMonitor, _ a0: Request) { receiver.requestDidFinish(a0) }
    static func use805(_ receiver: CompositeEventMonitor, _ a0: Request) { receiver.requestDidResume(a0) }
    static func use806(_ receiver: CompositeEventMonitor, _ a0: Request, _ a1: URLSessionTask) { receiver.request(a0, didResumeTask: a1) }
    static func use807(_ receiver: CompositeEventMonitor, _ a0: Request) { receiver.requestDidSuspend(a0) }
    static func use808(_ receiver: CompositeEventMonitor, _ a0: Request, _ a1: URLSessionTask) { receiver.request(a0, didSuspendTask: a1) }
    static func use809(_ receiver: CompositeEventMonitor, _ a0: Request) { receiver.requestDidCancel(a0) }
    static func use810(_ receiver: CompositeEventMonitor, _ a0: Request, _ a1: URLSessionTask) { receiver.request(a0, didCancelTask: a1) }
    static func use811(_ receiver: CompositeEventMonitor, _ a0: DataRequest, _ a1: URLRequest?, _ a2: HTTPURLResponse, _ a3: Data?, _ a4: Request.ValidationResult) { receiver.request(a0, didValidateRequest: a1, response: a2, data: a3, withResult: a4) }
    static func use812(_ receiver: CompositeEventMonitor, _ a0: DataRequest, _ a1: DataResponse<Data?, AFError>) { receiver.request(a0, didParseResponse: a1) }
    static func use813<Value>(_ receiver: CompositeEventMonitor, _ a0: DataRequest, _ a1: DataResponse<Value, AFError>) where Value : Sendable { receiver.request(a0, didParseResponse: a1) }
    static func use814(_ receiver: CompositeEventMonitor, _ a0: DataStreamRequest, _ a1: URLRequest?, _ a2: HTTPURLResponse, _ a3: Request.ValidationResult) { receiver.request(a0, didValidateRequest: a1, response: a2, withResult: a3) }
    static func use815<Value>(_ receiver: CompositeEventMonitor, _ a0: DataStreamRequest, _ a1: Result<Value, AFError>) where Value : Sendable { receiver.request(a0, didParseStream: a1) }
    static func use816(_ receiver: CompositeEventMonitor, _ a0: UploadRequest, _ a1: UploadRequest.Uploadable) { receiver.request(a0, didCreateUploadable: a1) }
    static func use817(_ receiver: CompositeEventMonitor, _ a0: UploadRequest, _ a1: AFError) { receiver.request(a0, didFailToCreateUploadableWithError: a1) }
    static func use818(_ receiver: CompositeEventMonitor, _ a0: UploadRequest, _ a1: InputStream) { receiver.request(a0, didProvideInputStream: a1) }
    static func use819(_ receiver: CompositeEventMonitor, _ a0: DownloadRequest, _ a1: URLSessionTask, _ a2: Result<URL, AFError>) { receiver.request(a0, didFinishDownloadingUsing: a1, with: a2) }
    static func use820(_ receiver: CompositeEventMonitor, _ a0: DownloadRequest, _ a1: URL) { receiver.request(a0, didCreateDestinationURL: a1) }
    static func use821(_ receiver: CompositeEventMonitor, _ a0: DownloadRequest, _ a1: URLRequest?, _ a2: HTTPURLResponse, _ a3: URL?, _ a4: Request.ValidationResult) { receiver.request(a0, didValidateRequest: a1, response: a2, fileURL: a3, withResult: a4) }
    static func use822(_ receiver: CompositeEventMonitor, _ a0: DownloadRequest, _ a1: DownloadResponse<URL?, AFError>) { receiver.request(a0, didParseResponse: a1) }
    static func use823<Value>(_ receiver: CompositeEventMonitor, _ a0: DownloadRequest, _ a1: DownloadResponse<Value, AFError>) where Value : Sendable { receiver.request(a0, didParseResponse: a1) }
    static func use824(_: ClosureEventMonitor.Type) {}
    static func use825(_ receiver: ClosureEventMonitor) { _ = receiver.sessionDidBecomeInvalidWithError }
    static func use826(_ receiver: ClosureEventMonitor) { _ = receiver.taskDidReceiveChallenge }
    static func use827(_ receiver: ClosureEventMonitor) { _ = receiver.taskDidSendBodyData }
    static func use828(_ receiver: ClosureEventMonitor) { _ = receiver.taskNeedNewBodyStream }
    static func use829(_ receiver: ClosureEventMonitor) { _ = receiver.taskWillPerformHTTPRedirection }
    static func use830(_ receiver: ClosureEventMonitor) { _ = receiver.taskDidFinishCollectingMetrics }
    static func use831(_ receiver: ClosureEventMonitor) { _ = receiver.taskDidComplete }
    static func use832(_ receiver: ClosureEventMonitor) { _ = receiver.taskIsWaitingForConnectivity }
    static func use833(_ receiver: ClosureEventMonitor) { _ = receiver.dataTaskDidReceiveResponse }
    static func use834(_ receiver: ClosureEventMonitor) { _ = receiver.dataTaskDidReceiveData }
    static func use835(_ receiver: ClosureEventMonitor) { _ = receiver.dataTaskWillCacheResponse }
    static func use836(_ receiver: ClosureEventMonitor) { _ = receiver.downloadTaskDidFinishDownloadingToURL }
    static func use837(_ receiver: ClosureEventMonitor) { _ = receiver.downloadTaskDidWriteData }
    static func use838(_ receiver: ClosureEventMonitor) { _ = receiver.downloadTaskDidResumeAtOffset }
    static func use839(_ receiver: ClosureEventMonitor) { _ = receiver.requestDidCreateInitialURLRequest }
    static func use840(_ receiver: ClosureEventMonitor) { _ = receiver.requestDidFailToCreateURLRequestWithError }
    static func use841(_ receiver: ClosureEventMonitor) { _ = receiver.requestDidAdaptInitialRequestToAdaptedRequest }
    static func use842(_ receiver: ClosureEventMonitor) { _ = receiver.requestDidFailToAdaptURLRequestWithError }
    static func use843(_ receiver: ClosureEventMonitor) { _ = receiver.requestDidCreateURLRequest }
    static func use844(_ receiver: ClosureEventMonitor) { _ = receiver.requestDidCreateTask }
    static func use845(_ receiver: ClosureEventMonitor) { _ = receiver.requestDidGatherMetrics }
    static func use846(_ receiver: ClosureEventMonitor) { _ = receiver.requestDidFailTaskEarlyWithError }
    static func use847(_ receiver: ClosureEventMonitor) { _ = receiver.requestDidCompleteTaskWithError }
    static func use848(_ receiver: ClosureEventMonitor) throws { _ = receiver.requestIsRetrying }
    static func use849(_ receiver: ClosureEventMonitor) { _ = receiver.requestDidFinish }
    static func use850(_ receiver: ClosureEventMonitor) { _ = receiver.requestDidResume }
    static func use851(_ receiver: ClosureEventMonitor) { _ = receiver.requestDidResumeTask }
    static func use852(_ receiver: ClosureEventMonitor) { _ = receiver.requestDidSuspend }
    static func use853(_ receiver: ClosureEventMonitor) { _ = receiver.requestDidSuspendTask }
    static func use854(_ receiver: ClosureEventMonitor) { _ = receiver.requestDidCancel }
    static func use855(_ receiver: ClosureEventMonitor) { _ = receiver.requestDidCancelTask }
    static func use856(_ receiver: ClosureEventMonitor) { _ = receiver.requestDidValidateRequestResponseDataWithResult }
    static func use857(_ receiver: ClosureEventMonitor) { _ = receiver.requestDidParseResponse }
    static func use858(_ receiver: ClosureEventMonitor) { _ = receiver.requestDidValidateRequestResponseWithResult }
    static func use859(_ receiver: ClosureEventMonitor) { _ = receiver.requestDidCreateUploadable }
    static func use860(_ receiver: ClosureEventMonitor) { _ = receiver.requestDidFailToCreateUploadableWithError }
    static func use861(_ receiver: ClosureEventMonitor) { _ = receiver.requestDidProvideInputStream }
    static func use862(_ receiver: ClosureEventMonitor) { _ = receiver.requestDidFinishDownloadingUsingTaskWithResult }
    static func use863(_ receiver: ClosureEventMonitor) { _ = receiver.requestDidCreateDestinationURL }
    static func use864(_ receiver: ClosureEventMonitor) { _ = receiver.requestDidValidateRequestResponseFileURLWithResult }
    static func use865(_ receiver: ClosureEventMonitor) { _ = receiver.requestDidParseDownloadResponse }
    static func use866(_ receiver: ClosureEventMonitor) { _ = receiver.queue }
    static func use867(_ a0: DispatchQueue) { _ = ClosureEventMonitor(queue: a0) }
    static func use868(_ receiver: ClosureEventMonitor, _ a0: URLSession, _ a1: (any Error)?) { receiver.urlSession(a0, didBecomeInvalidWithError: a1) }
    static func use869(_ receiver: ClosureEventMonitor, _ a0: URLSession, _ a1: URLSessionTask, _ a2: URLAuthenticationChallenge) { receiver.urlSession(a0, task: a1, didReceive: a2) }
    static func use870(_ receiver: ClosureEventMonitor, _ a0: URLSession, _ a1: URLSessionTask, _ a2: Int64, _ a3: Int64, _ a4: Int64) { receiver.urlSession(a0, task: a1, didSendBodyData: a2, totalBytesSent: a3, totalBytesExpectedToSend: a4) }
    static func use871(_ receiver: ClosureEventMonitor, _ a0: URLSession, _ a1: URLSessionTask) { receiver.urlSession(a0, taskNeedsNewBodyStream: a1) }
    static func use872(_ receiver: ClosureEventMonitor, _ a0: URLSession, _ a1: URLSessionTask, _ a2: HTTPURLResponse, _ a3: URLRequest) { receiver.urlSession(a0, task: a1, willPerformHTTPRedirection: a2, newRequest: a3) }
    static func use873(_ receiver: ClosureEventMonitor, _ a0: URLSession, _ a1: URLSessionTask, _ a2: URLSessionTaskMetrics) { receiver.urlSession(a0, task: a1, didFinishCollecting: a2) }
    static func use874(_ receiver: ClosureEventMonitor, _ a0: URLSession, _ a1: URLSessionTask, _ a2: (any Error)?) { receiver.urlSession(a0, task: a1, didCompleteWithError: a2) }
    static func use875(_ receiver: ClosureEventMonitor, _ a0: URLSession, _ a1: URLSessionTask) { receiver.urlSession(a0, taskIsWaitingForConnectivity: a1) }
    static func use876(_ receiver: ClosureEventMonitor, _ a0: URLSession, _ a1: URLSessionDataTask, _ a2: URLResponse) { receiver.urlSession(a0, dataTask: a1, didReceive: a2) }
    static func use877(_ receiver: ClosureEventMonitor, _ a0: URLSession, _ a1: URLSessionDataTask, _ a2: Data) { receiver.urlSession(a0, dataTask: a1, didReceive: a2) }
    static func use878(_ receiver: ClosureEventMonitor, _ a0: URLSession, _ a1: URLSessionDataTask, _ a2: CachedURLResponse) { receiver.urlSession(a0, dataTask: a1, willCacheResponse: a2) }
    static func use879(_ receiver: ClosureEventMonitor, _ a0: URLSession, _ a1: URLSessionDownloadTask, _ a2: Int64, _ a3: Int64) { receiver.urlSession(a0, downloadTask: a1, didResumeAtOffset: a2, expectedTotalBytes: a3) }
    static func use880(_ receiver: ClosureEventMonitor, _ a0: URLSession, _ a1: URLSessionDownloadTask, _ a2: Int64, _ a3: Int64, _ a4: Int64) { receiver.urlSession(a0, downloadTask: a1, didWriteData: a2, totalBytesWritten: a3, totalBytesExpectedToWrite: a4) }
    static func use881(_ receiver: ClosureEventMonitor, _ a0: URLSession, _ a1: URLSessionDownloadTask, _ a2: URL) { receiver.urlSession(a0, downloadTask: a1, didFinishDownloadingTo: a2) }
    static func use882(_ receiver: ClosureEventMonitor, _ a0: Request, _ a1: URLRequest) { receiver.request(a0, didCreateInitialURLRequest: a1) }
    static func use883(_ receiver: ClosureEventMonitor, _ a0: Request, _ a1: AFError) { receiver.request(a0, didFailToCreateURLRequestWithError: a1) }
    static func use884(_ receiver: ClosureEventMonitor, _ a0: Request, _ a1: URLRequest, _ a2: URLRequest) { receiver.request(a0, didAdaptInitialRequest: a1, to: a2) }
    static func use885(_ receiver: ClosureEventMonitor, _ a0: Request, _ a1: URLRequest, _ a2: AFError) { receiver.request(a0, didFailToAdaptURLRequest: a1, withError: a2) }
    static func use886(_ receiver: ClosureEventMonitor, _ a0: Request, _ a1: URLRequest) { receiver.request(a0, didCreateURLRequest: a1) }
    static func use887(_ receiver: ClosureEventMonitor, _ a0: Request, _ a1: URLSessionTask) { receiver.request(a0, didCreateTask: a1) }
    static func use888(_ receiver: ClosureEventMonitor, _ a0: Request, _ a1: URLSessionTaskMetrics) { receiver.request(a0, didGatherMetrics: a1) }
    static func use889(_ receiver: ClosureEventMonitor, _ a0: Request, _ a1: URLSessionTask, _ a2: AFError) { receiver.request(a0, didFailTask: a1, earlyWithError: a2) }
    static func use890(_ receiver: ClosureEventMonitor, _ a0: Request, _ a1: URLSessionTask, _ a2: AFError?) { receiver.request(a0, didCompleteTask: a1, with: a2) }
    static func use891(_ receiver: ClosureEventMonitor, _ a0: Request) throws { receiver.requestIsRetrying(a0) }
    static func use892(_ receiver: ClosureEventMonitor, _ a0: Request) { receiver.requestDidFinish(a0) }
    static func use893(_ receiver: ClosureEventMonitor, _ a0: Request) { receiver.requestDidResume(a0) }
    static func use894(_ receiver: ClosureEventMonitor, _ a0: Request, _ a1: URLSessionTask) { receiver.request(a0, didResumeTask: a1) }
    static func use895(_ receiver: ClosureEventMonitor, _ a0: Request) { receiver.requestDidSuspend(a0) }
    static func use896(_ receiver: ClosureEventMonitor, _ a0: Request, _ a1: URLSessionTask) { receiver.request(a0, didSuspendTask: a1) }
    static func use897(_ receiver: ClosureEventMonitor, _ a0: Request) { receiver.requestDidCancel(a0) }
    static func use898(_ receiver: ClosureEventMonitor, _ a0: Request, _ a1: URLSessionTask) { receiver.request(a0, didCancelTask: a1) }
    static func use899(_ receiver: ClosureEventMonitor, _ a0: DataRequest, _ a1: URLRequest?, _ a2: HTTPURLResponse, _ a3: Data?, _ a4: Request.ValidationResult) { receiver.request(a0, didValidateRequest: a1, response: a2, data: a3, withResult: a4) }
    static func use900(_ receiver: ClosureEventMonitor, _ a0: DataRequest, _ a1: DataResponse<Data?, AFError>) { receiver.request(a0, didParseResponse: a1) }
    static func use901(_ receiver: ClosureEventMonitor, _ a0: DataStreamRequest, _ a1: URLRequest?, _ a2: HTTPURLResponse, _ a3: Request.ValidationResult) { receiver.request(a0, didValidateRequest: a1, response: a2, withResult: a3) }
    static func use902(_ receiver: ClosureEventMonitor, _ a0: UploadRequest, _ a1: UploadRequest.Uploadable) { receiver.request(a0, didCreateUploadable: a1) }
    static func use903(_ receiver: ClosureEventMonitor, _ a0: UploadRequest, _ a1: AFError) { receiver.request(a0, didFailToCreateUploadableWithError: a1) }
    static func use904(_ receiver: ClosureEventMonitor, _ a0: UploadRequest, _ a1: InputStream) { receiver.request(a0, didProvideInputStream: a1) }
    static func use905(_ receiver: ClosureEventMonitor, _ a0: DownloadRequest, _ a1: URLSessionTask, _ a2: Result<URL, AFError>) { receiver.request(a0, didFinishDownloadingUsing: a1, with: a2) }
    static func use906(_ receiver: ClosureEventMonitor, _ a0: DownloadRequest, _ a1: URL) { receiver.request(a0, didCreateDestinationURL: a1) }
    static func use907(_ receiver: ClosureEventMonitor, _ a0: DownloadRequest, _ a1: URLRequest?, _ a2: HTTPURLResponse, _ a3: URL?, _ a4: Request.ValidationResult) { receiver.request(a0, didValidateRequest: a1, response: a2, fileURL: a3, withResult: a4) }
    static func use908(_ receiver: ClosureEventMonitor, _ a0: DownloadRequest, _ a1: DownloadResponse<URL?, AFError>) { receiver.request(a0, didParseResponse: a1) }
}
