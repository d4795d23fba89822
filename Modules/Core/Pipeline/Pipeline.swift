internal import AirframeTransport
internal import Foundation
internal import HTTPTypes
internal import Synchronization

// The life of a request, read from top to bottom: make, adapt, send, receive, validate, retry or go on, serialize,
// deliver. It runs in one task, wherever that task runs; a queue is entered only when the user named one.

extension Request {
    /// Where a run through the pipeline begins.
    enum Entry {
        /// With an attempt.
        case attempt
        /// With handlers that were added after the request had finished.
        case lateHandlers
    }

    /// Begins the first attempt before the request is resumed: its `URLRequest` and its task are made, and nothing is
    /// sent yet. `session` is held until the task has been made, so that a session that its user drops at once can
    /// still make it.
    func prepareEagerly(for session: Session) {
        let begins = mutable.withLock { state in
            guard state.lifecycle.begin() else { return false }
            state.withHandlers { $0.preparingSession = session }
            return true
        }
        if begins { run(from: .attempt, .detached) }
    }

    /// Releases the session that eager preparation held. Its `deinit` may end this request: no lock is held here.
    private func endEagerPreparation() {
        guard hasHandlers else { return }
        let session = mutable.withLock { $0.handlers?.preparingSession.take() }
        withExtendedLifetime(session) {}
    }

    func run(from entry: Entry, _ start: PipelineStart) {
        // The task of a detached run has a priority that says nothing of its caller.
        if case .detached = start {
            let priority = Task.currentPriority
            mutable.withLock { $0.callerPriority = priority }
        }
        let executor = withUnsafeCurrentTask { $0?.unownedTaskExecutor?.asTaskExecutor() }
        let task =
            switch start {
            case .detached:
                Task(executorPreference: executor, priority: .exchange) { await self.live(from: entry) }
            case .immediate: Task.immediate(executorPreference: executor) { await self.live(from: entry) }
            }
        if mutable.withLock({ $0.lifecycle.attach(task) }) { task.cancel() }
    }

    private func live(from entry: Entry) async {
        var entry = entry
        if case .attempt = entry, let limit = context.allAttemptsLimit {
            let end = context.clock.now.advanced(by: limit)
            mutable.withLock { $0.end = end }
        }
        while true {
            if case .attempt = entry {
                await attempt()
                if hasFailed, let retry = await retryAfterFailure() {
                    await prepareForRetry(after: retry.delay)
                    continue
                }
                if isAnnouncing { await untilAnnounced() }
                monitors?.requestDidFinish(self)
                post(.didFinish)
            }
            var delivery = deliverAtOnce()
            while case .waiting(let rest) = delivery { delivery = note(await rest()) ?? deliverAtOnce() }
            guard case .retry(let retry) = delivery else { return }
            await prepareForRetry(after: retry.delay)
            entry = .attempt
        }
    }

    // MARK: One attempt

    /// Makes, sends, receives and validates once. What fails is found in `error`.
    private func attempt() async {
        if isAnnouncing { await untilAnnounced() }
        guard !isEnded else { return endEagerPreparation() }
        do throws(AFError) {
            let urlRequest: URLRequest
            if let made = try prepareAtOnce() { urlRequest = made } else { urlRequest = try await prepareURLRequest() }
            guard let task = begin(urlRequest) else { return endEagerPreparation() }
            endEagerPreparation()
            let recorder = AttemptRecorder(request: self, task: task)
            // The task of a request that has not been resumed, or is suspended, waits; a cancelled one ends.
            var mayBeSent = mayGoOnAtOnce
            if !mayBeSent { mayBeSent = await mayGoOn() }
            if mayBeSent {
                do throws(AFError) {
                    try await exchange(urlRequest, task, recorder)
                } catch {
                    fail(with: error)
                    if error.isServerTrustEvaluationError {
                        monitors?.request(self, didFailTask: task, earlyWithError: error)
                    }
                }
            }
            let failure = self.error
            task.noteCompleted(with: failure)
            if isAnnouncing { await untilAnnounced() }
            complete(task, recorder, failure)
        } catch {
            fail(with: error)
            endEagerPreparation()
        }
    }

