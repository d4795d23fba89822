internal import AirframeTransport
internal import Synchronization

extension Request {
    /// The state of a request.
    public enum State: Sendable, Hashable {
        /// Created and not resumed.
        case initialized
        /// Under way, or about to be.
        case resumed
        /// Suspended: nothing is sent or received.
        case suspended
        /// Cancelled by ``Request/cancel()``.
        case cancelled
        /// Finished, with all handlers called.
        case finished

        /// Returns whether a request in this state can change to `state`.
        public func canTransitionTo(_ state: State) -> Bool {
            switch (self, state) {
            case (.initialized, _): true
            case (.cancelled, _), (.finished, _), (_, .initialized): false
            case (.resumed, .resumed), (.suspended, .suspended): false
            case (.resumed, _), (.suspended, _): true
            }
        }
    }

    /// The request's state.
    public var state: State { mutable.withLock { $0.state } }
    /// Whether the state is ``State/initialized``.
    public var isInitialized: Bool { state == .initialized }
    /// Whether the state is ``State/resumed``.
    public var isResumed: Bool { state == .resumed }
    /// Whether the state is ``State/suspended``.
    public var isSuspended: Bool { state == .suspended }
    /// Whether the state is ``State/cancelled``.
    public var isCancelled: Bool { state == .cancelled }
    /// Whether the state is ``State/finished``.
    public var isFinished: Bool { state == .finished }

    /// Starts the request, or resumes a suspended one. Has no effect once the request is cancelled or finished.
    @discardableResult
    public func resume() -> Self {
        resume(.detached)
    }

    /// Suspends the request: nothing is sent or received until it is resumed.
    @discardableResult
    public func suspend() -> Self {
        change(.suspended) { $0.suspend() }
    }

    /// Cancels the request. Its handlers receive ``AFError/explicitlyCancelled``, unless the request had failed before.
    @discardableResult
    public func cancel() -> Self {
        change(.cancelled, failure: .explicitlyCancelled) { $0.cancel() }
    }

    /// Cancels the request because its handler rejected the head of the response. Monitors are not notified of a
    /// cancellation, because the user has not called ``cancel()``.
    func cancelAtHead() {
        change(nil, failure: .explicitlyCancelled) { $0.cancel() }
    }

    /// Cancels the request and lets its run continue to the end of its connection, which is being closed.
    func cancelAtClose() {
        let isNotified = postsNotifications
        let (waiter, announcement) = mutable.withLock { $0.close(isNotified: isNotified) }
        if let announcement { announce(announcement) }
        waiter?.resume()
    }

    /// Cancels the task of an attempt and not the request, which fails with the task unless a retrier asks for another
    /// attempt.
    func interrupt(_ task: URLSessionTask) {
        guard let effects = mutable.withLock({ $0.interrupt(task) }) else { return }
        effects.waiter?.resume()
        effects.pipeline?.cancel()
        interruptConnection()
    }

    /// Suspends or resumes the task of an attempt. The state of the request does not change, and monitors are not
    /// notified.
    func hold(_ task: URLSessionTask, _ isHeld: Bool) {
        mutable.withLock { $0.hold(task, isHeld) }?.resume()
        holdUpload()
    }

    /// Resumes the request. If it has not begun, it begins on the thread that `start` selects.
    func resume(_ start: PipelineStart) -> Self {
        change(.resumed, start) { $0.resume() }
    }

    /// Starts the request, unless it was resumed, suspended or cancelled before.
    package func start() {
        change(.resumed) { $0.start() }
    }

    /// Ends the request with an error because its session was released.
    func abandon(with error: AFError) {
        change(nil, failure: error) { $0.abandon() }
    }

    /// Closes the upload's gate if the request is suspended, and opens it otherwise.
    func holdUpload() {
        mutable.withLock { $0.uploadGate }?.update { mutable.withLock { $0.isHeld } }
    }

    @discardableResult
    private func change(
        _ change: Announcement.Change?,
        failure: AFError? = nil,
        _ start: PipelineStart = .detached,
        _ transition: (inout RequestLifecycle) -> RequestLifecycle.Effects
    ) -> Self {
        let isNotified = postsNotifications
        let (effects, announcement) = mutable.withLock {
            $0.change(change, isNotified: isNotified, failure: failure, transition)
        }
        if let announcement { announce(announcement) }
        effects.waiter?.resume()
        effects.pipeline?.cancel()
        if effects.happened, failure != nil { interruptConnection() }
        holdUpload()
        if let entry = effects.begins { run(from: entry, start) }
        return self
    }
}
