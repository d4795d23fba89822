internal import AirframeLayers
internal import AirframeTransport
internal import Foundation
internal import HTTPTypes
internal import Synchronization

// One attempt of a request, read from top to bottom: make, adapt, send, receive, validate.
//
// Most requests wait for the network alone. A stage that is marked `@inline(__always)` checks whether it has to wait,
// and calls another asynchronous function only then (Docs/Decisions/0107-stages-look-before-they-wait.md).

extension Request {
    /// Makes, adapts, sends, receives and validates once. Records a failure in `error`.
    ///
    /// - Returns: Whether the attempt is complete. Otherwise a connection is open, whose end starts another run.
    func attempt() async -> Bool {
        await announcementsDelivered()
        guard !isEnded else {
            endEagerPreparation()
            return true
        }
        do throws(AFError) {
            var urlRequest = try await makeInitialRequest()
            try await adapt(&urlRequest)
            guard let task = begin(urlRequest) else {
                endEagerPreparation()
                return true
            }
            endEagerPreparation()
            let recorder = AttemptRecorder(request: self, task: task)
            if await resumed() {
                do throws(AFError) {
                    let response = try await send(urlRequest, task, recorder)
                    guard try await receive(response, for: task) else {
                        leave(until: ConnectionAttempt(task, recorder))
                        return false
                    }
                } catch {
                    fail(task, with: error)
                }
            }
            let failure = await finish(task, recorder)
            validate(by: mutable.withLock { $0.validators })
            reportCompletion(of: task, with: failure)
        } catch {
            fail(with: error)
            endEagerPreparation()
        }
        return true
    }

    /// Completes an attempt after the end of its connection.
    func complete(_ attempt: ConnectionAttempt) async {
        do throws(AFError) {
            try await finishConnection(of: attempt.task)
        } catch {
            fail(attempt.task, with: error)
        }
        let failure = await finish(attempt.task, attempt.recorder)
        validate(by: mutable.withLock { $0.validators })
        reportCompletion(of: attempt.task, with: failure)
    }

    /// Ends the task of an attempt and completes its metrics. The request fails with its task, unless it failed before.
    ///
    /// - Returns: The error of the task. An error that arose after the exchange is the request's alone.
    @inline(__always)
    private func finish(_ task: URLSessionTask, _ recorder: AttemptRecorder) async -> AFError? {
        let failure = task.noteCompleted()
        if let failure { fail(with: failure) }
        await announcementsDelivered()
        finishMetrics(of: task, recorder)
        return failure
    }

    @inline(__always)
    private func reportCompletion(of task: URLSessionTask, with failure: AFError?) {
        monitors?.request(self, didCompleteTask: task, with: failure)
        post(.didCompleteTask)
    }

    /// Ends the run of an attempt that lasts as long as its connection.
    private func leave(until attempt: ConnectionAttempt) {
        let executor = Self.currentExecutor
        mutable.withLock { $0.lifecycle.detach() }
        whenConnectionEnds { [self] in run(from: .connectionEnd(attempt), .detached, on: executor) }
    }

    /// Creates the task of an attempt, or returns `nil` if the request was ended meanwhile.
    ///
    /// The task is resumed if the request is. Otherwise the call that resumes the request resumes the task too. The
    /// announcement of the task goes through the queue of ``Announcements``, so that monitors learn of the task first.
    private func begin(_ urlRequest: URLRequest) -> URLSessionTask? {
        let task = makeTask(for: urlRequest)
        let (state, announcement, handlers) = mutable.withLock { $0.adopt(task) }
        switch state {
        case .resumed:
            monitors?.request(self, didCreateTask: task)
            handlers?.notify(of: task)
            monitors?.request(self, didResumeTask: task)
            post(.didResumeTask)
        case .initialized, .suspended:
            if let announcement { announce(announcement) }
            handlers?.notify(of: task)
        case .cancelled, .finished: return nil
        }
        return task
    }

    /// Sends the request and returns the head of the response, with a body to receive.
    @inline(__always)
    private func send(
        _ urlRequest: URLRequest,
        _ task: URLSessionTask,
        _ recorder: AttemptRecorder
    ) async throws(AFError) -> TransportResponse {
        do {
            if context.allowsLocalURLs, let head = LocalTransport.head(for: urlRequest) {
                return try await answerLocally(head, task)
            }
            var request = try transportRequest(for: urlRequest, task: task, recorder: recorder)
            if context.allAttemptsLimit != nil, let end = mutable.withLock({ $0.end }) {
                try request.end(by: end, on: context.clock)
            }
            // A constant, because passing a variable copies it, 500 instructions with the release of the copy.
            let response = try await exchange(request)
            task.didReceive(response, answering: request.sharedHead)
            return response
        } catch {
            throw failure(of: task, error)
        }
    }

