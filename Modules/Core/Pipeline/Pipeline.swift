internal import AirframeTransport
internal import Foundation
internal import Synchronization

// The life of a request: attempts until one succeeds or no retrier asks for another, then the handlers. All of it runs
// in one task. A dispatch queue is entered only if the user named one.

extension Request {
    /// The stage at which a run through the pipeline begins.
    enum Entry {
        /// The first stage: an attempt.
        case attempt
        /// The end of an attempt that lasted as long as a connection.
        case connectionEnd(ConnectionAttempt)
        /// The end of an attempt whose ``URLSessionTask`` was cancelled. Another Swift task continues the run from
        /// here.
        case failure
        /// Serialization for handlers that were added after the request had finished.
        case lateHandlers
    }

    /// An attempt that lasts as long as a connection. No task waits meanwhile: the end of the connection starts another
    /// run. A waiting task held 13 KiB, because a task keeps the memory of the deepest call that it has made.
    final class ConnectionAttempt: Sendable {
        let task: URLSessionTask
        let recorder: AttemptRecorder

        init(_ task: URLSessionTask, _ recorder: AttemptRecorder) {
            self.task = task
            self.recorder = recorder
        }
    }

    /// Begins the first attempt before the request is resumed: creates its `URLRequest` and its task, and sends
    /// nothing.
    ///
    /// - Parameter session: Retained until the task exists, so that a session that its user releases immediately can
    ///   still create it.
    func prepareEagerly(for session: Session) {
        let begins = mutable.withLock { state in
            guard state.lifecycle.begin() else { return false }
            state.withHandlers { $0.preparingSession = session }
            return true
        }
        if begins { run(from: .attempt, .detached) }
    }

    /// Releases the session that eager preparation retained. Its `deinit` may cancel this request, so no lock is held.
    func endEagerPreparation() {
        guard hasHandlers else { return }
        let session = mutable.withLock { $0.handlers?.preparingSession.take() }
        withExtendedLifetime(session) {}
    }

    /// Starts the task that runs the pipeline, on the executor of the calling task.
    func run(from entry: Entry, _ start: PipelineStart) {
        // A detached run has the priority of exchanges, so the caller's is recorded for the pool's queue.
        if case .detached = start {
            let priority = Task.currentPriority.rawValue
            mutable.withLock { $0.callerPriority = priority }
        }
        run(from: entry, start, on: Self.currentExecutor)
    }

    /// The executor that the calling task prefers.
    static var currentExecutor: (any TaskExecutor)? {
        withUnsafeCurrentTask { $0?.unownedTaskExecutor?.asTaskExecutor() }
    }

    /// Starts the task that runs the pipeline, on `executor`.
    func run(from entry: Entry, _ start: PipelineStart, on executor: (any TaskExecutor)?) {
        let task =
            switch start {
            case .detached:
                ThrowingTask.started(on: executor, priority: .exchange) { await self.runPipeline(from: entry) }
            case .immediate:
                if let executor {
                    ThrowingTask.immediate(executorPreference: executor) { await self.runPipeline(from: entry) }
                } else if ResumedTasks.areManyInPool {
                    ThrowingTask { await self.runPipeline(from: entry) }
                } else {
                    ThrowingTask.immediate { await self.runPipeline(from: entry) }
                }
            }
        if mutable.withLock({ $0.lifecycle.attach(task) }) { task.cancel() }
    }

    private func runPipeline(from entry: Entry) async {
        if case .attempt = entry { startLimitOfAllAttempts() }
        var entry = entry
        while true {
            if !entry.isLate {
                guard await attempt(from: entry) else { return }
                if hasFailed {
                    if leaveInterruptedRun() { return }
                    if let retry = await retryAfterFailure() {
                        await pause(before: retry)
                        entry = .attempt
                        continue
                    }
                }
                await announcementsDelivered()
                reportFinish()
            }
            switch await serialize() {
            case .retry(let retry):
                await pause(before: retry)
                entry = .attempt
            case .deliver(let completions):
                deliver(completions)
                cleanup()
                guard endDelivery() else { return }
                entry = .lateHandlers
            }
        }
    }

