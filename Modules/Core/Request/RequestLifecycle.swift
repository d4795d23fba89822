internal import AirframeTransport
internal import Foundation

/// The lifecycle of a request, from its creation to the delivery of its results.
///
/// One value holds both the public state (``Request/State``) and the progress of the run through the pipeline, so that
/// meaningless combinations cannot exist. Each function is one transition. It calls nothing: it returns what the
/// caller has to do after releasing the lock that guards the value.
enum RequestLifecycle {
    /// Created and not resumed. A run may be under way if the session prepares requests eagerly.
    case initialized(Run)
    /// Under way, or about to be.
    case resumed(Run)
    /// Suspended.
    case suspended(Run)
    /// Cancelled by the user. The run continues to its end, so that handlers are called.
    case cancelled(Run)
    /// Ended because its session was released. Becomes finished at the end of the run.
    case abandoned(Run)
    /// Finished. The results are being delivered, or have been.
    case finished(Run)

    /// The progress of the run through the pipeline.
    enum Run {
        /// Nothing has run yet.
        case idle
        /// Running. The task is known once it has been started.
        case running(ThrowingTask?)
        /// Waiting for the request to be resumed.
        case held(ThrowingTask?, Waiter)
        /// Running to the end of the attempt, whose ``URLSessionTask`` was cancelled. The request is not ended.
        case interrupted(ThrowingTask?)
        /// Waiting for the time of a retry.
        case pausing(ThrowingTask?)
        /// Delivering results. A handler that is added now is left to this run, so that results are delivered in the
        /// order of the handlers.
        case delivering(ThrowingTask?)
        /// All results were delivered.
        case over
    }

    /// The consequences of a transition.
    struct Effects {
        /// Whether the public state changed, which monitors are notified of.
        var happened = false
        /// The stage at which a run begins, if one does.
        var begins: Request.Entry?
        /// The run that waited for the request to be resumed.
        var waiter: Waiter?
        /// The task of the run to cancel.
        var pipeline: ThrowingTask?
        /// Whether to discard the failure of the last attempt, because a retry had been decided on.
        var dismissesFailure = false
    }

    /// The public state.
    var state: Request.State {
        switch self {
        case .initialized: .initialized
        case .resumed, .abandoned: .resumed
        case .suspended: .suspended
        case .cancelled: .cancelled
        case .finished: .finished
        }
    }

    /// Whether the request was cancelled or abandoned, so that its run must end.
    var isEnded: Bool {
        switch self {
        case .cancelled, .abandoned: true
        case .initialized, .resumed, .suspended, .finished: false
        }
    }

    /// Whether a run may proceed with its attempt: the request is resumed, and the attempt was not interrupted.
    var mayProceed: Bool {
        switch self {
        case .initialized, .suspended, .cancelled, .abandoned, .resumed(.interrupted): false
        case .resumed, .finished: true
        }
    }

    /// Whether a run must end its attempt: the request was ended, or the attempt was interrupted.
    var endsAttempt: Bool { isEnded || run.isInterrupted }

    /// Whether a run has to wait for the request to be resumed.
    var isHeld: Bool {
        switch self {
        case .initialized, .suspended: true
        case .resumed, .cancelled, .abandoned, .finished: false
        }
    }

    /// Whether nothing is left to do, unless a handler is added.
    var isOver: Bool {
        if case .over = run { true } else { false }
    }

    private var run: Run {
        get {
            switch self {
            case .initialized(let run), .resumed(let run), .suspended(let run), .cancelled(let run),
                .abandoned(let run), .finished(let run):
                run
            }
        }
        set {
            switch self {
            case .initialized: self = .initialized(newValue)
            case .resumed: self = .resumed(newValue)
            case .suspended: self = .suspended(newValue)
            case .cancelled: self = .cancelled(newValue)
            case .abandoned: self = .abandoned(newValue)
            case .finished: self = .finished(newValue)
            }
        }
    }

    // MARK: Transitions by the user

    /// The user, or the first handler, starts or resumes the request.
    mutating func resume() -> Effects {
        switch self {
        case .initialized(let run), .suspended(let run):
            self = .resumed(run.released)
            return Effects(happened: true, begins: run.isIdle ? .attempt : nil, waiter: run.waiter)
        case .resumed, .cancelled, .abandoned, .finished: return Effects()
        }
    }

    /// The request starts by itself, unless the user has resumed, suspended or cancelled it before.
    mutating func start() -> Effects {
        guard case .initialized = self else { return Effects() }
        return resume()
    }

    /// The user suspends the request.
    mutating func suspend() -> Effects {
        switch self {
        case .initialized(let run), .resumed(let run):
            self = .suspended(run)
            return Effects(happened: true)
        case .suspended, .cancelled, .abandoned, .finished: return Effects()
        }
    }

    /// The user cancels the request. If it has not begun, it runs now, so that its handlers are called.
    mutating func cancel() -> Effects {
        switch self {
        case .initialized(let run), .resumed(let run), .suspended(let run):
            self = .cancelled(run.released)
            return run.endingEffects
        case .cancelled, .abandoned, .finished: return Effects()
        }
    }

    /// The user closes the connection of the request. It counts as cancelled, and its run continues to the end of the
    /// connection.
    mutating func close() -> Effects {
        switch self {
        case .initialized(let run), .resumed(let run), .suspended(let run):
            self = .cancelled(run.released)
            return Effects(happened: true, waiter: run.waiter)
        case .cancelled, .abandoned, .finished: return Effects()
        }
    }

