internal import AirframeTransport
internal import Dispatch
internal import Foundation
internal import Synchronization

extension Request {
    /// The handling of a response once its head is known.
    public enum ResponseDisposition: Sendable, Hashable {
        /// Receive the body.
        case allow
        /// Cancel the request. Monitors receive the end of the task and no cancellation, as with Alamofire.
        case cancel
    }

    /// A handler that sees the head of a response before any of its body is received.
    typealias HTTPResponseHandler = @Sendable (HTTPURLResponse) async -> ResponseDisposition

    /// Whether a handler or a monitor may want to see the head.
    var showsResponse: Bool { mutable.withLock { $0.hasHandlers || $0.monitor != nil } }

    /// Shows the head to the request's monitors and handler.
    ///
    /// - Throws: ``AFError/explicitlyCancelled`` if the handler cancels the request, or the attempt ends meanwhile.
    func show(_ task: URLSessionTask) async throws(AFError) {
        guard let response = task.response else { return }
        if let monitor = monitors, let task = task as? URLSessionDataTask {
            monitor.urlSession(context.urlSession, dataTask: task, didReceive: response)
        }
        guard let handlers = mutable.withLock({ $0.handlers }) else { return }
        for observe in handlers.observers.httpResponse { observe(response) }
        guard let handler = handlers.httpResponse, await handler(response) == .cancel else { return }
        // The end of the attempt ends the wait for the handler, which has not cancelled the request.
        if !endsAttempt { cancelAtHead() }
        throw .explicitlyCancelled
    }

    func setHTTPResponseHandler(_ handler: @escaping HTTPResponseHandler) {
        mutable.withLock { $0.withHandlers { $0.httpResponse = handler } }
    }

    /// Returns a handler that calls `perform` on a queue and awaits its answer.
    static func handler(
        on queue: DispatchQueue,
        _ perform: @escaping @Sendable (HTTPURLResponse, @escaping @Sendable (ResponseDisposition) -> Void) -> Void
    ) -> HTTPResponseHandler {
        { response in
            let disposition = try? await FirstAnswer.wait { answer in
                queue.async { perform(response) { answer.give(.success($0)) } }
            }
            // The request or its task was cancelled before the handler answered.
            return disposition ?? .cancel
        }
    }
}
