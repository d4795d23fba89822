internal import Dispatch
internal import Foundation

/// Forwards the events of tasks to a subclass of ``SessionDelegate``, synchronously.
final class DelegateMonitor: EventMonitor {
    private let delegate: SessionDelegate

    /// Returns `nil` for a delegate that overrides nothing, so that it costs no request anything.
    init?(_ delegate: SessionDelegate) {
        guard type(of: delegate) != SessionDelegate.self else { return nil }
        self.delegate = delegate
    }

    var monitoredEvents: MonitoredEvents { [.tasks, .bodies, .ends] }
    var isCalledSynchronously: Bool { true }

    func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
        delegate.urlSession(session, didBecomeInvalidWithError: error)
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge
    ) {
        delegate.urlSession(session, task: task, didReceive: challenge) { disposition, _ in
            if disposition == .cancelAuthenticationChallenge { task.cancel() }
        }
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didSendBodyData bytesSent: Int64,
        totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        delegate.urlSession(
            session,
            task: task,
            didSendBodyData: bytesSent,
            totalBytesSent: totalBytesSent,
            totalBytesExpectedToSend: totalBytesExpectedToSend
        )
    }

    func urlSession(_ session: URLSession, taskNeedsNewBodyStream task: URLSessionTask) {
        delegate.urlSession(session, task: task, needNewBodyStream: { _ in })
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didFinishCollecting metrics: URLSessionTaskMetrics
    ) {
        delegate.urlSession(session, task: task, didFinishCollecting: metrics)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        delegate.urlSession(session, task: task, didCompleteWithError: error)
    }

    func urlSession(_ session: URLSession, taskIsWaitingForConnectivity task: URLSessionTask) {
        delegate.urlSession(session, taskIsWaitingForConnectivity: task)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse) {
        delegate.urlSession(session, dataTask: dataTask, didReceive: response) { disposition in
            if disposition == .cancel { dataTask.cancel() }
        }
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        delegate.urlSession(session, dataTask: dataTask, didReceive: data)
    }

    func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didResumeAtOffset fileOffset: Int64,
        expectedTotalBytes: Int64
    ) {
        delegate.urlSession(
            session,
            downloadTask: downloadTask,
            didResumeAtOffset: fileOffset,
            expectedTotalBytes: expectedTotalBytes
        )
    }

    func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64,
        totalBytesExpectedToWrite: Int64
    ) {
        delegate.urlSession(
            session,
            downloadTask: downloadTask,
            didWriteData: bytesWritten,
            totalBytesWritten: totalBytesWritten,
            totalBytesExpectedToWrite: totalBytesExpectedToWrite
        )
    }

    func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didFinishDownloadingTo location: URL
    ) {
        delegate.urlSession(session, downloadTask: downloadTask, didFinishDownloadingTo: location)
    }

    func urlSession(
        _ session: URLSession,
        webSocketTask: URLSessionWebSocketTask,
        didOpenWithProtocol protocol: String?
    ) {
        delegate.urlSession(session, webSocketTask: webSocketTask, didOpenWithProtocol: `protocol`)
    }

    func urlSession(
        _ session: URLSession,
        webSocketTask: URLSessionWebSocketTask,
        didCloseWith closeCode: URLSessionWebSocketTask.CloseCode,
        reason: Data?
    ) {
        delegate.urlSession(session, webSocketTask: webSocketTask, didCloseWith: closeCode, reason: reason)
    }
}

/// Asks a subclass of ``SessionDelegate`` about redirects and about responses to cache.
struct DelegateDecisions: RedirectHandler, CachedResponseHandler {
    let delegate: SessionDelegate
    let session: URLSession

    /// Returns `nil` for a delegate that overrides nothing.
    init?(_ delegate: SessionDelegate, _ session: URLSession) {
        guard type(of: delegate) != SessionDelegate.self else { return nil }
        self.delegate = delegate
        self.session = session
    }

    func task(
        _ task: URLSessionTask,
        willBeRedirectedTo request: URLRequest,
        for response: HTTPURLResponse,
        completion: @escaping (URLRequest?) -> Void
    ) {
        delegate.urlSession(
            session,
            task: task,
            willPerformHTTPRedirection: response,
            newRequest: request,
            completionHandler: completion
        )
    }

    func dataTask(
        _ task: URLSessionDataTask,
        willCacheResponse response: CachedURLResponse,
        completion: @escaping (CachedURLResponse?) -> Void
    ) {
        delegate.urlSession(
            session,
            dataTask: task,
            willCacheResponse: response,
            completionHandler: completion
        )
    }
}