    /// Sends the request and takes the response.
    @inline(__always)
    private func exchange(
        _ urlRequest: URLRequest,
        _ task: URLSessionTask,
        _ recorder: AttemptRecorder
    ) async throws(AFError) {
        do {
            if context.allowsLocalURLs, let head = LocalTransport.head(for: urlRequest) {
                return try await exchangeLocally(head, task)
            }
            var request = try transportRequest(for: urlRequest, task: task, recorder: recorder)
            if context.allAttemptsLimit != nil, let end = mutable.withLock({ $0.end }) {
                try request.end(by: end, on: context.clock)
            }
            var response: TransportResponse
            if let exchanger {
                response = try await exchanger(request, context.transport)
            } else {
                response = try await context.transport.send(request)
            }
            if isResuming { response = try await resuming(response, to: request) }
            if interceptsResponses { response = try await intercepted(response) }
            task.didReceive(response, answering: request.head)
            if !receiveAtOnce(response, for: task) { try await receive(response, for: task) }
        } catch let error as TransportError {
            throw AFError.transport(error, url: task.currentRequest?.url)
        } catch {
            throw error.asAFError(or: .sessionTaskFailed(error: error))
        }
    }

    /// Answers a request for a `file:` or `data:` URL. No layer sees it, so that no redirect leads there.
    private func exchangeLocally(_ head: HTTPRequest, _ task: URLSessionTask) async throws {
        let response = try await LocalTransport().send(TransportRequest(head))
        task.didReceive(response, answering: head)
        if !receiveAtOnce(response, for: task) { try await receive(response, for: task) }
    }

    /// Makes the task of an attempt; `nil` for a request that was ended meanwhile.
    ///
    /// The task is resumed if the request is. Otherwise the call that resumes the request resumes the task too: the
    /// announcement of the task goes through the queue of ``Announcements``, so that monitors hear of it first.
    private func begin(_ urlRequest: URLRequest) -> URLSessionTask? {
        let task = makeTask(for: urlRequest)
        let (state, announcement) = mutable.withLock { $0.adopt(task) }
        switch state {
        case .resumed:
            monitors?.request(self, didCreateTask: task)
            tellHandlers(of: task)
            task.noteResumed()
            monitors?.request(self, didResumeTask: task)
            post(.didResumeTask)
        case .initialized, .suspended:
            if let announcement { announce(announcement) }
            tellHandlers(of: task)
        case .cancelled, .finished: return nil
        }
        return task
    }

    /// Closes the books on an attempt: metrics, the task's end, validation.
    private func complete(_ task: URLSessionTask, _ recorder: AttemptRecorder, _ failure: AFError?) {
        let metrics = recorder.metrics
        metrics.finish(clock: context.clock)
        let (monitor, validators) = mutable.withLock { state in
            state.metrics.append(metrics)
            return (state.monitor, state.validators)
        }
        if let monitor {
            monitor.urlSession(context.urlSession, task: task, didFinishCollecting: metrics)
            monitor.request(self, didGatherMetrics: metrics)
            monitor.urlSession(context.urlSession, task: task, didCompleteWithError: task.error)
        }
        validate(by: validators)
        monitor?.request(self, didCompleteTask: task, with: failure)
        post(.didCompleteTask)
    }

    /// Notes why the request failed, unless it failed before.
    func fail(with error: AFError) {
        mutable.withLock { $0.error = $0.error ?? error }
    }

    // MARK: Between attempts

    /// A retry that was asked for, after a number of seconds.
    private struct Retry {
        let delay: TimeInterval?
    }

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

    private func prepareForRetry(after delay: TimeInterval?) async {
        let clock = context.clock
        mutable.withLock { $0.lifecycle.beginPause() }
        if !isEnded, let delay, delay > 0 {
            // Cancelled while it waits: the next attempt sees it at once and ends.
            try? await clock.sleep(for: .clamping(seconds: delay))
        }
        let attempt = mutable.withLock { state -> Int? in
            guard state.lifecycle.endPause() else { return nil }
            state.retryCount += 1
            state.completions.removeAll()
            return state.retryCount + 1
        }
        guard let attempt else { return }
        reset()
        monitors?.requestIsRetrying(self)
        let decision = TransportDecision(
            .retried(attempt: attempt),
            reason: "a retrier asked for it, after \(delay ?? 0) s"
        )
        // The exchange of the failed attempt is unknown here: the decision belongs to the request.
        monitors?.request(
            self, didReceive: TransportEvent(.decided(decision), of: ExchangeIdentifier(), at: clock.now))
    }