    /// Runs an attempt, or its end. Returns `false` if a connection is open, whose end starts another run.
    @inline(__always)
    private func attempt(from entry: Entry) async -> Bool {
        switch entry {
        case .attempt, .lateHandlers: return await attempt()
        case .connectionEnd(let held):
            await complete(held)
            return true
        case .failure: return true
        }
    }

    /// Continues the run in another Swift task if the attempt's ``URLSessionTask`` was cancelled, which cancelled this
    /// Swift task as well. The cancellation must reach neither retriers nor the next attempt.
    ///
    /// - Returns: Whether another Swift task continues.
    private func leaveInterruptedRun() -> Bool {
        guard mutable.withLock({ $0.lifecycle.endInterruption() }) else { return false }
        run(from: .failure, .detached, on: Self.currentExecutor)
        return true
    }

    private func startLimitOfAllAttempts() {
        guard let limit = context.allAttemptsLimit else { return }
        let end = context.clock.now.advanced(by: limit)
        mutable.withLock { $0.end = end }
    }

    // MARK: Retries

    /// A retry that a retrier or a handler requested.
    private struct Retry {
        /// The delay in seconds.
        let delay: TimeInterval?
    }

    /// Asks the retriers whether to repeat a failed attempt.
    @inline(never)
    private func retryAfterFailure() async -> Retry? {
        guard let error else { return nil }
        switch await retryVerdict(dueTo: error) {
        case .retry(let delay): return Retry(delay: delay)
        case .doNotRetry: return nil
        case .doNotRetryWithError(let retryError):
            self.error = retryError
            return nil
        }
    }

    /// Waits for the time of a retry and discards the state of the failed attempt.
    @inline(never)
    private func pause(before retry: Retry) async {
        let clock = context.clock
        mutable.withLock { $0.lifecycle.beginPause() }
        becomeActive()
        if !isEnded, let delay = retry.delay, delay > 0 {
            // Cancellation ends the sleep; the next attempt then ends immediately.
            try? await clock.sleep(for: .clamping(seconds: delay))
        }
        let attempt = mutable.withLock { state -> Int? in
            // Also for a request that was ended meanwhile: all of its handlers receive that error.
            state.completions.removeAll()
            guard state.lifecycle.endPause() else { return nil }
            state.retryCount += 1
            return state.retryCount + 1
        }
        guard let attempt else { return }
        reset()
        monitors?.requestIsRetrying(self)
        let decision = TransportDecision(
            .retried(attempt: attempt),
            reason: "a retrier asked for it, after \(retry.delay ?? 0) s"
        )
        // The identifier of the failed exchange is unknown here, so the event gets one of its own.
        monitors?.request(
            self, didReceive: TransportEvent(.decided(decision), of: ExchangeIdentifier(), at: clock.now))
    }

    /// Adds the request to those of its session again, for a retry that a handler has caused that was added after the
    /// end.
    private func becomeActive() {
        guard place.load(ordering: .relaxed) == Self.noPlace else { return }
        if !context.activeRequests.insert(self) { abandon(with: .sessionDeinitialized) }
    }

    // MARK: Suspension

    /// Whether the request was cancelled or its session was released.
    var isEnded: Bool { mutable.withLock { $0.isEnded } }

    /// Whether the request was ended, or the task of its attempt was cancelled.
    var endsAttempt: Bool { mutable.withLock { $0.lifecycle.endsAttempt } }

    /// Whether the request is neither suspended nor ended, and the task of its attempt was not cancelled.
    var mayProceed: Bool { mutable.withLock { $0.mayProceed } }

    /// Waits while the request is suspended or has not been resumed.
    ///
    /// - Returns: Whether the attempt may proceed: `false` if the request or its task was cancelled, or its session was
    ///   released.
    @inline(__always)
    func resumed() async -> Bool {
        mayProceed ? true : await waitUntilResumed()
    }

