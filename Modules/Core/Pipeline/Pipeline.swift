internal import AirframeTransport
internal import Foundation
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

    /// Begins the request's run, unless it began before.
    func start(_ start: PipelineStart) {
        let isFirst = mutable.withLock { state in
            guard case .idle = state.run else { return false }
            state.run = .running(nil)
            return true
        }
        if isFirst { run(from: .attempt, start) }
    }

    func run(from entry: Entry, _ start: PipelineStart) {
        let task =
            switch start {
            case .detached: Task { await live(from: entry) }
            case .immediate: Task.immediate { await live(from: entry) }
            }
        let isEnded = mutable.withLock { state in
            if case .running(nil) = state.run { state.run = .running(task) }
            return state.isEnded
        }
        if isEnded { task.cancel() }
    }

    private func live(from entry: Entry) async {
        var entry = entry
        while true {
            if case .attempt = entry {
                await attempt()
                if let retry = await retryAfterFailure() {
                    await prepareForRetry(after: retry.delay)
                    continue
                }
                monitors?.requestDidFinish(self)
            }
            guard let retry = await deliver() else { return }
            await prepareForRetry(after: retry.delay)
            entry = .attempt
        }
    }

    // MARK: One attempt

    /// Makes, sends, receives and validates once. What fails is found in `error`.
    private func attempt() async {
        guard !isEnded else { return }
        do throws(AFError) {
            let urlRequest = try await prepareURLRequest()
            guard await mayGoOn() else { return }
            let task = begin(urlRequest)
            do throws(AFError) {
                try await exchange(urlRequest, task)
            } catch {
                fail(with: error)
            }
            complete(task)
        } catch {
            fail(with: error)
        }
    }

    /// Sends the request and takes the response.
    private func exchange(_ urlRequest: URLRequest, _ task: URLSessionTask) async throws(AFError) {
        let recorder = AttemptRecorder(request: self, task: task)
        defer { gather(recorder, task) }
        do {
            let request = try transportRequest(for: urlRequest, task: task, recorder: recorder)
            let response = try await context.transport.send(request)
            task.didReceive(response, answering: request.head)
            try await receive(response, for: task)
        } catch let error as TransportError {
            throw AFError.transport(error, url: task.currentRequest?.url)
        } catch {
            throw error.asAFError(or: .sessionTaskFailed(error: error))
        }
    }

    private func begin(_ urlRequest: URLRequest) -> URLSessionTask {
        let task = makeTask(for: urlRequest)
        mutable.withLock { $0.tasks.append(task) }
        monitors?.request(self, didCreateTask: task)
        tellHandlers(of: task)
        task.noteResumed()
        monitors?.request(self, didResumeTask: task)
        return task
    }

    private func gather(_ recorder: AttemptRecorder, _ task: URLSessionTask) {
        let metrics = recorder.metrics(clock: context.transport.clock)
        mutable.withLock { $0.metrics.append(metrics) }
        monitors?.request(self, didGatherMetrics: metrics)
    }

    private func complete(_ task: URLSessionTask) {
        task.noteCompleted(with: error)
        for validate in mutable.withLock({ $0.validators }) { validate() }
        monitors?.request(self, didCompleteTask: task, with: error)
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
        if let delay, let pause = Duration.limit(seconds: delay), pause > .zero {
            // Cancelled while it waits: the next attempt sees it at once and ends.
            try? await context.transport.clock.sleep(for: pause)
        }
        guard !isEnded else { return }
        mutable.withLock { state in
            state.retryCount += 1
            state.completions = []
        }
        reset()
        monitors?.requestIsRetrying(self)
    }

    /// Whether the request was ended from outside.
    var isEnded: Bool { mutable.withLock { $0.isEnded } }

    /// Waits while the request is suspended, or was not resumed yet.
    ///
    /// - Returns: Whether the request may go on; not when it was ended from outside.
    func mayGoOn() async -> Bool {
        let (mustWait, isEnded) = mutable.withLock { ($0.mustWait, $0.isEnded) }
        guard mustWait else { return !isEnded }
        await withCheckedContinuation { continuation in
            let mustWait = mutable.withLock { state in
                if state.mustWait { state.waiters.append(continuation) }
                return state.mustWait
            }
            if !mustWait { continuation.resume() }
        }
        return !self.isEnded
    }

    // MARK: Handlers

    /// Runs the handlers' serializers in order, then delivers all their results.
    private func deliver() async -> Retry? {
        while let step = nextStep() {
            switch await step.run() {
            case .deliver(let completion): mutable.withLock { $0.completions.append(completion) }
            case .retry(let delay): return Retry(delay: delay)
            }
        }
        return nil
    }

    private func nextStep() -> ResponseStep? {
        let (step, completions) = mutable.withLock { state -> (ResponseStep?, [@Sendable () -> Void]) in
            if state.completions.count < state.responseSteps.count {
                return (state.responseSteps[state.completions.count], [])
            }
            return (nil, state.finish())
        }
        guard step == nil else { return step }
        for completion in completions { completion() }
        cleanup()
        session?.cleanup(after: self)
        return nil
    }
}

extension Request.MutableState {
    var mustWait: Bool { !isEnded && (state == .initialized || state == .suspended) }

    /// Ends the run, and returns what is to be delivered.
    mutating func finish() -> [@Sendable () -> Void] {
        defer { completions = [] }
        if state.canTransitionTo(.finished) { state = .finished }
        run = .done
        responseSteps = []
        return completions
    }
}
