package import HTTPTypes
internal import Synchronization

/// The validation of a stale response that a cache serves meanwhile (RFC 5861 §3).
///
/// It hands the head of the server's response to the layers above the cache, on the task that receives it. A class,
/// because the response that is served and the task that validates it share it.
package final class Revalidation: Sendable {
    /// Processes the head that the server sent.
    package typealias Handler = @Sendable (HTTPResponse) -> Void

    private enum Progress {
        case pending([Handler])
        /// The head; `nil` if the server sent none.
        case ended(HTTPResponse?)
    }

    // Guards the head and the handlers, which are called without the lock.
    private let progress = Mutex(Progress.pending([]))

    /// Creates a validation that has not ended.
    package init() {}

    /// Calls `handler` with the head when it is received: immediately if it has been, and never if the server sends
    /// none.
    package func onHead(_ handler: @escaping Handler) {
        let known = progress.withLock { progress -> HTTPResponse? in
            switch progress {
            case .pending(let handlers):
                progress = .pending(handlers + [handler])
                return nil
            case .ended(let head): return head
            }
        }
        if let known { handler(known) }
    }

    /// Ends the validation, and calls the handlers.
    ///
    /// - Parameter head: The head that the server sent; `nil` if it sent none.
    package func end(with head: HTTPResponse?) {
        let handlers = progress.withLock { progress -> [Handler] in
            guard case .pending(let handlers) = progress else { return [] }
            progress = .ended(head)
            return handlers
        }
        guard let head else { return }
        for handler in handlers { handler(head) }
    }
}
