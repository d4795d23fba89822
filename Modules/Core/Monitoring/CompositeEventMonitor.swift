public import Dispatch
public import Foundation

/// Notifies several monitors of each event, each on its own queue.
///
/// The events that a monitor wants are read once, when the composite is created. An event that no monitor wants costs
/// one test of a bit.
public final class CompositeEventMonitor: EventMonitor {
    /// A monitor and its properties, read once.
    private struct Listener {
        let monitor: any EventMonitor
        let events: MonitoredEvents
        let isCalledSynchronously: Bool

        init(_ monitor: any EventMonitor, without excluded: MonitoredEvents = []) {
            self.monitor = monitor
            events = monitor.monitoredEvents.subtracting(excluded)
            isCalledSynchronously = monitor.isCalledSynchronously
        }
    }

    private static let queue = DispatchQueue(label: "airframe.compositeEventMonitor")

    /// A queue that nothing is called on: each monitor is called on its own.
    public let queue = CompositeEventMonitor.queue
    /// The monitors.
    public let monitors: [any EventMonitor]
    /// The events that any of the monitors wants.
    public let monitoredEvents: MonitoredEvents

    /// The monitors that take part in sending.
    let accompanying: [any AccompanyingMonitor]

    private let listeners: [Listener]

    /// Creates a monitor that notifies `monitors`.
    package convenience init(monitors: [any EventMonitor]) { self.init(listeners: monitors.map { Listener($0) }) }

    private init(listeners: [Listener]) {
        monitors = listeners.map(\.monitor)
        self.listeners = listeners
        monitoredEvents = listeners.reduce([]) { $0.union($1.events) }
        accompanying = listeners.compactMap { $0.isCalledSynchronously ? $0.monitor as? any AccompanyingMonitor : nil }
    }

    /// Notifies the monitors of `shared` of everything, and `own` of the events of its request: events of tasks and
    /// their bodies go to the session's monitors alone.
    convenience init(_ shared: CompositeEventMonitor?, own: any EventMonitor) {
        self.init(listeners: (shared?.listeners ?? []) + [Listener(own, without: [.tasks, .bodies])])
    }

    /// Whether there are no monitors.
    package var isEmpty: Bool { monitors.isEmpty }

    /// `true`: each monitor is called on its own queue.
    public var isCalledSynchronously: Bool { true }
    /// Whether a monitor wants the transport's events.
    public var receivesTransportEvents: Bool { monitoredEvents.contains(.transport) }

    /// Asks the monitors which of them `request` gets.
    public func monitoring(_ request: Request) -> RequestMonitoring {
        // Few monitors choose among requests: the list is copied only if one does.
        var chosen: [any EventMonitor]?
        for index in monitors.indices {
            switch monitors[index].monitoring(request) {
            case .shared: chosen?.append(monitors[index])
            case .ignored: chosen = chosen ?? Array(monitors[..<index])
            case .own(let monitor): chosen = (chosen ?? Array(monitors[..<index])) + [monitor]
            }
        }
        guard let chosen else { return .shared }
        return chosen.isEmpty ? .ignored : .own(CompositeEventMonitor(monitors: chosen))
    }

    /// Whether a monitor wants any of `events`. Otherwise they need not be constructed.
    func wants(_ events: MonitoredEvents) -> Bool { !monitoredEvents.isDisjoint(with: events) }

    /// Notifies the monitors that want `event`. Callers check ``wants(_:)`` first: the closure `call` is an allocation
    /// with all that it captures.
    func notify(_ event: MonitoredEvents, _ call: @escaping @Sendable (any EventMonitor) -> Void) {
        for listener in listeners where !listener.events.isDisjoint(with: event) {
            if listener.isCalledSynchronously {
                call(listener.monitor)
            } else {
                listener.monitor.queue.async { [monitor = listener.monitor] in call(monitor) }
            }
        }
    }
}

extension CompositeEventMonitor {
    /// Notifies the monitors of an event that every request has, without an allocation for those that are called
    /// synchronously.
    ///
    /// - Parameters:
    ///   - event: The kind of event.
    ///   - here: Notifies a monitor synchronously.
    ///   - later: Notifies a monitor on its queue.
    @inline(__always)
    func notify(_ event: MonitoredEvents, here: (any EventMonitor) -> Void, later: (any EventMonitor) -> Void) {
        for listener in listeners where !listener.events.isDisjoint(with: event) {
            if listener.isCalledSynchronously { here(listener.monitor) } else { later(listener.monitor) }
        }
    }
}

