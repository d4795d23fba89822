internal import AirframeTransport
internal import Dispatch
internal import Foundation

extension Request {
    /// The mutable state of a request: one value behind one lock. Nothing is called while the lock is held.
    struct MutableState {
        var lifecycle = RequestLifecycle.initialized(.idle)
        /// Whether the task of the attempt is suspended, if the user has suspended or resumed the task and not the
        /// request; `nil` if the task follows the request.
        private(set) var taskHold: Bool?
        var error: AFError?
        var retryCount = 0
        /// The end of the limit for all attempts, set when the first attempt begins.
        var end: MonotonicInstant?

        var requests = Series<URLRequest>()
        var tasks = Series<URLSessionTask>()
        var metrics = Series<URLSessionTaskMetrics>()

        var interceptor: (any RequestInterceptor)? { didSet { hasInterceptor = interceptor != nil } }
        /// A separate flag, because testing the optional would copy it. Without this flag, those of `KnownURL` and the
        /// comparison of heads by identity in `URLSessionTask`, a request takes 6 retains and 6 releases more.
        private(set) var hasInterceptor = false
        var monitor: CompositeEventMonitor?
        /// The priority of the task that started a detached run, as a `TaskPriority.RawValue`: `TaskPriority` is
        /// resilient, and would make the layout of this value dynamic.
        var callerPriority: UInt8?
        var credential: URLCredential?
        /// Typed values that travel with the request; `nil` for most requests.
        var values: LayerValues?
        var handlers: Handlers?
        private(set) var hasHandlers = false
        /// Whether the last of `requests` is adapted and was passed to the handlers of URL requests.
        var hasAnnouncedRequest = false

        /// Holds the upload while the request is suspended.
        var uploadGate: UploadGate?

        var progress = ProgressState()
        var validators = Series<Validator>()

        var responseSteps = Series<ResponseStep>()
        var completions = Series<DeferredCall>()

        /// The announcements that are being made to monitors.
        var announcements = Announcements.none

        /// Handlers that few requests have, stored apart to keep the other requests small.
        struct Handlers {
            var redirect: (any RedirectHandler)?
            var cachedResponse: (any CachedResponseHandler)?
            var cURL: (@Sendable (String) -> Void)?
            var urlRequest: (queue: DispatchQueue, handler: @Sendable (URLRequest) -> Void)?
            var task: (queue: DispatchQueue, handler: @Sendable (URLSessionTask) -> Void)?
            var httpResponse: HTTPResponseHandler?
            var observers = Observers()
            /// Changes the priority of the attempt in flight.
            var priorityUpdates: PriorityUpdates?
            var responseInterceptors: [any ResponseInterceptor] = []
            /// Performs an attempt in several exchanges.
            var exchanger: Exchanger?
            /// The session, while eager preparation needs it.
            var preparingSession: Session?
        }

        init(monitor: CompositeEventMonitor?) { self.monitor = monitor }

        var state: State { lifecycle.state }
        var isEnded: Bool { lifecycle.isEnded }

        /// Performs a transition of the lifecycle.
        ///
        /// - Parameters:
        ///   - change: The change to report to monitors if the transition happens.
        ///   - isNotified: Whether notifications are posted too.
        ///   - failure: The request's error if the transition happens.
        ///   - transition: The transition.
        /// - Returns: Its effects, and the announcement that the caller has to make, if any.
        mutating func change(
            _ change: Announcement.Change?,
            isNotified: Bool,
            failure: AFError?,
            _ transition: (inout RequestLifecycle) -> RequestLifecycle.Effects
        ) -> (effects: RequestLifecycle.Effects, announcement: Announcement?) {
            let effects = transition(&lifecycle)
            guard effects.happened else { return (effects, nil) }
            taskHold = nil
            if effects.dismissesFailure { error = nil }
            error = error ?? failure
            let task = openTask
            switch change {
            case .resumed: task?.noteResumed()
            case .suspended: task?.noteSuspended()
            case .cancelled, nil: task?.noteCancelled()
            case .created: break
            }
            guard let change, monitor != nil || isNotified else { return (effects, nil) }
            let announcement = Announcement(change: change, task: task)
            return (effects, announcements.add(announcement) ? announcement : nil)
        }

