// swift-format-ignore-file
// Made by Tools/compatibility/generate.py from Features/EventMonitor.swift; do not edit.

import Airframe
import AirframeCore
import AirframeEncoding
import AirframeReachability
import AirframeSecurity
import AirframeSerialization
import AirframeTransport
import Dispatch
import Foundation

/// The symbols of Features/EventMonitor.swift, each used as it is declared. Nothing calls this: that it compiles is the test.
enum UsesEventMonitor {
    static func use600(_: (any EventMonitor).Type) {}
    static func use601<Owner_: EventMonitor>(_ receiver: Owner_) { _ = receiver.queue }
    static func use602<Owner_: EventMonitor>(_ receiver: Owner_, _ a0: (any Error)?) { receiver.urlSession(didBecomeInvalidWithError: a0) }
    static func use603<Owner_: EventMonitor>(_ receiver: Owner_, _ a0: URLSessionTask, _ a1: URLAuthenticationChallenge) { receiver.urlSession(task: a0, didReceive: a1) }
    static func use604<Owner_: EventMonitor>(_ receiver: Owner_, _ a0: URLSessionTask, _ a1: Int64, _ a2: Int64, _ a3: Int64) { receiver.urlSession(task: a0, didSendBodyData: a1, totalBytesSent: a2, totalBytesExpectedToSend: a3) }
    static func use605<Owner_: EventMonitor>(_ receiver: Owner_, _ a0: URLSessionTask) { receiver.urlSession(taskNeedsNewBodyStream: a0) }
    static func use606<Owner_: EventMonitor>(_ receiver: Owner_, _ a0: URLSessionTask, _ a1: HTTPURLResponse, _ a2: URLRequest) { receiver.urlSession(task: a0, willPerformHTTPRedirection: a1, newRequest: a2) }
    static func use607<Owner_: EventMonitor>(_ receiver: Owner_, _ a0: URLSessionTask, _ a1: URLSessionTaskMetrics) { receiver.urlSession(task: a0, didFinishCollecting: a1) }
    static func use608<Owner_: EventMonitor>(_ receiver: Owner_, _ a0: URLSessionTask, _ a1: (any Error)?) { receiver.urlSession(task: a0, didCompleteWithError: a1) }
    static func use609<Owner_: EventMonitor>(_ receiver: Owner_, _ a0: URLSessionTask) { receiver.urlSession(taskIsWaitingForConnectivity: a0) }
    static func use610<Owner_: EventMonitor>(_ receiver: Owner_, _ a0: URLSessionDataTask, _ a1: URLResponse) { receiver.urlSession(dataTask: a0, didReceive: a1) }
    static func use612<Owner_: EventMonitor>(_ receiver: Owner_, _ a0: URLSessionDataTask, _ a1: CachedURLResponse) { receiver.urlSession(dataTask: a0, willCacheResponse: a1) }
    static func use613<Owner_: EventMonitor>(_ receiver: Owner_, _ a0: URLSessionDownloadTask, _ a1: Int64, _ a2: Int64) { receiver.urlSession(downloadTask: a0, didResumeAtOffset: a1, expectedTotalBytes: a2) }
    static func use614<Owner_: EventMonitor>(_ receiver: Owner_, _ a0: URLSessionDownloadTask, _ a1: Int64, _ a2: Int64, _ a3: Int64) { receiver.urlSession(downloadTask: a0, didWriteData: a1, totalBytesWritten: a2, totalBytesExpectedToWrite: a3) }
    static func use615<Owner_: EventMonitor>(_ receiver: Owner_, _ a0: URLSessionDownloadTask, _ a1: URL) { receiver.urlSession(downloadTask: a0, didFinishDownloadingTo: a1) }
    static func use616<Owner_: EventMonitor>(_ receiver: Owner_, _ a0: Request, _ a1: URLRequest) { receiver.request(a0, didCreateInitialURLRequest: a1) }
    static func use617<Owner_: EventMonitor>(_ receiver: Owner_, _ a0: Request, _ a1: AFError) { receiver.request(a0, didFailToCreateURLRequestWithError: a1) }
    static func use618<Owner_: EventMonitor>(_ receiver: Owner_, _ a0: Request, _ a1: URLRequest, _ a2: URLRequest) { receiver.request(a0, didAdaptInitialRequest: a1, to: a2) }
    static func use619<Owner_: EventMonitor>(_ receiver: Owner_, _ a0: Request, _ a1: URLRequest, _ a2: AFError) { receiver.request(a0, didFailToAdaptURLRequest: a1, withError: a2) }
    static func use620<Owner_: EventMonitor>(_ receiver: Owner_, _ a0: Request, _ a1: URLRequest) { receiver.request(a0, didCreateURLRequest: a1) }
    static func use621<Owner_: EventMonitor>(_ receiver: Owner_, _ a0: Request, _ a1: URLSessionTask) { receiver.request(a0, didCreateTask: a1) }
    static func use622<Owner_: EventMonitor>(_ receiver: Owner_, _ a0: Request, _ a1: URLSessionTaskMetrics) { receiver.request(a0, didGatherMetrics: a1) }
    static func use623<Owner_: EventMonitor>(_ receiver: Owner_, _ a0: Request, _ a1: URLSessionTask, _ a2: AFError) { receiver.request(a0, didFailTask: a1, earlyWithError: a2) }
    static func use624<Owner_: EventMonitor>(_ receiver: Owner_, _ a0: Request, _ a1: URLSessionTask, _ a2: AFError?) { receiver.request(a0, didCompleteTask: a1, with: a2) }
    static func use625<Owner_: EventMonitor>(_ receiver: Owner_, _ a0: Request) throws { receiver.requestIsRetrying(a0) }
    static func use626<Owner_: EventMonitor>(_ receiver: Owner_, _ a0: Request) { receiver.requestDidFinish(a0) }
    static func use627<Owner_: EventMonitor>(_ receiver: Owner_, _ a0: Request) { receiver.requestDidResume(a0) }
    static func use628<Owner_: EventMonitor>(_ receiver: Owner_, _ a0: Request, _ a1: URLSessionTask) { receiver.request(a0, didResumeTask: a1) }
    static func use629<Owner_: EventMonitor>(_ receiver: Owner_, _ a0: Request) { receiver.requestDidSuspend(a0) }
    static func use630<Owner_: EventMonitor>(_ receiver: Owner_, _ a0: Request, _ a1: URLSessionTask) { receiver.request(a0, didSuspendTask: a1) }
    static func use631<Owner_: EventMonitor>(_ receiver: Owner_, _ a0: Request) { receiver.requestDidCancel(a0) }
    static func use632<Owner_: EventMonitor>(_ receiver: Owner_, _ a0: Request, _ a1: URLSessionTask) { receiver.request(a0, didCancelTask: a1) }
    static func use633<Owner_: EventMonitor>(_ receiver: Owner_, _ a0: DataRequest, _ a1: URLRequest?, _ a2: HTTPURLResponse, _ a3: Data?, _ a4: Request.ValidationResult) { receiver.request(a0, didValidateRequest: a1, response: a2, data: a3, withResult: a4) }
    static func use634<Owner_: EventMonitor>(_ receiver: Owner_, _ a0: DataRequest, _ a1: DataResponse<Data?, AFError>) { receiver.request(a0, didParseResponse: a1) }
    static func use635<Owner_: EventMonitor, Value>(_ receiver: Owner_, _ a0: DataRequest, _ a1: DataResponse<Value, AFError>) where Value : Sendable { receiver.request(a0, didParseResponse: a1) }
    static func use636<Owner_: EventMonitor>(_ receiver: Owner_, _ a0: DataStreamRequest, _ a1: URLRequest?, _ a2: HTTPURLResponse, _ a3: Request.ValidationResult) { receiver.request(a0, didValidateRequest: a1, response: a2, withResult: a3) }
    static func use637<Owner_: EventMonitor, Value>(_ receiver: Owner_, _ a0: DataStreamRequest, _ a1: Result<Value, AFError>) where Value : Sendable { receiver.request(a0, didParseStream: a1) }
    static func use638<Owner_: EventMonitor>(_ receiver: Owner_, _ a0: UploadRequest, _ a1: UploadRequest.Uploadable) { receiver.request(a0, didCreateUploadable: a1) }
    static func use639<Owner_: EventMonitor>(_ receiver: Owner_, _ a0: UploadRequest, _ a1: AFError) { receiver.request(a0, didFailToCreateUploadableWithError: a1) }
    static func use640<Owner_: EventMonitor>(_ receiver: Owner_, _ a0: UploadRequest, _ a1: InputStream) { receiver.request(a0, didProvideInputStream: a1) }
    static func use641<Owner_: EventMonitor>(_ receiver: Owner_, _ a0: DownloadRequest, _ a1: URLSessionTask, _ a2: Result<URL, AFError>) { receiver.request(a0, didFinishDownloadingUsing: a1, with: a2) }
    static func use642<Owner_: EventMonitor>(_ receiver: Owner_, _ a0: DownloadRequest, _ a1: URL) { receiver.request(a0, didCreateDestinationURL: a1) }
    static func use643<Owner_: EventMonitor>(_ receiver: Owner_, _ a0: DownloadRequest, _ a1: URLRequest?, _ a2: HTTPURLResponse, _ a3: URL?, _ a4: Request.ValidationResult) { receiver.request(a0, didValidateRequest: a1, response: a2, fileURL: a3, withResult: a4) }
    static func use644<Owner_: EventMonitor>(_ receiver: Owner_, _ a0: DownloadRequest, _ a1: DownloadResponse<URL?, AFError>) { receiver.request(a0, didParseResponse: a1) }
    static func use645<Owner_: EventMonitor, Value>(_ receiver: Owner_, _ a0: DownloadRequest, _ a1: DownloadResponse<Value, AFError>) where Value : Sendable { receiver.request(a0, didParseResponse: a1) }
    static func use691(_: CompositeEventMonitor.Type) {}
    static func use692(_ receiver: CompositeEventMonitor) { _ = receiver.queue }
    static func use693(_ receiver: CompositeEventMonitor) { _ = receiver.monitors }
    static func use694(_ receiver: CompositeEventMonitor, _ a0: (any Error)?) { receiver.urlSession(didBecomeInvalidWithError: a0) }
    static func use695(_ receiver: CompositeEventMonitor, _ a0: URLSessionTask, _ a1: URLAuthenticationChallenge) { receiver.urlSession(task: a0, didReceive: a1) }
    static func use696(_ receiver: CompositeEventMonitor, _ a0: URLSessionTask, _ a1: Int64, _ a2: Int64, _ a3: Int64) { receiver.urlSession(task: a0, didSendBodyData: a1, totalBytesSent: a2, totalBytesExpectedToSend: a3) }
    static func use697(_ receiver: CompositeEventMonitor, _ a0: URLSessionTask) { receiver.urlSession(taskNeedsNewBodyStream: a0) }
    static func use698(_ receiver: CompositeEventMonitor, _ a0: URLSessionTask, _ a1: HTTPURLResponse, _ a2: URLRequest) { receiver.urlSession(task: a0, willPerformHTTPRedirection: a1, newRequest: a2) }
    static func use699(_ receiver: CompositeEventMonitor, _ a0: URLSessionTask, _ a1: URLSessionTaskMetrics) { receiver.urlSession(task: a0, didFinishCollecting: a1) }
    static func use700(_ receiver: CompositeEventMonitor, _ a0: URLSessionTask, _ a1: (any Error)?) { receiver.urlSession(task: a0, didCompleteWithError: a1) }
    static func use701(_ receiver: CompositeEventMonitor, _ a0: URLSessionTask) { receiver.urlSession(taskIsWaitingForConnectivity: a0) }
    static func use702(_ receiver: CompositeEventMonitor, _ a0: URLSessionDataTask, _ a1: URLResponse) { receiver.urlSession(dataTask: a0, didReceive: a1) }
    static func use704(_ receiver: CompositeEventMonitor, _ a0: URLSessionDataTask, _ a1: CachedURLResponse) { receiver.urlSession(dataTask: a0, willCacheResponse: a1) }
    static func use705(_ receiver: CompositeEventMonitor, _ a0: URLSessionDownloadTask, _ a1: Int64, _ a2: Int64) { receiver.urlSession(downloadTask: a0, didResumeAtOffset: a1, expectedTotalBytes: a2) }
    static func use706(_ receiver: CompositeEventMonitor, _ a0: URLSessionDownloadTask, _ a1: Int64, _ a2: Int64, _ a3: Int64) { receiver.urlSession(downloadTask: a0, didWriteData: a1, totalBytesWritten: a2, totalBytesExpectedToWrite: a3) }
    static func use707(_ receiver: CompositeEventMonitor, _ a0: URLSessionDownloadTask, _ a1: URL) { receiver.urlSession(downloadTask: a0, didFinishDownloadingTo: a1) }
    static func use708(_ receiver: CompositeEventMonitor, _ a0: Request, _ a1: URLRequest) { receiver.request(a0, didCreateInitialURLRequest: a1) }
    static func use709(_ receiver: CompositeEventMonitor, _ a0: Request, _ a1: AFError) { receiver.request(a0, didFailToCreateURLRequestWithError: a1) }
    static func use710(_ receiver: CompositeEventMonitor, _ a0: Request, _ a1: URLRequest, _ a2: URLRequest) { receiver.request(a0, didAdaptInitialRequest: a1, to: a2) }
    static func use711(_ receiver: CompositeEventMonitor, _ a0: Request, _ a1: URLRequest, _ a2: AFError) { receiver.request(a0, didFailToAdaptURLRequest: a1, withError: a2) }
    static func use712(_ receiver: CompositeEventMonitor, _ a0: Request, _ a1: URLRequest) { receiver.request(a0, didCreateURLRequest: a1) }
    static func use713(_ receiver: CompositeEventMonitor, _ a0: Request, _ a1: URLSessionTask) { receiver.request(a0, didCreateTask: a1) }
    static func use714(_ receiver: CompositeEventMonitor, _ a0: Request, _ a1: URLSessionTaskMetrics) { receiver.request(a0, didGatherMetrics: a1) }
    static func use715(_ receiver: CompositeEventMonitor, _ a0: Request, _ a1: URLSessionTask, _ a2: AFError) { receiver.request(a0, didFailTask: a1, earlyWithError: a2) }
    static func use716(_ receiver: CompositeEventMonitor, _ a0: Request, _ a1: URLSessionTask, _ a2: AFError?) { receiver.request(a0, didCompleteTask: a1, with: a2) }
    static func use717(_ receiver: CompositeEventMonitor, _ a0: Request) throws { receiver.requestIsRetrying(a0) }
    static func use718(_ receiver: CompositeEventMonitor, _ a0: Request) { receiver.requestDidFinish(a0) }
    static func use719(_ receiver: CompositeEventMonitor, _ a0: Request) { receiver.requestDidResume(a0) }
    static func use720(_ receiver: CompositeEventMonitor, _ a0: Request, _ a1: URLSessionTask) { receiver.request(a0, didResumeTask: a1) }
    static func use721(_ receiver: CompositeEventMonitor, _ a0: Request) { receiver.requestDidSuspend(a0) }
    static func use722(_ receiver: CompositeEventMonitor, _ a0: Request, _ a1: URLSessionTask) { receiver.request(a0, didSuspendTask: a1) }
    static func use723(_ receiver: CompositeEventMonitor, _ a0: Request) { receiver.requestDidCancel(a0) }
    static func use724(_ receiver: CompositeEventMonitor, _ a0: Request, _ a1: URLSessionTask) { receiver.request(a0, didCancelTask: a1) }
    static func use725(_ receiver: CompositeEventMonitor, _ a0: DataRequest, _ a1: URLRequest?, _ a2: HTTPURLResponse, _ a3: Data?, _ a4: Request.ValidationResult) { receiver.request(a0, didValidateRequest: a1, response: a2, data: a3, withResult: a4) }
    static func use726(_ receiver: CompositeEventMonitor, _ a0: DataRequest, _ a1: DataResponse<Data?, AFError>) { receiver.request(a0, didParseResponse: a1) }
    static func use727<Value>(_ receiver: CompositeEventMonitor, _ a0: DataRequest, _ a1: DataResponse<Value, AFError>) where Value : Sendable { receiver.request(a0, didParseResponse: a1) }
    static func use728(_ receiver: CompositeEventMonitor, _ a0: DataStreamRequest, _ a1: URLRequest?, _ a2: HTTPURLResponse, _ a3: Request.ValidationResult) { receiver.request(a0, didValidateRequest: a1, response: a2, withResult: a3) }
    static func use729<Value>(_ receiver: CompositeEventMonitor, _ a0: DataStreamRequest, _ a1: Result<Value, AFError>) where Value : Sendable { receiver.request(a0, didParseStream: a1) }
    static func use730(_ receiver: CompositeEventMonitor, _ a0: UploadRequest, _ a1: UploadRequest.Uploadable) { receiver.request(a0, didCreateUploadable: a1) }
    static func use731(_ receiver: CompositeEventMonitor, _ a0: UploadRequest, _ a1: AFError) { receiver.request(a0, didFailToCreateUploadableWithError: a1) }
    static func use732(_ receiver: CompositeEventMonitor, _ a0: UploadRequest, _ a1: InputStream) { receiver.request(a0, didProvideInputStream: a1) }
    static func use733(_ receiver: CompositeEventMonitor, _ a0: DownloadRequest, _ a1: URLSessionTask, _ a2: Result<URL, AFError>) { receiver.request(a0, didFinishDownloadingUsing: a1, with: a2) }
    static func use734(_ receiver: CompositeEventMonitor, _ a0: DownloadRequest, _ a1: URL) { receiver.request(a0, didCreateDestinationURL: a1) }
    static func use735(_ receiver: CompositeEventMonitor, _ a0: DownloadRequest, _ a1: URLRequest?, _ a2: HTTPURLResponse, _ a3: URL?, _ a4: Request.ValidationResult) { receiver.request(a0, didValidateRequest: a1, response: a2, fileURL: a3, withResult: a4) }
    static func use736(_ receiver: CompositeEventMonitor, _ a0: DownloadRequest, _ a1: DownloadResponse<URL?, AFError>) { receiver.request(a0, didParseResponse: a1) }
    static func use737<Value>(_ receiver: CompositeEventMonitor, _ a0: DownloadRequest, _ a1: DownloadResponse<Value, AFError>) where Value : Sendable { receiver.request(a0, didParseResponse: a1) }
    static func use738(_: ClosureEventMonitor.Type) {}
    static func use739(_ receiver: ClosureEventMonitor) { _ = receiver.sessionDidBecomeInvalidWithError }
    static func use740(_ receiver: ClosureEventMonitor) { _ = receiver.taskDidReceiveChallenge }
    static func use741(_ receiver: ClosureEventMonitor) { _ = receiver.taskDidSendBodyData }
    static func use742(_ receiver: ClosureEventMonitor) { _ = receiver.taskNeedNewBodyStream }
    static func use743(_ receiver: ClosureEventMonitor) { _ = receiver.taskWillPerformHTTPRedirection }
    static func use744(_ receiver: ClosureEventMonitor) { _ = receiver.taskDidFinishCollectingMetrics }
    static func use745(_ receiver: ClosureEventMonitor) { _ = receiver.taskDidComplete }
    static func use746(_ receiver: ClosureEventMonitor) { _ = receiver.taskIsWaitingForConnectivity }
    static func use747(_ receiver: ClosureEventMonitor) { _ = receiver.dataTaskDidReceiveResponse }
    static func use748(_ receiver: ClosureEventMonitor) { _ = receiver.dataTaskDidReceiveData }
    static func use749(_ receiver: ClosureEventMonitor) { _ = receiver.dataTaskWillCacheResponse }
    static func use750(_ receiver: ClosureEventMonitor) { _ = receiver.downloadTaskDidFinishDownloadingToURL }
    static func use751(_ receiver: ClosureEventMonitor) { _ = receiver.downloadTaskDidWriteData }
    static func use752(_ receiver: ClosureEventMonitor) { _ = receiver.downloadTaskDidResumeAtOffset }
    static func use753(_ receiver: ClosureEventMonitor) { _ = receiver.requestDidCreateInitialURLRequest }
    static func use754(_ receiver: ClosureEventMonitor) { _ = receiver.requestDidFailToCreateURLRequestWithError }
    static func use755(_ receiver: ClosureEventMonitor) { _ = receiver.requestDidAdaptInitialRequestToAdaptedRequest }
    static func use756(_ receiver: ClosureEventMonitor) { _ = receiver.requestDidFailToAdaptURLRequestWithError }
    static func use757(_ receiver: ClosureEventMonitor) { _ = receiver.requestDidCreateURLRequest }
    static func use758(_ receiver: ClosureEventMonitor) { _ = receiver.requestDidCreateTask }
    static func use759(_ receiver: ClosureEventMonitor) { _ = receiver.requestDidGatherMetrics }
    static func use760(_ receiver: ClosureEventMonitor) { _ = receiver.requestDidFailTaskEarlyWithError }
    static func use761(_ receiver: ClosureEventMonitor) { _ = receiver.requestDidCompleteTaskWithError }
    static func use762(_ receiver: ClosureEventMonitor) throws { _ = receiver.requestIsRetrying }
    static func use763(_ receiver: ClosureEventMonitor) { _ = receiver.requestDidFinish }
    static func use764(_ receiver: ClosureEventMonitor) { _ = receiver.requestDidResume }
    static func use765(_ receiver: ClosureEventMonitor) { _ = receiver.requestDidResumeTask }
    static func use766(_ receiver: ClosureEventMonitor) { _ = receiver.requestDidSuspend }
    static func use767(_ receiver: ClosureEventMonitor) { _ = receiver.requestDidSuspendTask }
    static func use768(_ receiver: ClosureEventMonitor) { _ = receiver.requestDidCancel }
    static func use769(_ receiver: ClosureEventMonitor) { _ = receiver.requestDidCancelTask }
    static func use770(_ receiver: ClosureEventMonitor) { _ = receiver.requestDidValidateRequestResponseDataWithResult }
    static func use771(_ receiver: ClosureEventMonitor) { _ = receiver.requestDidParseResponse }
    static func use772(_ receiver: ClosureEventMonitor) { _ = receiver.requestDidValidateRequestResponseWithResult }
    static func use773(_ receiver: ClosureEventMonitor) { _ = receiver.requestDidCreateUploadable }
    static func use774(_ receiver: ClosureEventMonitor) { _ = receiver.requestDidFailToCreateUploadableWithError }
    static func use775(_ receiver: ClosureEventMonitor) { _ = receiver.requestDidProvideInputStream }
    static func use776(_ receiver: ClosureEventMonitor) { _ = receiver.requestDidFinishDownloadingUsingTaskWithResult }
    static func use777(_ receiver: ClosureEventMonitor) { _ = receiver.requestDidCreateDestinationURL }
    static func use778(_ receiver: ClosureEventMonitor) { _ = receiver.requestDidValidateRequestResponseFileURLWithResult }
    static func use779(_ receiver: ClosureEventMonitor) { _ = receiver.requestDidParseDownloadResponse }
    static func use780(_ receiver: ClosureEventMonitor) { _ = receiver.queue }
    static func use781(_ a0: DispatchQueue) { _ = ClosureEventMonitor(queue: a0) }
    static func use782(_ receiver: ClosureEventMonitor, _ a0: (any Error)?) { receiver.urlSession(didBecomeInvalidWithError: a0) }
    static func use783(_ receiver: ClosureEventMonitor, _ a0: URLSessionTask, _ a1: URLAuthenticationChallenge) { receiver.urlSession(task: a0, didReceive: a1) }
    static func use784(_ receiver: ClosureEventMonitor, _ a0: URLSessionTask, _ a1: Int64, _ a2: Int64, _ a3: Int64) { receiver.urlSession(task: a0, didSendBodyData: a1, totalBytesSent: a2, totalBytesExpectedToSend: a3) }
    static func use785(_ receiver: ClosureEventMonitor, _ a0: URLSessionTask) { receiver.urlSession(taskNeedsNewBodyStream: a0) }
    static func use786(_ receiver: ClosureEventMonitor, _ a0: URLSessionTask, _ a1: HTTPURLResponse, _ a2: URLRequest) { receiver.urlSession(task: a0, willPerformHTTPRedirection: a1, newRequest: a2) }
    static func use787(_ receiver: ClosureEventMonitor, _ a0: URLSessionTask, _ a1: URLSessionTaskMetrics) { receiver.urlSession(task: a0, didFinishCollecting: a1) }
    static func use788(_ receiver: ClosureEventMonitor, _ a0: URLSessionTask, _ a1: (any Error)?) { receiver.urlSession(task: a0, didCompleteWithError: a1) }
    static func use789(_ receiver: ClosureEventMonitor, _ a0: URLSessionTask) { receiver.urlSession(taskIsWaitingForConnectivity: a0) }
    static func use790(_ receiver: ClosureEventMonitor, _ a0: URLSessionDataTask, _ a1: URLResponse) { receiver.urlSession(dataTask: a0, didReceive: a1) }
    static func use792(_ receiver: ClosureEventMonitor, _ a0: URLSessionDataTask, _ a1: CachedURLResponse) { receiver.urlSession(dataTask: a0, willCacheResponse: a1) }
    static func use793(_ receiver: ClosureEventMonitor, _ a0: URLSessionDownloadTask, _ a1: Int64, _ a2: Int64) { receiver.urlSession(downloadTask: a0, didResumeAtOffset: a1, expectedTotalBytes: a2) }
    static func use794(_ receiver: ClosureEventMonitor, _ a0: URLSessionDownloadTask, _ a1: Int64, _ a2: Int64, _ a3: Int64) { receiver.urlSession(downloadTask: a0, didWriteData: a1, totalBytesWritten: a2, totalBytesExpectedToWrite: a3) }
    static func use795(_ receiver: ClosureEventMonitor, _ a0: URLSessionDownloadTask, _ a1: URL) { receiver.urlSession(downloadTask: a0, didFinishDownloadingTo: a1) }
    static func use796(_ receiver: ClosureEventMonitor, _ a0: Request, _ a1: URLRequest) { receiver.request(a0, didCreateInitialURLRequest: a1) }
    static func use797(_ receiver: ClosureEventMonitor, _ a0: Request, _ a1: AFError) { receiver.request(a0, didFailToCreateURLRequestWithError: a1) }
    static func use798(_ receiver: ClosureEventMonitor, _ a0: Request, _ a1: URLRequest, _ a2: URLRequest) { receiver.request(a0, didAdaptInitialRequest: a1, to: a2) }
    static func use799(_ receiver: ClosureEventMonitor, _ a0: Request, _ a1: URLRequest, _ a2: AFError) { receiver.request(a0, didFailToAdaptURLRequest: a1, withError: a2) }
    static func use800(_ receiver: ClosureEventMonitor, _ a0: Request, _ a1: URLRequest) { receiver.request(a0, didCreateURLRequest: a1) }
    static func use801(_ receiver: ClosureEventMonitor, _ a0: Request, _ a1: URLSessionTask) { receiver.request(a0, didCreateTask: a1) }
    static func use802(_ receiver: ClosureEventMonitor, _ a0: Request, _ a1: URLSessionTaskMetrics) { receiver.request(a0, didGatherMetrics: a1) }
    static func use803(_ receiver: ClosureEventMonitor, _ a0: Request, _ a1: URLSessionTask, _ a2: AFError) { receiver.request(a0, didFailTask: a1, earlyWithError: a2) }
    static func use804(_ receiver: ClosureEventMonitor, _ a0: Request, _ a1: URLSessionTask, _ a2: AFError?) { receiver.request(a0, didCompleteTask: a1, with: a2) }
    static func use805(_ receiver: ClosureEventMonitor, _ a0: Request) throws { receiver.requestIsRetrying(a0) }
    static func use806(_ receiver: ClosureEventMonitor, _ a0: Request) { receiver.requestDidFinish(a0) }
    static func use807(_ receiver: ClosureEventMonitor, _ a0: Request) { receiver.requestDidResume(a0) }
    static func use808(_ receiver: ClosureEventMonitor, _ a0: Request, _ a1: URLSessionTask) { receiver.request(a0, didResumeTask: a1) }
    static func use809(_ receiver: ClosureEventMonitor, _ a0: Request) { receiver.requestDidSuspend(a0) }
    static func use810(_ receiver: ClosureEventMonitor, _ a0: Request, _ a1: URLSessionTask) { receiver.request(a0, didSuspendTask: a1) }
    static func use811(_ receiver: ClosureEventMonitor, _ a0: Request) { receiver.requestDidCancel(a0) }
    static func use812(_ receiver: ClosureEventMonitor, _ a0: Request, _ a1: URLSessionTask) { receiver.request(a0, didCancelTask: a1) }
    static func use813(_ receiver: ClosureEventMonitor, _ a0: DataRequest, _ a1: URLRequest?, _ a2: HTTPURLResponse, _ a3: Data?, _ a4: Request.ValidationResult) { receiver.request(a0, didValidateRequest: a1, response: a2, data: a3, withResult: a4) }
    static func use814(_ receiver: ClosureEventMonitor, _ a0: DataRequest, _ a1: DataResponse<Data?, AFError>) { receiver.request(a0, didParseResponse: a1) }
    static func use815(_ receiver: ClosureEventMonitor, _ a0: DataStreamRequest, _ a1: URLRequest?, _ a2: HTTPURLResponse, _ a3: Request.ValidationResult) { receiver.request(a0, didValidateRequest: a1, response: a2, withResult: a3) }
    static func use816(_ receiver: ClosureEventMonitor, _ a0: UploadRequest, _ a1: UploadRequest.Uploadable) { receiver.request(a0, didCreateUploadable: a1) }
    static func use817(_ receiver: ClosureEventMonitor, _ a0: UploadRequest, _ a1: AFError) { receiver.request(a0, didFailToCreateUploadableWithError: a1) }
    static func use818(_ receiver: ClosureEventMonitor, _ a0: UploadRequest, _ a1: InputStream) { receiver.request(a0, didProvideInputStream: a1) }
    static func use819(_ receiver: ClosureEventMonitor, _ a0: DownloadRequest, _ a1: URLSessionTask, _ a2: Result<URL, AFError>) { receiver.request(a0, didFinishDownloadingUsing: a1, with: a2) }
    static func use820(_ receiver: ClosureEventMonitor, _ a0: DownloadRequest, _ a1: URL) { receiver.request(a0, didCreateDestinationURL: a1) }
    static func use821(_ receiver: ClosureEventMonitor, _ a0: DownloadRequest, _ a1: URLRequest?, _ a2: HTTPURLResponse, _ a3: URL?, _ a4: Request.ValidationResult) { receiver.request(a0, didValidateRequest: a1, response: a2, fileURL: a3, withResult: a4) }
    static func use822(_ receiver: ClosureEventMonitor, _ a0: DownloadRequest, _ a1: DownloadResponse<URL?, AFError>) { receiver.request(a0, didParseResponse: a1) }
}