    // Not inlined: the size of a `CancellationError` is known only at run time, and each attempt would allocate memory
    // for one.
    @inline(never)
    private func failure(of task: URLSessionTask, _ error: any Error) -> AFError {
        switch error {
        case let error as TransportError: .transport(error, url: task.currentRequest?.url)
        // A response interceptor rethrew the cancellation of its wait.
        case is CancellationError where Task.isCancelled: .explicitlyCancelled
        default: error.asAFError(or: .sessionTaskFailed(error: error))
        }
    }

    /// Sends the request, and lets resumed downloads and interceptors replace the response.
    @inline(__always)
    private func exchange(_ request: TransportRequest) async throws -> TransportResponse {
        guard exchanger == nil, !isResuming, !interceptsResponses else { return try await exchangeAndReplace(request) }
        guard let layers = context.layers else { return try await context.transport.send(request) }
        let first = layers.firstToPerform(request)
        guard layers.isEnd(first) else { return try await layers.send(request, from: first) }
        let response = try await layers.beneath.send(request)
        guard let processor = layers.firstProcessor(of: response, to: request) else { return response }
        return try await layers.process(response, to: request, from: processor)
    }

    @inline(never)
    private func exchangeAndReplace(_ request: TransportRequest) async throws -> TransportResponse {
        var response =
            if let exchanger {
                try await exchanger(request, context.transport)
            } else {
                try await context.transport.send(request)
            }
        if isResuming { response = try await resuming(response, to: request) }
        return interceptsResponses ? try await intercepted(response) : response
    }

    /// Answers a request for a `file:` or `data:` URL. Only the request itself gets here: no layer can redirect to it.
    @inline(never)
    private func answerLocally(_ head: HTTPRequest, _ task: URLSessionTask) async throws -> TransportResponse {
        let request = TransportRequest(head)
        let response = try await LocalTransport().send(request)
        task.didReceive(response, answering: request.sharedHead)
        return response
    }

    /// Receives the response's body. Returns `false` if the response opened a connection.
    @inline(__always)
    private func receive(_ response: TransportResponse, for task: URLSessionTask) async throws(AFError) -> Bool {
        guard !takeBufferedBody(of: response, for: task) else { return true }
        try await receiveBody(of: response, for: task)
        return !hasConnection
    }

    /// Completes the metrics of an attempt and reports them.
    private func finishMetrics(of task: URLSessionTask, _ recorder: AttemptRecorder) {
        let metrics = recorder.metrics
        metrics.finish(clock: context.clock)
        let monitor = mutable.withLock { state in
            state.metrics.append(metrics)
            return state.monitor
        }
        guard let monitor else { return }
        monitor.urlSession(context.urlSession, task: task, didFinishCollecting: metrics)
        monitor.request(self, didGatherMetrics: metrics)
        monitor.urlSession(context.urlSession, task: task, didCompleteWithError: task.error)
    }

    // MARK: Failures

    /// Records why the request failed, unless it failed before.
    func fail(with error: AFError) {
        mutable.withLock { $0.error = $0.error ?? error }
    }

    /// Records why the attempt failed. A failed evaluation of the server's trust is reported before the task's end.
    func fail(_ task: URLSessionTask, with error: AFError) {
        task.noteFailed(with: error)
        // The request fails with the error of its cancelled task, unless it was cancelled itself.
        if error.isExplicitlyCancelledError, task.state == .canceling { return }
        fail(with: error)
        guard error.isServerTrustEvaluationError else { return }
        monitors?.request(self, didFailTask: task, earlyWithError: error)
    }
}

extension TransportRequest {
    /// Brings the deadline forward to the end of all attempts.
    ///
    /// - Throws: A ``TransportError`` if `end` has passed.
    fileprivate mutating func end(by end: MonotonicInstant, on clock: any TransportClock) throws(TransportError) {
        guard clock.now < end else {
            throw TransportError(
                .timedOut,
                phase: .layer,
                processing: .notSent,
                message: "the limit for all attempts (timeoutIntervalForAllAttempts) elapsed before this one was sent",
                origin: Origin(head)
            )
        }
        bringDeadlineForward(to: end)
    }
}