    /// Whether the request was ended from outside.
    var isEnded: Bool { mutable.withLock { $0.isEnded } }

    /// Whether ``mayGoOn()`` would say yes without waiting: asking it costs what any asynchronous function does.
    var mayGoOnAtOnce: Bool { mutable.withLock { !$0.lifecycle.isHeld && !$0.isEnded } }

    /// Waits while the request is suspended, or was not resumed yet.
    ///
    /// - Returns: Whether the request may go on; not when it was ended from outside.
    func mayGoOn() async -> Bool {
        let (isHeld, isEnded) = mutable.withLock { ($0.lifecycle.isHeld, $0.isEnded) }
        guard isHeld else { return !isEnded }
        await withCheckedContinuation { continuation in
            let waiter = Waiter(continuation)
            let mustWait = mutable.withLock { $0.lifecycle.hold(waiter) }
            if !mustWait { waiter.resume() }
        }
        return !self.isEnded
    }

    // MARK: Handlers

    /// How far the handlers came.
    private enum Delivery {
        /// All have their results.
        case over
        /// One asked for a retry.
        case retry(Retry)
        /// One has to be waited for.
        case waiting(@Sendable () async -> ResponseStep.Outcome)
    }

    /// Runs the handlers' serializers in order, then delivers all their results, up to the first that has to be waited
    /// for.
    private func deliverAtOnce() -> Delivery {
        while let step = nextStep() {
            switch step.start() {
            case .over(let outcome): if let delivery = note(outcome) { return delivery }
            case .rest(let rest): return .waiting(rest)
            }
        }
        return .over
    }

    /// Notes what became of a handler's part; returns whether that is a retry.
    private func note(_ outcome: ResponseStep.Outcome) -> Delivery? {
        switch outcome {
        case .deliver(let completion):
            mutable.withLock { $0.completions.append(completion) }
            return nil
        case .retry(let delay): return .retry(Retry(delay: delay))
        }
    }

    /// The next handler's part. When there is none left, all results are delivered.
    private func nextStep() -> ResponseStep? {
        while true {
            let (step, completions) = mutable.withLock { state -> (ResponseStep?, Series<@Sendable () -> Void>) in
                if state.completions.count < state.responseSteps.count {
                    return (state.responseSteps[state.completions.count], Series())
                }
                return (nil, state.finish())
            }
            if let step { return step }
            monitors?.requestWillDeliver(self)
            // Before the handlers: one that looks at the session's requests does not find this one.
            context.activeRequests.remove(self)
            for complete in completions { complete() }
            cleanup()
            let (finishHandlers, hasMore) = mutable.withLock { $0.endDelivery() }
            for finish in finishHandlers { finish() }
            guard hasMore else { return nil }
        }
    }
}

extension Request.MutableState {
    /// Ends the run, and returns what is to be delivered.
    fileprivate mutating func finish() -> Series<@Sendable () -> Void> {
        defer { completions.removeAll() }
        lifecycle.finish()
        responseSteps.removeAll()
        return completions
    }

    /// Returns who waits for the end, and whether handlers were added during the delivery.
    fileprivate mutating func endDelivery() -> (finishHandlers: [@Sendable () -> Void], hasMore: Bool) {
        var finishHandlers: [@Sendable () -> Void] = []
        if hasHandlers {
            finishHandlers = handlers?.observers.finish ?? []
            handlers?.observers = Request.Observers()
        }
        let hasMore = !responseSteps.isEmpty
        lifecycle.endDelivery(hasMore: hasMore)
        return (finishHandlers, hasMore)
    }
}

extension TransportRequest {
    /// Brings the deadline forward to the end of all attempts.
    ///
    /// - Throws: A ``TransportError`` when `end` has passed.
    fileprivate mutating func end(by end: MonotonicInstant, on clock: any TransportClock) throws(TransportError) {
        guard clock.now < end else {
            throw TransportError(
                .timedOut,
                phase: .layer,
                processing: .notSent,
                message: "the limit for all attempts (timeoutIntervalForAllAttempts) ran out before this one was sent",
                origin: Origin(head)
            )
        }
        bringDeadlineForward(to: end)
    }
}
