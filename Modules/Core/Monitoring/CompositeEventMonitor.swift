public import Dispatch
public import Foundation

/// Tells several monitors of each event, each on its own queue.
///
/// Without monitors an event costs the look at an empty array.
public final class CompositeEventMonitor: EventMonitor {
    private static let queue = DispatchQueue(label: "airframe.compositeEventMonitor")

    /// A queue that nothing is called on: monitors are told on their own.
    public let queue = CompositeEventMonitor.queue
    /// The monitors.
    public let monitors: [any EventMonitor]
    // Asked once: most monitors do not care for the transport's events, which are many.
    let transportMonitors: [any EventMonitor]

    /// Tells `monitors`.
    package init(monitors: [any EventMonitor]) {
        self.monitors = monitors
        transportMonitors = monitors.filter(\.receivesTransportEvents)
    }

    /// Whether there is nobody to tell.
    package var isEmpty: Bool { monitors.isEmpty }

    /// Whether a monitor wants to know of the transport's events.
    public var receivesTransportEvents: Bool { !transportMonitors.isEmpty }
}

// MARK: Tasks

extension CompositeEventMonitor {
    /// The session was invalidated.
    public func urlSession(didBecomeInvalidWithError error: (any Error)?) {
        for monitor in monitors { monitor.queue.async { monitor.urlSession(didBecomeInvalidWithError: error) } }
    }

    /// A server or proxy asks for credentials.
    public func urlSession(task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge) {
        for monitor in monitors { monitor.queue.async { monitor.urlSession(task: task, didReceive: challenge) } }
    }

    /// Bytes of the request's body were sent; -1 stands for an unknown total.
    public func urlSession(
        task: URLSessionTask,
        didSendBodyData bytesSent: Int64,
        totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        for monitor in monitors {
            monitor.queue.async {
                monitor.urlSession(
                    task: task,
                    didSendBodyData: bytesSent,
                    totalBytesSent: totalBytesSent,
                    totalBytesExpectedToSend: totalBytesExpectedToSend
                )
            }
        }
    }

    /// The request's body has to be sent again.
    public func urlSession(taskNeedsNewBodyStream task: URLSessionTask) {
        for monitor in monitors { monitor.queue.async { monitor.urlSession(taskNeedsNewBodyStream: task) } }
    }

    /// A redirect is about to be followed.
    public func urlSession(
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest
    ) {
        for monitor in monitors {
            monitor.queue.async {
                monitor.urlSession(task: task, willPerformHTTPRedirection: response, newRequest: request)
            }
        }
    }

    /// A task's metrics are complete.
    public func urlSession(task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics) {
        for monitor in monitors { monitor.queue.async { monitor.urlSession(task: task, didFinishCollecting: metrics) } }
    }

    /// A task ended.
    public func urlSession(task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        for monitor in monitors { monitor.queue.async { monitor.urlSession(task: task, didCompleteWithError: error) } }
    }

    /// A task waits for a network.
    public func urlSession(taskIsWaitingForConnectivity task: URLSessionTask) {
        for monitor in monitors { monitor.queue.async { monitor.urlSession(taskIsWaitingForConnectivity: task) } }
    }

    /// The head of a response came.
    public func urlSession(dataTask: URLSessionDataTask, didReceive response: URLResponse) {
        for monitor in monitors { monitor.queue.async { monitor.urlSession(dataTask: dataTask, didReceive: response) } }
    }

    /// A piece of a response's body came.
    public func urlSession(dataTask: URLSessionDataTask, didReceive data: Data) {
        for monitor in monitors { monitor.queue.async { monitor.urlSession(dataTask: dataTask, didReceive: data) } }
    }

    /// A response is about to be put into a cache.
    public func urlSession(dataTask: URLSessionDataTask, willCacheResponse proposedResponse: CachedURLResponse) {
        for monitor in monitors {
            monitor.queue.async {
                monitor.urlSession(dataTask: dataTask, willCacheResponse: proposedResponse)
            }
        }
    }

    /// A download goes on where an earlier one ended.
    public func urlSession(
        downloadTask: URLSessionDownloadTask,
        didResumeAtOffset fileOffset: Int64,
        expectedTotalBytes: Int64
    ) {
        for monitor in monitors {
            monitor.queue.async {
                monitor.urlSession(
                    downloadTask: downloadTask,
                    didResumeAtOffset: fileOffset,
                    expectedTotalBytes: expectedTotalBytes
                )
            }
        }
    }

    /// Bytes of a download were written; -1 stands for an unknown total.
    public func urlSession(
        downloadTask: URLSessionDownloadTask,
        didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64,
        totalBytesExpectedToWrite: Int64
    ) {
        for monitor in monitors {
            monitor.queue.async {
                monitor.urlSession(
                    downloadTask: downloadTask,
                    didWriteData: bytesWritten,
                    totalBytesWritten: totalBytesWritten,
                    totalBytesExpectedToWrite: totalBytesExpectedToWrite
                )
            }
        }
    }

    /// A download's file is complete, at its temporary place.
    public func urlSession(downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL) {
        for monitor in monitors {
            monitor.queue.async {
                monitor.urlSession(downloadTask: downloadTask, didFinishDownloadingTo: location)
            }
        }
    }
}