        /// Cancels a request whose connection is being closed. Its task is not cancelled, and it has no error.
        ///
        /// - Parameter isNotified: Whether notifications are posted.
        /// - Returns: The run that waited, and the announcement that the caller has to make, if any.
        mutating func close(isNotified: Bool) -> (waiter: Waiter?, announcement: Announcement?) {
            let effects = lifecycle.close()
            guard effects.happened else { return (nil, nil) }
            taskHold = nil
            guard monitor != nil || isNotified else { return (effects.waiter, nil) }
            let announcement = Announcement(change: .cancelled, task: openTask)
            return (effects.waiter, announcements.add(announcement) ? announcement : nil)
        }

        /// Adds the task of an attempt, unless the request was ended. Resumes the task if the request is resumed: a
        /// call that suspends the request afterwards must find it running.
        ///
        /// - Returns: The request's state, the announcement that the caller has to make of a task that is not resumed
        ///   yet, if any, and the handlers to notify. Those that are added later receive the task when they are added.
        mutating func adopt(
            _ task: URLSessionTask
        ) -> (state: State, announcement: Announcement?, handlers: CreationHandlers<URLSessionTask>?) {
            guard !isEnded else { return (.cancelled, nil, nil) }
            taskHold = nil
            tasks.append(task)
            let notified = hasHandlers ? handlers?.ofTasks : nil
            guard lifecycle.isHeld else {
                task.noteResumed()
                return (.resumed, nil, notified)
            }
            let isSuspended = state == .suspended
            let announcement = Announcement(change: .created(isSuspended: isSuspended), task: task)
            return (state, announcements.add(announcement) ? announcement : nil, notified)
        }

        /// Records that the last URL request is ready to be sent.
        ///
        /// - Returns: The handlers to notify. Those that are added later receive the request when they are added.
        mutating func announceRequest() -> CreationHandlers<URLRequest>? {
            hasAnnouncedRequest = true
            return hasHandlers ? handlers?.ofURLRequests : nil
        }

        /// Cancels the task of an attempt.
        ///
        /// - Returns: The effects; `nil` if the task has completed.
        mutating func interrupt(_ task: URLSessionTask) -> RequestLifecycle.Effects? {
            guard tasks.last === task, task.noteCancelled() else { return nil }
            return lifecycle.interrupt()
        }

        /// Whether the attempt has to wait, because the request or its task is suspended.
        var isHeld: Bool { taskHold ?? lifecycle.isHeld }

        /// Whether neither the request nor the task of its attempt is suspended or ended.
        var mayProceed: Bool {
            guard let taskHold else { return lifecycle.mayProceed }
            return !taskHold && !lifecycle.endsAttempt
        }

        /// Makes the run wait. Returns whether it has to wait.
        mutating func hold(_ waiter: Waiter) -> Bool { lifecycle.hold(waiter, as: taskHold) }

        /// Suspends or resumes the task of an attempt, and not the request.
        ///
        /// - Returns: The run that waited.
        mutating func hold(_ task: URLSessionTask, _ isHeld: Bool) -> Waiter? {
            guard tasks.last === task, task.state == .running || task.state == .suspended else { return nil }
            taskHold = isHeld == lifecycle.isHeld ? nil : isHeld
            if isHeld {
                task.noteSuspended()
                return nil
            }
            task.noteResumed()
            return lifecycle.release()
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

/// The thread on which a request's run begins.
package enum PipelineStart: Sendable {
    /// Another thread, so that the caller can continue its chain of calls.
    case detached
    /// The caller's thread, up to the first wait: no handler can follow the last call of a chain. Another one if many
    /// tasks wait for a thread.
    case immediate
}
