internal import AirframeTransport
internal import Dispatch
internal import Foundation

extension Request {
    /// Everything about a request that changes. One value behind one lock; nothing is called while the lock is held.
    struct MutableState {
        var lifecycle = RequestLifecycle.initialized(.idle)
        var error: AFError?
        var retryCount = 0
        /// When the limit for all attempts runs out; noted when the first attempt begins.
        var end: MonotonicInstant?

        var requests = Series<URLRequest>()
        var tasks = Series<URLSessionTask>()
        var metrics = Series<URLSessionTaskMetrics>()

        var interceptor: (any RequestInterceptor)? { didSet { hasInterceptor = interceptor != nil } }
        /// Stands beside it because to compare the optional would copy it; so does ``hasHandlers``.
        private(set) var hasInterceptor: Bool
        var monitor: CompositeEventMonitor?
        /// The priority of the task that started a run of its own.
        var callerPriority: TaskPriority?
        var credential: URLCredential?
        /// Typed values that travel with the request; `nil` for most.
        var values: LayerValues?
        var handlers: Handlers?
        private(set) var hasHandlers = false

        /// Holds the body that is being sent while the request is suspended.
        var uploadGate: UploadGate?

        var progress = ProgressState()
        var validators = Series<@Sendable () -> Void>()

        var responseSteps = Series<ResponseStep>()
        var completions = Series<@Sendable () -> Void>()

        /// What monitors are being told of right now.
        var announcements = Announcements.none

        /// Handlers that few requests have, stored apart so that the others do not carry them.
        struct Handlers {
            var redirect: (any RedirectHandler)?
            var cachedResponse: (any CachedResponseHandler)?
            var cURL: (@Sendable (String) -> Void)?
            var urlRequest: (queue: DispatchQueue, handler: @Sendable (URLRequest) -> Void)?
            var task: (queue: DispatchQueue, handler: @Sendable (URLSessionTask) -> Void)?
            var httpResponse: HTTPResponseHandler?
            var observers = Observers()
            /// Changes the priority of the attempt that is in flight.
            var priorityUpdates: PriorityUpdates?
            var responseInterceptors: [any ResponseInterceptor] = []
            /// Carries out an attempt in several exchanges.
            var exchanger: Exchanger?
            /// The session, while an eager preparation needs it.
            var preparingSession: Session?
        }

        /// Made where it is kept: a variable that is set up and then moved there is copied, with all its references.
        init(interceptor: (any RequestInterceptor)?, monitor: CompositeEventMonitor?) {
            self.interceptor = interceptor
            hasInterceptor = interceptor != nil
            self.monitor = monitor
        }

        var state: State { lifecycle.state }
        var isEnded: Bool { lifecycle.isEnded }

        /// Makes a transition of the lifecycle.
        ///
        /// - Parameters:
        ///   - news: What monitors are told if it happens.
        ///   - isNotified: Whether others than monitors are told.
        ///   - failure: What the request fails with if it happens.
        ///   - transition: The transition.
        /// - Returns: What it sets in motion, and the announcement that the caller has to make, if any.
        mutating func change(
            _ news: Announcement.News?,
            isNotified: Bool,
            failure: AFError?,
            _ transition: (inout RequestLifecycle) -> RequestLifecycle.Effects
        ) -> (effects: RequestLifecycle.Effects, announcement: Announcement?) {
            let effects = transition(&lifecycle)
            guard effects.happened else { return (effects, nil) }
            if effects.dismissesFailure { error = nil }
            error = error ?? failure
            let task = openTask
            switch news {
            case .resumed: task?.noteResumed()
            case .suspended: task?.noteSuspended()
            case .cancelled, nil: task?.noteCancelled()
            case .created: break
            }
            guard let news, monitor != nil || isNotified else { return (effects, nil) }
            let announcement = Announcement(news: news, task: task)
            return (effects, announcements.add(announcement) ? announcement : nil)
        }

        /// Notes the task of an attempt, unless the request was ended.
        ///
        /// - Returns: The state that the request is in, and the announcement that the caller has to make of a task that
        ///   is not resumed yet, if any.
        mutating func adopt(_ task: URLSessionTask) -> (state: State, announcement: Announcement?) {
            guard !isEnded else { return (.cancelled, nil) }
            tasks.append(task)
            guard lifecycle.isHeld else { return (.resumed, nil) }
            let isSuspended = state == .suspended
            let announcement = Announcement(news: .created(isSuspended: isSuspended), task: task)
            return (state, announcements.add(announcement) ? announcement : nil)
        }

        private var openTask: URLSessionTask? {
            tasks.last.flatMap { $0.state == .completed ? nil : $0 }
        }

        mutating func withHandlers(_ change: (inout Handlers) -> Void) {
            var changed = handlers ?? Handlers()
            change(&changed)
            handlers = changed
            hasHandlers = true
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
