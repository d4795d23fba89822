internal import Foundation

/// The life of a request, from its making to the delivery of its results.
///
/// One value says both what the user is shown (``Request/State``) and where the run through the pipeline stands, so that
/// no combination exists that has no meaning. Each function is one transition. It calls nothing: it returns what is to
/// be done once the lock that guards the value has been released.
enum RequestLifecycle {
    /// Made, and not resumed. A run may be under way: a session that sets requests up eagerly prepares them.
    case initialized(Run)
    /// On its way, or about to be.
    case resumed(Run)
    /// Held.
    case suspended(Run)
    /// Ended by its user; the run goes on to its end, so that handlers are called.
    case cancelled(Run)
    /// Ended because its session is gone; becomes finished at the end of its run.
    case abandoned(Run)
    /// Ended. The results are on their way to the handlers, or have been delivered.
    case finished(Run)

    /// Where the run through the pipeline stands.
    enum Run {
        /// Nothing has run yet.
        case idle
        /// It runs. The task is known as soon as it has been started.
        case running(Task<Void, Never>?)
        /// It waits for the request to be resumed.
        case held(Task<Void, Never>?, Waiter)
        /// An attempt failed and another was decided on; the run waits for its time.
        case pausing(Task<Void, Never>?)
        /// All results are there and are being delivered. Whoever adds a handler now leaves it to this run, so that
        /// results go out in the order of their handlers.
        case delivering(Task<Void, Never>?)
        /// All results were delivered.
        case over
    }

    /// What a transition sets in motion.
    struct Effects {
        /// Whether the request's state changed, of which monitors are told.
        var happened = false
        /// Where a run is to begin, if one is.
        var begins: Request.Entry?
        /// Who waits for the request to be resumed.
        var waiter: Waiter?
        /// The run that is to be cancelled.
        var pipeline: Task<Void, Never>?
        /// Whether the failure of the last attempt no longer counts: a retry had been decided on.
        var dismissesFailure = false
    }

    /// What the user is shown.
    var state: Request.State {
        switch self {
        case .initialized: .initialized
        case .resumed, .abandoned: .resumed
        case .suspended: .suspended
        case .cancelled: .cancelled
        case .finished: .finished
        }
    }

    /// Whether the request was ended from outside, and its run must come to an end.
    var isEnded: Bool {
        switch self {
        case .cancelled, .abandoned: true
        case .initialized, .resumed, .suspended, .finished: false
        }
    }

    /// Whether a run has to wait until the request is resumed.
    var isHeld: Bool {
        switch self {
        case .initialized, .suspended: true
        case .resumed, .cancelled, .abandoned, .finished: false
        }
    }

    /// Whether there is nothing left to happen, unless a handler is added.
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

    // MARK: What users do

    /// The user, or the first handler, starts the request or lets it go on.
    mutating func resume() -> Effects {
        switch self {
        case .initialized(let run), .suspended(let run):
            self = .resumed(run.released)
            return Effects(happened: true, begins: run.isIdle ? .attempt : nil, waiter: run.waiter)
        case .resumed, .cancelled, .abandoned, .finished: return Effects()
        }
    }

    /// The user holds the request.
    mutating func suspend() -> Effects {
        switch self {
        case .initialized(let run), .resumed(let run):
            self = .suspended(run)
            return Effects(happened: true)
        case .suspended, .cancelled, .abandoned, .finished: return Effects()
        }
    }

    /// The user ends the request. One that has not begun runs now, to call its handlers.
    mutating func cancel() -> Effects {
        switch self {
        case .initialized(let run), .resumed(let run), .suspended(let run):
            self = .cancelled(run.released)
            return run.endingEffects
        case .cancelled, .abandoned, .finished: return Effects()
        }
    }

    /// The session is gone.
    mutating func abandon() -> Effects {
        switch self {
        case .initialized(let run), .resumed(let run), .suspended(let run):
            self = .abandoned(run.released)
            return run.endingEffects
        case .cancelled, .abandoned, .finished: return Effects()
        }
    }

    /// A handler was added. Behind the end it brings a run of its own, which only serializes and delivers.
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

    // MARK: What the run does

    /// Begins a run without a word of the user's, unless one began before. Returns whether it did.
    mutating func begin() -> Bool {
        guard case .idle = run else { return false }
        run = .running(nil)
        return true
    }

    /// Notes the task of the run. Returns whether the task has to be cancelled: the request was ended meanwhile.
    mutating func attach(_ task: Task<Void, Never>) -> Bool {
        switch run {
        case .running(nil): run = .running(task)
        case .held(nil, let waiter): run = .held(task, waiter)
        case .pausing(nil): run = .pausing(task)
        case .delivering(nil): run = .delivering(task)
        case .idle, .running, .held, .pausing, .delivering, .over: break
        }
        return isEnded
    }

    /// The run wants to wait until the request is resumed. Returns whether it has to.
    mutating func hold(_ waiter: Waiter) -> Bool {
        guard isHeld, case .running(let task) = run else { return false }
        run = .held(task, waiter)
        return true
    }

    /// A retry was decided on, and waits for its time.
    mutating func beginPause() {
        if case .running(let task) = run { run = .pausing(task) }
    }

    /// The time for the retry has come. Returns whether there is to be one.
    mutating func endPause() -> Bool {
        if case .pausing(let task) = run { run = .running(task) }
        return !isEnded
    }

    /// All handlers have their results, which are delivered now.
    mutating func finish() {
        let delivering = Run.delivering(run.task)
        if case .cancelled = self { self = .cancelled(delivering) } else { self = .finished(delivering) }
    }

    /// The results were delivered.
    ///
    /// - Parameter hasMore: Whether handlers were added meanwhile; the run goes on with them.
    mutating func endDelivery(hasMore: Bool) {
        run = hasMore ? .running(run.task) : .over
    }
}

extension RequestLifecycle.Run {
    fileprivate var isIdle: Bool { if case .idle = self { true } else { false } }

    fileprivate var waiter: Waiter? {
        if case .held(_, let waiter) = self { waiter } else { nil }
    }

    fileprivate var task: Task<Void, Never>? {
        switch self {
        case .running(let task), .held(let task, _), .pausing(let task), .delivering(let task): task
        case .idle, .over: nil
        }
    }

    /// The run once the request may go on, or must end.
    fileprivate var released: Self {
        switch self {
        case .idle: .running(nil)
        case .held(let task, _): .running(task)
        case .running, .pausing, .delivering, .over: self
        }
    }

    /// What ending the request sets in motion.
    fileprivate var endingEffects: RequestLifecycle.Effects {
        var effects = RequestLifecycle.Effects(happened: true, begins: isIdle ? .attempt : nil, waiter: waiter)
        effects.pipeline = task
        if case .pausing = self { effects.dismissesFailure = true }
        return effects
    }
}
