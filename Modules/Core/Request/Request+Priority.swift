public import AirframeTransport
internal import Foundation
internal import Synchronization

extension Request {
    /// Changes the priority of the request while it is in flight (RFC 9218 §7).
    ///
    /// ```swift
    /// var urlRequest = try URLRequest(url: "https://api.test/feed", method: .get)
    /// urlRequest.transportOptions.priority = RequestPriority(urgency: 5)
    /// let feed = session.request(urlRequest)
    /// try feed.updatePriority(RequestPriority(urgency: 1))
    /// ```
    ///
    /// Later attempts and redirects of the request have the new priority too. HTTP/1.1 cannot change the priority of a
    /// request in flight: there, a change applies to later attempts and redirects only.
    ///
    /// - Parameter priority: The new priority.
    /// - Throws: ``AFError/sessionTaskFailed(error:)`` if the transport cannot change priorities, or if the request was
    ///   sent without one: `transportOptions.priority` was not set, and this function was not called before.
    @discardableResult
    public func updatePriority(_ priority: RequestPriority) throws(AFError) -> Self {
        guard context.updatesPriorities else {
            let engine = context.transport.capabilities.engine
            throw priorityError("the transport \(engine) does not support changes of priority in flight")
        }
        let updates = mutable.withLock { state in
            state.tasks.last == nil ? state.makePriorityUpdates() : state.handlers?.priorityUpdates
        }
        guard let updates else {
            throw priorityError("the request was sent without a priority: set `transportOptions.priority` first")
        }
        updates.update(priority)
        return self
    }

    private func priorityError(_ message: String) -> AFError {
        let error = TransportError(.unsupportedOption, phase: .options, processing: .unknown, message: message)
        return .transport(error, url: lastRequest?.url)
    }

    /// The updates that the next attempt follows; `nil` for a request without a priority.
    func priorityUpdates(_ options: TransportOptions) -> PriorityUpdates? {
        guard context.updatesPriorities else { return nil }
        if options.priority != nil { return mutable.withLock { $0.makePriorityUpdates() } }
        return hasHandlers ? mutable.withLock { $0.handlers?.priorityUpdates } : nil
    }
}

extension Request.MutableState {
    fileprivate mutating func makePriorityUpdates() -> PriorityUpdates? {
        if let updates = handlers?.priorityUpdates { return updates }
        withHandlers { $0.priorityUpdates = PriorityUpdates() }
        return handlers?.priorityUpdates
    }
}