    /// The user cancels the task of the attempt. The request is not ended: retriers are called.
    mutating func interrupt() -> Effects {
        guard !isEnded else { return Effects() }
        switch run {
        case .running(let task):
            run = .interrupted(task)
            return Effects(pipeline: task)
        case .held(let task, let waiter):
            run = .interrupted(task)
            return Effects(waiter: waiter, pipeline: task)
        case .idle, .interrupted, .pausing, .delivering, .over: return Effects()
        }
    }

    /// The session was released.
    mutating func abandon() -> Effects {
        switch self {
        case .initialized(let run), .resumed(let run), .suspended(let run):
            self = .abandoned(run.released)
            return run.endingEffects
        case .cancelled, .abandoned, .finished: return Effects()
        }
    }

    /// A handler was added. After the end of the request, it causes another run, which only serializes and delivers.
    mutating func addHandler() -> Effects {
        switch self {
        case .finished(.over): self = .resumed(.running(nil))
        case .cancelled(.over): self = .cancelled(.running(nil))
        case .finished(let run):
            self = .resumed(run)
            return Effects()
        case .initialized, .resumed, .suspended, .cancelled, .abandoned: return Effects()
        }
        return Effects(begins: .lateHandlers)
    }

    // MARK: Transitions by the run

    /// Begins a run before the user resumes the request. Returns `false` if one has begun already.
    mutating func begin() -> Bool {
        guard case .idle = run else { return false }
        run = .running(nil)
        return true
    }

    /// Stores the task of the run. Returns whether the caller has to cancel it because the request was ended meanwhile,
    /// or the attempt interrupted.
    mutating func attach(_ task: ThrowingTask) -> Bool {
        switch run {
        case .running(nil): run = .running(task)
        case .held(nil, let waiter): run = .held(task, waiter)
        case .interrupted(nil): run = .interrupted(task)
        case .pausing(nil): run = .pausing(task)
        case .delivering(nil): run = .delivering(task)
        case .idle, .running, .held, .interrupted, .pausing, .delivering, .over: break
        }
        return endsAttempt
    }

    /// Forgets the task of the run, which ends. Another task continues the run later.
    mutating func detach() {
        switch run {
        case .running: run = .running(nil)
        case .interrupted: run = .interrupted(nil)
        case .idle, .held, .pausing, .delivering, .over: break
        }
    }

    /// The interrupted attempt has ended. Returns whether another task has to continue the run: the caller's was
    /// cancelled, which would end the next attempt as well.
    mutating func endInterruption() -> Bool {
        guard !isEnded, case .interrupted(let task) = run else { return false }
        run = .running(nil)
        return task != nil
    }

    /// Makes the run wait for the request to be resumed. Returns whether it has to wait.
    ///
    /// - Parameters:
    ///   - waiter: The run.
    ///   - taskHold: Whether the task of the attempt is suspended; `nil` if it follows the request.
    mutating func hold(_ waiter: Waiter, as taskHold: Bool? = nil) -> Bool {
        guard taskHold ?? isHeld, case .running(let task) = run else { return false }
        run = .held(task, waiter)
        return true
    }

    /// The task of the attempt was resumed, and the request was not. Returns the run that waited.
    mutating func release() -> Waiter? {
        guard case .held(let task, let waiter) = run else { return nil }
        run = .running(task)
        return waiter
    }

    /// Begins the wait for the time of a retry. A handler that was added during the delivery may have requested it.
    mutating func beginPause() {
        switch run {
        case .running(let task), .delivering(let task): run = .pausing(task)
        case .idle, .held, .interrupted, .pausing, .over: break
        }
    }

    /// Ends the wait for the time of a retry. Returns whether to retry.
    mutating func endPause() -> Bool {
        if case .pausing(let task) = run { run = .running(task) }
        return !isEnded
    }

    /// All handlers have results, which are delivered now.
    mutating func finish() {
        let delivering = Run.delivering(run.task)
        if case .cancelled = self { self = .cancelled(delivering) } else { self = .finished(delivering) }
    }

    /// The results have been delivered.
    ///
    /// - Parameter hasMore: Whether handlers were added meanwhile, for which the run continues.
    mutating func endDelivery(hasMore: Bool) {
        run = hasMore ? .running(run.task) : .over
    }
}

extension RequestLifecycle.Run {
    fileprivate var isIdle: Bool { if case .idle = self { true } else { false } }

    fileprivate var isInterrupted: Bool { if case .interrupted = self { true } else { false } }

    fileprivate var waiter: Waiter? {
        if case .held(_, let waiter) = self { waiter } else { nil }
    }

    fileprivate var task: ThrowingTask? {
        switch self {
        case .running(let task), .held(let task, _), .interrupted(let task), .pausing(let task), .delivering(let task):
            task
        case .idle, .over: nil
        }
    }

    /// The run after the request was resumed or ended.
    fileprivate var released: Self {
        switch self {
        case .idle: .running(nil)
        case .held(let task, _): .running(task)
        case .running, .interrupted, .pausing, .delivering, .over: self
        }
    }

    /// The effects of ending the request.
    fileprivate var endingEffects: RequestLifecycle.Effects {
        var effects = RequestLifecycle.Effects(happened: true, begins: isIdle ? .attempt : nil, waiter: waiter)
        effects.pipeline = task
        if case .pausing = self { effects.dismissesFailure = true }
        return effects
    }
}
