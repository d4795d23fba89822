public import Dispatch
public import Foundation

/// Tells several monitors of each event, each on its own queue.
///
/// What a monitor wants is asked once, when the composite is made. An event that nobody wants costs the look at a set
/// of bits.
public final class CompositeEventMonitor: EventMonitor {
    /// A monitor, and what it said about itself.
    private struct Listener {
        let monitor: any EventMonitor
        let events: MonitoredEvents
        let isToldInPlace: Bool

        init(_ monitor: any EventMonitor, without excluded: MonitoredEvents = []) {
            self.monitor = monitor
            events = monitor.monitoredEvents.subtracting(excluded)
            isToldInPlace = monitor.isToldInPlace
        }
    }

    private static let queue = DispatchQueue(label: "airframe.compositeEventMonitor")

    /// A queue that nothing is called on: monitors are told on their own.
    public let queue = CompositeEventMonitor.queue
    /// The monitors.
    public let monitors: [any EventMonitor]
    /// What any of the monitors wants to know of.
    public let monitoredEvents: MonitoredEvents

    /// Those of the monitors that take part in sending.
    let accompanying: [any AccompanyingMonitor]

    private let listeners: [Listener]

    /// Tells `monitors`.
    package convenience init(monitors: [any EventMonitor]) { self.init(listeners: monitors.map { Listener($0) }) }

    private init(listeners: [Listener]) {
        monitors = listeners.map(\.monitor)
        self.listeners = listeners
        monitoredEvents = listeners.reduce([]) { $0.union($1.events) }
        accompanying = listeners.compactMap { $0.isToldInPlace ? $0.monitor as? any AccompanyingMonitor : nil }
    }

    /// Tells the monitors of `shared`, and `own` of what concerns its request: events of tasks and of their bodies are
    /// the session's.
    convenience init(_ shared: CompositeEventMonitor?, own: any EventMonitor) {
        self.init(listeners: (shared?.listeners ?? []) + [Listener(own, without: [.tasks, .bodies])])
    }

    /// Whether there is nobody to tell.
    package var isEmpty: Bool { monitors.isEmpty }

    /// `true`: each monitor is told where it wants to be.
    public var isToldInPlace: Bool { true }
    /// Whether a monitor wants to know of the transport's events.
    public var receivesTransportEvents: Bool { monitoredEvents.contains(.transport) }

    /// Asks the monitors, and finds those that `request` is to have.
    public func monitoring(_ request: Request) -> RequestMonitoring {
        // Most monitors have nothing to say about single requests, and a request that nobody wants must cost nothing.
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

    /// Whether a monitor wants to know of any of `events`: otherwise they need not be made.
    func wants(_ events: MonitoredEvents) -> Bool { !monitoredEvents.isDisjoint(with: events) }

    /// Tells the monitors that want to know of `event`. Whether any does is asked before: `tell` is made with all that
    /// it passes on, which costs memory.
    func tell(_ event: MonitoredEvents, _ tell: @escaping @Sendable (any EventMonitor) -> Void) {
        for listener in listeners where !listener.events.isDisjoint(with: event) {
            if listener.isToldInPlace {
                tell(listener.monitor)
            } else {
                listener.monitor.queue.async { [monitor = listener.monitor] in tell(monitor) }
            }
        }
    }
}

extension CompositeEventMonitor {
    /// The same for events that every request has: what a monitor is told in place is passed on without memory.
    ///
    /// - Parameters:
    ///   - event: The kind of event.
    ///   - here: Tells a monitor at once.
    ///   - later: Tells a monitor on its queue.
    @inline(__always)
    func tell(_ event: MonitoredEvents, here: (any EventMonitor) -> Void, later: (any EventMonitor) -> Void) {
        for listener in listeners where !listener.events.isDisjoint(with: event) {
            if listener.isToldInPlace { here(listener.monitor) } else { later(listener.monitor) }
        }
    }
}

// MARK: Tasks

extension CompositeEventMonitor {
    /// The session was invalidated.
    public func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
        guard wants(.ends) else { return }
        tell(.ends) { $0.urlSession(session, didBecomeInvalidWithError: error) }
    }

