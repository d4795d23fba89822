internal import AirframeTransport
internal import Dispatch
internal import Foundation

extension Request {
    /// Everything about a request that changes. One value behind one lock; nothing is called while the lock is held.
    struct MutableState {
        var state = State.initialized
        var error: AFError?
        var retryCount = 0

        var requests: [URLRequest] = []
        var tasks: [URLSessionTask] = []
        var metrics: [URLSessionTaskMetrics] = []

        var interceptor: (any RequestInterceptor)?
        var monitor: CompositeEventMonitor?
        var credential: URLCredential?
        var handlers: Handlers?

        var progress = ProgressState()
        var validators: [@Sendable () -> Void] = []

        var responseSteps: [ResponseStep] = []
        var completions: [@Sendable () -> Void] = []

        /// The run of the request through the pipeline.
        var run = Run.idle
        /// Those who wait for the request to be resumed.
        var waiters: [CheckedContinuation<Void, Never>] = []
        /// Set when the request was ended from outside without being cancelled.
        var isStopped = false

        /// Where the request's run through the pipeline stands.
        enum Run {
            case idle
            case running(Task<Void, Never>?)
            case done
        }

        /// Handlers that few requests have, stored apart so that the others do not carry them.
        struct Handlers {
            var redirect: (any RedirectHandler)?
            var cachedResponse: (any CachedResponseHandler)?
            var cURL: (@Sendable (String) -> Void)?
            var urlRequest: (queue: DispatchQueue, handler: @Sendable (URLRequest) -> Void)?
            var task: (queue: DispatchQueue, handler: @Sendable (URLSessionTask) -> Void)?
            var httpResponse: HTTPResponseHandler?
        }

        /// What a change of state sets in motion.
        struct Transition {
            var happened = false
            /// The task that is told, if it has not ended.
            var task: URLSessionTask?
            var waiters: [CheckedContinuation<Void, Never>] = []
            var pipeline: Task<Void, Never>?
        }

        var isEnded: Bool { state == .cancelled || isStopped }

        mutating func transition(to new: State) -> Transition {
            guard state.canTransitionTo(new) else { return Transition() }
            state = new
            guard new != .suspended else { return Transition(happened: true, task: openTask) }
            return release()
        }

        mutating func stop() -> Transition {
            isStopped = true
            return release()
        }

        private mutating func release() -> Transition {
            defer { waiters = [] }
            return Transition(happened: true, task: openTask, waiters: waiters, pipeline: pipeline)
        }

        private var openTask: URLSessionTask? {
            tasks.last.flatMap { $0.state == .completed ? nil : $0 }
        }

        private var pipeline: Task<Void, Never>? {
            if case .running(let task) = run { task } else { nil }
        }

        mutating func withHandlers(_ change: (inout Handlers) -> Void) {
            var changed = handlers ?? Handlers()
            change(&changed)
            handlers = changed
        }
    }
}

/// How a request's run begins.
package enum PipelineStart: Sendable {
    /// On another thread, so that the caller can go on adding to the chain.
    case detached
    /// On the caller's thread, up to the first wait: what comes last in a chain saves a hop.
    case immediate
}