// MARK: Tasks

extension CompositeEventMonitor {
    /// The session was invalidated.
    public func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
        guard wants(.ends) else { return }
        notify(.ends) { $0.urlSession(session, didBecomeInvalidWithError: error) }
    }

    /// A server or proxy sent a challenge.
    public func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge
    ) {
        guard wants(.tasks) else { return }
        notify(.tasks) { $0.urlSession(session, task: task, didReceive: challenge) }
    }

    /// Bytes of the request's body were sent. A total of -1 is unknown.
    public func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didSendBodyData bytesSent: Int64,
        totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        guard wants(.bodies) else { return }
        notify(.bodies) {
            $0.urlSession(
                session,
                task: task,
                didSendBodyData: bytesSent,
                totalBytesSent: totalBytesSent,
                totalBytesExpectedToSend: totalBytesExpectedToSend
            )
        }
    }

    /// The request's body must be sent again.
    public func urlSession(_ session: URLSession, taskNeedsNewBodyStream task: URLSessionTask) {
        guard wants(.tasks) else { return }
        notify(.tasks) { $0.urlSession(session, taskNeedsNewBodyStream: task) }
    }

    /// A redirect was received, with the request that would follow. The redirect handler is called afterwards.
    public func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest
    ) {
        guard wants(.tasks) else { return }
        notify(.tasks) { $0.urlSession(session, task: task, willPerformHTTPRedirection: response, newRequest: request) }
    }

    /// A task's metrics are complete.
    public func urlSession(
        _ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics
    ) {
        guard wants(.tasks) else { return }
        notify(.tasks) { $0.urlSession(session, task: task, didFinishCollecting: metrics) }
    }

    /// A task completed.
    public func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        guard wants(.tasks) else { return }
        notify(.tasks) { $0.urlSession(session, task: task, didCompleteWithError: error) }
    }

    /// A task waits for connectivity.
    public func urlSession(_ session: URLSession, taskIsWaitingForConnectivity task: URLSessionTask) {
        guard wants(.tasks) else { return }
        notify(.tasks) { $0.urlSession(session, taskIsWaitingForConnectivity: task) }
    }

    /// The head of a response was received.
    public func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse) {
        guard wants(.tasks) else { return }
        notify(.tasks) { $0.urlSession(session, dataTask: dataTask, didReceive: response) }
    }

    /// A chunk of a response's body was received.
    public func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        guard wants(.bodies) else { return }
        notify(.bodies) { $0.urlSession(session, dataTask: dataTask, didReceive: data) }
    }

    /// A response is about to be cached.
    public func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, willCacheResponse proposedResponse: CachedURLResponse
    ) {
        guard wants(.tasks) else { return }
        notify(.tasks) { $0.urlSession(session, dataTask: dataTask, willCacheResponse: proposedResponse) }
    }

    /// A download continues an earlier one.
    public func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didResumeAtOffset fileOffset: Int64,
        expectedTotalBytes: Int64
    ) {
        guard wants(.tasks) else { return }
        notify(.tasks) {
            $0.urlSession(
                session,
                downloadTask: downloadTask,
                didResumeAtOffset: fileOffset,
                expectedTotalBytes: expectedTotalBytes
            )
        }
    }

    /// Bytes of a download were written. A total of -1 is unknown.
    public func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64,
        totalBytesExpectedToWrite: Int64
    ) {
        guard wants(.bodies) else { return }
        notify(.bodies) {
            $0.urlSession(
                session,
                downloadTask: downloadTask,
                didWriteData: bytesWritten,
                totalBytesWritten: totalBytesWritten,
                totalBytesExpectedToWrite: totalBytesExpectedToWrite
            )
        }
    }

    /// A download's file is complete, at its temporary location.
    public func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
    ) {
        guard wants(.tasks) else { return }
        notify(.tasks) { $0.urlSession(session, downloadTask: downloadTask, didFinishDownloadingTo: location) }
    }
}
