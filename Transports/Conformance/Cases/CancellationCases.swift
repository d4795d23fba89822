internal import AirframeTransport
internal import FoundationEssentials
internal import HTTPTypes

extension ConformanceCase {
    private static let endless = PeerScenario(
        .readRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"), .awaitClose
    )

    static let cancellation: [ConformanceCase] = [
        ConformanceCase(
            .cancellation, "before", "a request of a task that is already cancelled is not sent",
            peer: .keeping()
        ) { trial in
            let gate = PeerSignals()
            let task = Task {
                await gate.wait(for: "go")
                return await trial.exchange(trial.request())
            }
            task.cancel()
            gate.open("go")
            trial.judgeCancelled(await task.value, in: nil, .notSent)
            trial.expect(trial.peer.requests.isEmpty, "the request was sent")
        },
        ConformanceCase(
            .cancellation, "connect", "cancelling during connect ends the exchange immediately, and nothing was sent",
            peer: PeerScenario(.swallowing)
        ) { trial in
            try await trial.cancel(trial.request(), when: "connectStarted", in: .connect, .notSent)
        },
        ConformanceCase(
            .cancellation, "tls", "cancelling during the TLS handshake ends the exchange, and nothing was sent",
            needs: .tls, peer: PeerScenario(.mark("accepted"), .awaitClose)
        ) { trial in
            try await trial.cancel(trial.request(scheme: "https"), when: "tlsStarted", in: .tls, .notSent)
            try await trial.reach("closed")
        },
        ConformanceCase(
            .cancellation, "pool", "cancelling a request that waits for a connection does not affect the other waiters",
            connectionLimit: 1, peer: endless
        ) { trial in
            let held = try await trial.transport.send(trial.request())
            try await trial.cancel(trial.request(), when: "started", in: .pool, .notSent)
            trial.expect(trial.peer.requests.count == 1, "the waiting request was sent")
            let first = try await held.body.next()
            trial.expect(first == Data("abc".utf8), "the exchange that held the connection was hurt")
        },
        ConformanceCase(
            .cancellation, "request-body",
            "cancelling ends an exchange whose server has stopped reading the request's body",
            alsoAt: [.streaming], peer: PeerScenario(.readHead, .awaitOpenThenClose)
        ) { trial in
            let source = CountingSource(size: 48 << 20, pieces: 384)
            let request = trial.request(.post, body: .oneShot(length: 48 << 20, source))
            let task = trial.start(request)
            try await trial.reach("head")
            await trial.waitForStandstill { source.pulledBytes }
            try await trial.cancel(task, in: .requestBody, .unknown)
            let isReported = await Waiting.until(within: .seconds(10)) { source.isCancelled }
            trial.expect(isReported, "the source of the body was not cancelled")
        },
        ConformanceCase(
            .cancellation, "request-source", "cancelling ends an exchange whose body source has no data",
            alsoAt: [.streaming], peer: PeerScenario(.readHead, .awaitClose)
        ) { trial in
            let source = CountingSource(["abc"], then: .stall)
            let task = trial.start(trial.request(.post, body: .oneShot(source)))
            let isStalled = await Waiting.until(within: .seconds(20)) { source.pulledCount == 2 }
            try trial.require(isStalled, "the source was called \(source.pulledCount) times")
            try await trial.cancel(task, in: .requestBody, .unknown)
            try await trial.reach("closed")
        },
        ConformanceCase(
            .cancellation, "response-head",
            "after cancelling in the wait for the head, the server may have processed the request",
            peer: .silent
        ) { trial in
            try await trial.cancel(trial.request(), when: nil, mark: "request", in: .responseHead, .unknown)
            try await trial.reach("closed")
        },
        ConformanceCase(
            .cancellation, "response-head.partial", "cancelling after part of the head has arrived ends the exchange",
            peer: PeerScenario(.readRequest, .send("HTTP/1.1 200 OK\r\nX-"), .mark("sent"), .awaitClose)
        ) { trial in
            try await trial.cancel(trial.request(), when: nil, mark: "sent", in: .responseHead, .unknown)
            try await trial.reach("closed")
        },
        ConformanceCase(
            .cancellation, "response-body", "cancelling the task that waits for bytes ends the exchange",
            alsoAt: [.streaming], peer: endless
        ) { trial in
            try await trial.cancel(trial.request(), when: "responseBodyReceived", in: .responseBody, .unknown)
            try await trial.reach("closed")
        },
        ConformanceCase(
            .cancellation, "response-body.by-another", "cancelling a body from another task wakes its reader",
            alsoAt: [.streaming], peer: endless
        ) { trial in
            let body = try await trial.transport.send(trial.request()).body
            _ = try await body.next()
            let reader = Task { () async -> TransportError? in
                do throws(TransportError) {
                    _ = try await body.next()
                    return nil
                } catch {
                    return error
                }
            }
            await Task.yield()
            body.cancel()
            let error = await reader.value
            trial.expect(error?.isCancellation == true, "the reader got \(String(describing: error))")
            try await trial.reach("closed")
        },
        ConformanceCase(
            .cancellation, "after-the-end",
            "cancelling an exchange that has ended changes nothing: the connection is kept",
            alsoAt: [.connections], peer: .keeping()
        ) { trial in
            let task = trial.start(trial.request())
            trial.judge(await task.value, .whole("ok"))
            task.cancel()
            let response = try await trial.transport.send(trial.request())
            while try await response.body.next() != nil {}
            response.body.cancel()
            trial.judge(await trial.get(), .whole("ok"))
            trial.expect(trial.peer.connections.count == 1, "\(trial.peer.connections.count) connections were made")
        },
        ConformanceCase(
            .cancellation, "others", "a cancelled exchange does not affect concurrent ones",
            peer: PeerScenario(.forever([.readRequest, .await("answer"), Answer.target]))
        ) { trial in
            let tasks = (0..<10).map { trial.start(trial.request(.get, "/\($0)")) }
            try await trial.reach("request", count: 10)
            for task in tasks.prefix(5) { task.cancel() }
            for task in tasks.prefix(5) { trial.judgeCancelled(await task.value, in: .responseHead, .unknown) }
            trial.peer.signals.open("answer")
            for (index, task) in tasks.enumerated().dropFirst(5) { trial.judge(await task.value, .whole("/\(index)")) }
        },
        ConformanceCase(
            .cancellation, "at-any-point", "exchanges that are cancelled at any point end as cancelled or complete",
            peer: .keeping(Answer.ok(String(repeating: "x", count: 5_000)))
        ) { trial in
            let outcomes = await withTaskGroup(of: ExchangeOutcome.self) { group in
                for number in 0..<200 {
                    group.addTask {
                        let task = trial.start(trial.request())
                        for _ in 0..<(number % 40) { await Task.yield() }
                        task.cancel()
                        return await task.value
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            for outcome in outcomes where outcome.error?.isCancellation != true {
                trial.expect(outcome.isWhole && outcome.data.count == 5_000, outcome.summary)
            }
            trial.expect(await trial.get().isWhole, "the transport is of no more use")
        },
    ]
}

extension PeerStep {
    /// Waits without reading, until the case or the peer ends.
    static let awaitOpenThenClose = PeerStep.await("never")
}

extension ConformanceTrial {
    /// Cancels an exchange after an event or a mark of the peer, and expects that it ends immediately.
    func cancel(
        _ request: TransportRequest,
        when event: String?,
        mark: String? = nil,
        in phase: TransportPhase,
        _ processing: TransportError.Processing
    ) async throws {
        let log = EventLog()
        let task = start(request.reporting(to: log))
        if let event {
            let isReported = await reached(event, in: log)
            try require(isReported, "\(event) was not reported: \(log.names)")
        }
        if let mark { try await reach(mark) }
        try await cancel(task, in: phase, processing)
    }

    /// Cancels an exchange and expects that it ends immediately.
    func cancel(
        _ task: Task<ExchangeOutcome, Never>,
        in phase: TransportPhase,
        _ processing: TransportError.Processing
    ) async throws {
        let start = ContinuousClock.now
        task.cancel()
        let outcome = try await Waiting.bounded(by: .seconds(10)) { await task.value }
        expect(ContinuousClock.now - start < .seconds(5), "it took \(ContinuousClock.now - start) to end")
        judgeCancelled(outcome, in: phase, processing)
    }

    func judgeCancelled(
        _ outcome: ExchangeOutcome,
        in phase: TransportPhase?,
        _ processing: TransportError.Processing
    ) {
        judgeEvents(outcome)
        guard let error = outcome.error else { return fail("expected cancelled, got \(outcome.summary)") }
        expect(error.isCancellation, "expected cancelled, got \(outcome.summary)")
        expect(error.processing == processing, "expected \(processing.rawValue), got \(error.processing): \(error)")
        if let phase { expect(error.phase == phase, "expected in the phase \(phase), got \(outcome.summary)") }
    }
}