    /// A server or proxy asks for credentials.
    public func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge
    ) {
        guard wants(.tasks) else { return }
        tell(.tasks) { $0.urlSession(session, task: task, didReceive: challenge) }
    }

    /// Bytes of the request's body were sent; -1 stands for an unknown total.
    public func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didSendBodyData bytesSent: Int64,
        totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        guard wants(.bodies) else { return }
        tell(.bodies) {
            $0.urlSession(
                session,
                task: task,
                didSendBodyData: bytesSent,
                totalBytesSent: totalBytesSent,
                totalBytesExpectedToSend: totalBytesExpectedToSend
            )
        }
    }

    /// The request's body has to be sent again.
    public func urlSession(_ session: URLSession, taskNeedsNewBodyStream task: URLSessionTask) {
        guard wants(.tasks) else { return }
        tell(.tasks) { $0.urlSession(session, taskNeedsNewBodyStream: task) }
    }

    /// A redirect is about to be followed.
    public func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest
    ) {
        guard wants(.tasks) else { return }
        tell(.tasks) { $0.urlSession(session, task: task, willPerformHTTPRedirection: response, newRequest: request) }
    }

    /// A task's metrics are complete.
    public func urlSession(
        _ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics
    ) {
        guard wants(.tasks) else { return }
        tell(.tasks) { $0.urlSession(session, task: task, didFinishCollecting: metrics) }
    }

    /// A task ended.
    public func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        guard wants(.tasks) else { return }
        tell(.tasks) { $0.urlSession(session, task: task, didCompleteWithError: error) }
    }

    /// A task waits for a network.
    public func urlSession(_ session: URLSession, taskIsWaitingForConnectivity task: URLSessionTask) {
        guard wants(.tasks) else { return }
        tell(.tasks) { $0.urlSession(session, taskIsWaitingForConnectivity: task) }
    }

    /// The head of a response came.
    public func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse) {
        guard wants(.tasks) else { return }
        tell(.tasks) { $0.urlSession(session, dataTask: dataTask, didReceive: response) }
    }

    /// A piece of a response's body came.
    public func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        guard wants(.bodies) else { return }
        tell(.bodies) { $0.urlSession(session, dataTask: dataTask, didReceive: data) }
    }

    /// A response is about to be put into a cache.
    public func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, willCacheResponse proposedResponse: CachedURLResponse
    ) {
        guard wants(.tasks) else { return }
        tell(.tasks) { $0.urlSession(session, dataTask: dataTask, willCacheResponse: proposedResponse) }
    }

    /// A download goes on where an earlier one ended.
    public func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didResumeAtOffset fileOffset: Int64,
        expectedTotalBytes: Int64
    ) {
        guard wants(.tasks) else { return }
        tell(.tasks) {
            $0.urlSession(
                session,
                downloadTask: downloadTask,
                didResumeAtOffset: fileOffset,
                expectedTotalBytes: expectedTotalBytes
            )
        }
    }

    /// Bytes of a download were written; -1 stands for an unknown total.
    public func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64,
        totalBytesExpectedToWrite: Int64
    ) {
        guard wants(.bodies) else { return }
        tell(.bodies) {
            $0.urlSession(
                session,
                downloadTask: downloadTask,
                didWriteData: bytesWritten,
                totalBytesWritten: totalBytesWritten,
                totalBytesExpectedToWrite: totalBytesExpectedToWrite
            )
        }
    }

    /// A download's file is complete, at its temporary place.
    public func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
    ) {
        guard wants(.tasks) else { return }
        tell(.tasks) { $0.urlSession(session, downloadTask: downloadTask, didFinishDownloadingTo: location) }
    }
}
