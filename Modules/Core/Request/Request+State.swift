internal import AirframeTransport
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

    /// Starts the request, or lets a suspended one go on. No effect once it is cancelled or finished.
    @discardableResult
    public func resume() -> Self {
        resume(.detached)
    }

    /// Holds the request: it is not sent, or no more of its response is taken, until it is resumed.
    @discardableResult
    public func suspend() -> Self {
        change(.suspended) { $0.suspend() }
    }

    /// Ends the request at once. Its handlers get ``AFError/explicitlyCancelled``, unless it had failed before.
    @discardableResult
    public func cancel() -> Self {
        change(.cancelled, failure: .explicitlyCancelled) { $0.cancel() }
    }

    /// Resumes; a request that has not run yet begins to run as `start` says.
    func resume(_ start: PipelineStart) -> Self {
        change(.resumed, start) { $0.resume() }
    }

    /// Ends the request with an error that is not its own: its session is gone.
    func abandon(with error: AFError) {
        change(nil, failure: error) { $0.abandon() }
    }

    /// Holds the body that is being sent while the request is held, and lets it go on with the request.
    func holdUpload() {
        mutable.withLock { $0.uploadGate }?.update { mutable.withLock { $0.lifecycle.isHeld } }
    }

    @discardableResult
    private func change(
        _ news: Announcement.News?,
        failure: AFError? = nil,
        _ start: PipelineStart = .detached,
        _ transition: (inout RequestLifecycle) -> RequestLifecycle.Effects
    ) -> Self {
        let isNotified = postsNotifications
        let (effects, announcement) = mutable.withLock {
            $0.change(news, isNotified: isNotified, failure: failure, transition)
        }
        if let announcement { announce(announcement) }
        effects.waiter?.resume()
        effects.pipeline?.cancel()
        holdUpload()
        if let entry = effects.begins { run(from: entry, start) }
        return self
    }
}
