internal import Foundation
internal import Synchronization

// Observers of a request's events, any number of them in addition to the handlers that users set.

extension Request {
    /// Closures that are called synchronously and must not block.
    struct Observers {
        var urlRequest: [@Sendable (URLRequest) -> Void] = []
        var cURL: [@Sendable (String) -> Void] = []
        var task: [@Sendable (URLSessionTask) -> Void] = []
        var httpResponse: [@Sendable (HTTPURLResponse) -> Void] = []
        var informationalResponse: [@Sendable (HTTPURLResponse) -> Void] = []
        var finish: [@Sendable () -> Void] = []
    }

    /// Calls `observe` with each `URLRequest` that is ready to be sent, including the last one if there is one already.
    package func observeURLRequests(_ observe: @escaping @Sendable (URLRequest) -> Void) {
        let made = mutable.withLock { state in
            state.withHandlers { $0.observers.urlRequest.append(observe) }
            return state.announcedRequest
        }
        if let made { observe(made) }
    }

    /// Calls `observe` once, with the first command for curl, or with the reason that there is none.
    package func observeCURLDescription(_ observe: @escaping @Sendable (String) -> Void) {
        let isMade = mutable.withLock { state in
            guard state.requests.isEmpty else { return true }
            state.withHandlers { $0.observers.cURL.append(observe) }
            return false
        }
        if isMade { observe(cURLDescription()) }
    }

    /// Calls `observe` with each task, including the last one if there is one already.
    package func observeTasks(_ observe: @escaping @Sendable (URLSessionTask) -> Void) {
        let created = mutable.withLock { state in
            state.withHandlers { $0.observers.task.append(observe) }
            return state.tasks.last
        }
        if let created { observe(created) }
    }

    /// Calls `observe` with the head of each response.
    package func observeHTTPResponses(_ observe: @escaping @Sendable (HTTPURLResponse) -> Void) {
        mutable.withLock { state in state.withHandlers { $0.observers.httpResponse.append(observe) } }
    }

    /// Calls `observe` while the request's body is sent.
    package func observeUploadProgress(_ observe: @escaping ProgressHandler) {
        mutable.withLock { $0.progress.upload.observers.append(observe) }
    }

    /// Calls `observe` while the response's body is received.
    package func observeDownloadProgress(_ observe: @escaping ProgressHandler) {
        mutable.withLock { $0.progress.download.observers.append(observe) }
    }

    /// Calls `finish` when the request has ended and its results are being delivered, or immediately if it has ended.
    package func onFinish(_ finish: @escaping @Sendable () -> Void) {
        let isOver = mutable.withLock { state in
            if state.lifecycle.isOver { return true }
            state.withHandlers { $0.observers.finish.append(finish) }
            return false
        }
        if isOver { finish() }
    }
}