    // Not inlined, for the same reason as `waitForAnnouncements()`.
    @inline(never)
    private func waitUntilResumed() async -> Bool {
        // Another call may have suspended the request again before this task resumes. An interrupted run is not held.
        while mutable.withLock({ $0.isHeld && !$0.lifecycle.endsAttempt }) {
            await withCheckedContinuation { continuation in
                let waiter = Waiter(continuation)
                let mustWait = mutable.withLock { $0.hold(waiter) }
                if !mustWait { waiter.resume() }
            }
        }
        return !endsAttempt
    }

    // MARK: Handlers

    /// The result of the handlers' serializers.
    private enum Serialization {
        /// Every handler has a result; the closures deliver them.
        case deliver(Series<DeferredCall>)
        /// A handler requested a retry.
        case retry(Retry)
    }

    /// Runs the handlers' serializers in order. No result is delivered before all serializers have run, so that any
    /// of them can still request a retry.
    @inline(__always)
    private func serialize() async -> Serialization {
        while true {
            let (step, completions) = mutable.withLock { $0.nextStep() }
            guard let step else { return .deliver(completions) }
            switch await step.run() {
            case .deliver(let completion): mutable.withLock { $0.completions.append(DeferredCall(completion)) }
            case .retry(let delay): return .retry(Retry(delay: delay))
            }
        }
    }

    /// Reports the end of the request. A request without handlers is finished by then, as in Alamofire.
    @inline(__always)
    private func reportFinish() {
        let (monitor, isFinished) = mutable.withLock { $0.finishWithoutHandlers() }
        if isFinished { context.activeRequests.remove(self) }
        monitor?.requestDidFinish(self)
        post(.didFinish)
        if isFinished { mutable.withLock { $0.continueForHandlers() } }
    }

    /// Delivers the handlers' results.
    private func deliver(_ completions: Series<DeferredCall>) {
        monitors?.requestWillDeliver(self)
        // First, so that a handler that looks at the session's requests does not find this one.
        context.activeRequests.remove(self)
        for complete in completions { complete() }
    }

    /// Ends the run and notifies observers of the request's end.
    ///
    /// - Returns: Whether handlers were added during the delivery.
    private func endDelivery() -> Bool {
        let (observers, hasMore) = mutable.withLock { $0.endDelivery() }
        for observer in observers { observer() }
        return hasMore
    }
}

extension Request.Entry {
    fileprivate var isLate: Bool { if case .lateHandlers = self { true } else { false } }
}

extension Request.MutableState {
    /// Returns the next handler's step. If there is none, finishes the request and returns the calls that deliver
    /// results.
    fileprivate mutating func nextStep() -> (step: ResponseStep?, completions: Series<DeferredCall>) {
        if completions.count < responseSteps.count { return (responseSteps[completions.count], Series()) }
        defer { completions.removeAll() }
        lifecycle.finish()
        responseSteps.removeAll()
        return (nil, completions)
    }

    /// Finishes the request if it has no handlers. Returns the monitor to notify, and whether the request is finished.
    fileprivate mutating func finishWithoutHandlers() -> (monitor: CompositeEventMonitor?, isFinished: Bool) {
        guard responseSteps.isEmpty else { return (monitor, false) }
        lifecycle.finish()
        return (monitor, true)
    }

    /// Continues the run of a finished request if a monitor has added handlers.
    fileprivate mutating func continueForHandlers() {
        if !responseSteps.isEmpty { lifecycle.endDelivery(hasMore: true) }
    }

    /// Returns the observers of the request's end, and whether handlers were added during the delivery.
    fileprivate mutating func endDelivery() -> (observers: [@Sendable () -> Void], hasMore: Bool) {
        var observers: [@Sendable () -> Void] = []
        if hasHandlers {
            observers = handlers?.observers.finish ?? []
            handlers?.observers = Request.Observers()
        }
        let hasMore = !responseSteps.isEmpty
        lifecycle.endDelivery(hasMore: hasMore)
        return (observers, hasMore)
    }
}
