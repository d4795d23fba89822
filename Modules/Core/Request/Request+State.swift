internal import Synchronization

extension Request {
    /// Where a request stands.
    public enum State: Sendable, Hashable {
        /// Made, and not yet told anything.
        case initialized
        /// On its way, or about to be.
        case resumed
        /// Held: nothing is sent, and nothing is taken from the server.
        case suspended
        /// Ended by ``Request/cancel()``.
        case cancelled
        /// Ended, with all handlers called.
        case finished

        /// Whether a request in this state can be brought into `state`.
        public func canTransitionTo(_ state: State) -> Bool {
            switch (self, state) {
            case (.initialized, .initialized), (.cancelled, _), (.finished, _), (_, .initialized): false
            case (.resumed, .resumed), (.suspended, .suspended): false
            case (.initialized, _), (.resumed, _), (.suspended, _): true
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

    /// Starts the request, or lets a suspended one go on. No effect once it is cancelled or finished.
    @discardableResult
    public func resume() -> Self {
        resume(.detached)
    }

    /// Holds the request: it is not sent, or no more of its response is taken, until it is resumed.
    @discardableResult
    public func suspend() -> Self {
        let transition = mutable.withLock { $0.transition(to: .suspended) }
        guard transition.happened else { return self }
        let monitor = monitors
        monitor?.requestDidSuspend(self)
        if let task = transition.task {
            task.noteSuspended()
            monitor?.request(self, didSuspendTask: task)
        }
        return self
    }

    /// Ends the request at once. Its handlers get ``AFError/explicitlyCancelled``, unless it had failed before.
    @discardableResult
    public func cancel() -> Self {
        let transition = mutable.withLock { state in
            let transition = state.transition(to: .cancelled)
            if transition.happened { state.error = state.error ?? .explicitlyCancelled }
            return transition
        }
        guard transition.happened else { return self }
        let monitor = monitors
        monitor?.requestDidCancel(self)
        if let task = transition.task {
            task.noteCancelled()
            monitor?.request(self, didCancelTask: task)
        }
        interrupt(transition)
        return self
    }

    /// Resumes; a request that has not run yet begins to run as `start` says.
    func resume(_ start: PipelineStart) -> Self {
        let transition = mutable.withLock { $0.transition(to: .resumed) }
        guard transition.happened else { return self }
        let monitor = monitors
        monitor?.requestDidResume(self)
        if let task = transition.task {
            task.noteResumed()
            monitor?.request(self, didResumeTask: task)
        }
        for waiter in transition.waiters { waiter.resume() }
        self.start(start)
        return self
    }

    /// Ends the request with an error that is not its own: its session is gone.
    func stop(with error: AFError) {
        let transition = mutable.withLock { state in
            state.error = state.error ?? error
            return state.stop()
        }
        transition.task?.noteCancelled()
        interrupt(transition)
    }

    private func interrupt(_ transition: MutableState.Transition) {
        for waiter in transition.waiters { waiter.resume() }
        transition.pipeline?.cancel()
        // Never started: it runs now, to call its handlers with the error.
        start(.detached)
    }
}
