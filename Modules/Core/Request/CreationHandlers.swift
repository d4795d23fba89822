internal import Dispatch

extension Request {
    /// The handlers of a URL request or a task that was created, read in the critical section that records it: each
    /// handler receives it once, whether the handler was added before or is added later.
    struct CreationHandlers<Created: Sendable>: Sendable {
        let handler: (queue: DispatchQueue, handler: @Sendable (Created) -> Void)?
        let observers: [@Sendable (Created) -> Void]

        func notify(of created: Created) {
            if let handler { handler.queue.async { handler.handler(created) } }
            for observe in observers { observe(created) }
        }
    }
}

extension Request.MutableState {
    /// The URL request of the attempt, once its handlers have been notified.
    var announcedRequest: URLRequest? { hasAnnouncedRequest ? requests.last : nil }
}

extension Request.MutableState.Handlers {
    var ofURLRequests: Request.CreationHandlers<URLRequest> {
        Request.CreationHandlers(handler: urlRequest, observers: observers.urlRequest)
    }

    var ofTasks: Request.CreationHandlers<URLSessionTask> {
        Request.CreationHandlers(handler: task, observers: observers.task)
    }
}
