internal import AirframeTransport
internal import FoundationEssentials
internal import HTTPTypes

extension ConformanceCase {
    static let events: [ConformanceCase] = [
        ConformanceCase(
            .events, "order.new-connection", "an exchange on a new connection reports its phases in order",
            peer: .keeping()
        ) { trial in
            let outcome = await trial.get()
            trial.judge(outcome, .whole("ok"))
            trial.expectOrder(
                [
                    "started", "connectStarted", "connectFinished", "connectionAcquired", "requestHeadSent",
                    "requestFinished", "responseHead", "responseBodyReceived", "released",
                ],
                outcome.events
            )
        },
        ConformanceCase(
            .events, "order.kept-connection", "an exchange on a kept connection reports no connecting",
            peer: .keeping()
        ) { trial in
            trial.judge(await trial.get(), .whole("ok"))
            let outcome = await trial.get()
            trial.judge(outcome, .whole("ok"))
            trial.expectOrder(
                [
                    "started", "connectionAcquired", "requestHeadSent", "requestFinished", "responseHead",
                    "responseBodyReceived", "released",
                ],
                outcome.events
            )
            trial.expect(!outcome.events.contains("connectStarted"), "it connected: \(outcome.events.names)")
            let decisions = outcome.events.kinds.compactMap { kind -> UInt64? in
                guard case .decided(let decision) = kind, case .reusedConnection(let id) = decision.kind else {
                    return nil
                }
                return id
            }
            let id = outcome.connection?.id
            trial.expect(
                decisions == [id].compactMap(\.self), "the reuse of \(String(describing: id)) was not reported")
        },
        ConformanceCase(
            .events, "order.upload",
            "the progress of a body is reported between the request's head and its end, up to its length",
            peer: .keeping()
        ) { trial in
            let size = 300_000
            let outcome = await trial.exchange(trial.request(.post, body: .bytes(Data(repeating: 7, count: size))))
            trial.judge(outcome, .whole("ok"))
            trial.expectOrder(
                ["started", "requestHeadSent", "requestBodySent", "requestFinished", "responseHead", "released"],
                outcome.events
            )
            trial.expectCounts(outcome.events.kinds.compactMap(\.sentCount), size, "the request's body")
        },
        ConformanceCase(
            .events, "counts.upload.chunked", "the reported bytes of a chunked body do not include its framing",
            peer: .keeping()
        ) { trial in
            let source = CountingSource(["a", "bc", String(repeating: "d", count: 70_000)])
            let outcome = await trial.exchange(trial.request(.post, body: .oneShot(source)))
            trial.judge(outcome, .whole("ok"))
            trial.expectOrder(
                ["started", "requestHeadSent", "requestBodySent", "requestFinished", "responseHead", "released"],
                outcome.events
            )
            trial.expectCounts(outcome.events.kinds.compactMap(\.sentCount), 70_003, "the request's body")
        },
        ConformanceCase(
            .events, "counts.download", "the reported bytes add up to the body",
            peer: .keeping(Answer.ok(String(repeating: "x", count: 200_000)))
        ) { trial in
            let outcome = await trial.get()
            trial.judgeEvents(outcome)
            trial.expect(outcome.data.count == 200_000, "\(outcome.data.count) of 200000 bytes arrived")
            trial.expectCounts(outcome.events.kinds.compactMap(\.receivedCount), 200_000, "the response's body")
        },
        ConformanceCase(
            .events, "instants", "instants never go back, and are on the transport's clock",
            peer: .keeping()
        ) { trial in
            let before = trial.transport.clock.now
            let outcome = await trial.get()
            let after = trial.transport.clock.now
            let instants = outcome.events.events.map(\.instant)
            trial.expect(instants == instants.sorted(), "instants go back: \(instants.map(\.nanoseconds))")
            let isWithin = instants.allSatisfy { before <= $0 && $0 <= after }
            trial.expect(isWithin, "events are not between \(before) and \(after): \(instants)")
        },
        ConformanceCase(
            .events, "head", "the reported head and connection are those that the caller gets",
            peer: .keeping(Answer.ok("ok", "X-Case: events"))
        ) { trial in
            let outcome = await trial.get()
            guard case .responseHead(let head, _) = outcome.events.first("responseHead")?.kind else {
                return trial.fail("no event reports the head")
            }
            trial.expect(head == outcome.head, "reported: \(head); returned: \(String(describing: outcome.head))")
            guard case .connectionAcquired(let connection) = outcome.events.first("connectionAcquired")?.kind else {
                return trial.fail("no event reports the connection")
            }
            trial.expect(connection.id == outcome.connection?.id, "another connection was reported")
        },
        ConformanceCase(
            .events, "terminal.failure", "a failed exchange reports its error once, at the end",
            peer: .answering("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nabc")
        ) { trial in
            let outcome = await trial.get()
            trial.judge(outcome, .truncated)
            trial.expect(!outcome.events.contains("released"), "it was released: \(outcome.events.names)")
        },
        ConformanceCase(
            .events, "terminal.refused", "a refused connection reports the attempt and one failure",
            peer: PeerScenario(.refusing)
        ) { trial in
            let outcome = await trial.get()
            trial.judge(outcome, .broken([.connectFailed], in: [.connect]))
            trial.expectOrder(["started", "connectStarted", "connectFailed", "failed"], outcome.events)
        },
        ConformanceCase(
            .events, "terminal.cancelled-body", "a cancelled body ends its exchange as cancelled, reported once",
            peer: PeerScenario(.readRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nabc"), .awaitClose)
        ) { trial in
            let log = EventLog()
            let response = try await trial.transport.send(trial.request().reporting(to: log))
            _ = try await response.body.next()
            response.body.cancel()
            let isOver = await Waiting.until(within: .seconds(10)) { log.terminalCount > 0 }
            trial.expect(isOver, "no event ends the exchange: \(log.names)")
            trial.expect(log.failure?.isCancellation == true, "not reported as cancelled: \(log.names)")
            trial.expect(log.terminalCount == 1, "reported \(log.terminalCount) times")
        },
        ConformanceCase(
            .events, "released.late", "a connection is released after the last byte has arrived, not before",
            peer: PeerScenario(
                .readRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nabc"), .await("rest"), .send("def"),
                .awaitClose
            )
        ) { trial in
            let log = EventLog()
            let response = try await trial.transport.send(trial.request().reporting(to: log))
            _ = try await response.body.next()
            trial.expect(log.terminalCount == 0, "the exchange was over before its body: \(log.names)")
            trial.peer.signals.open("rest")
            while try await response.body.next() != nil {}
            trial.expect(log.fate != nil, "the exchange was not released: \(log.names)")
        },
        ConformanceCase(
            .events, "released.fate", "the event of the release says whether the connection is kept or closed",
            peer: .answering(Answer.ok("ok", "Connection: close"))
        ) { trial in
            let outcome = await trial.get()
            trial.judge(outcome, .whole("ok"))
            if case .kept = outcome.events.fate { trial.fail("reported as kept, but the server closes it") }
        },
        ConformanceCase(
            .events, "nothing-after-the-end", "no event follows the end of an exchange",
            peer: .keeping()
        ) { trial in
            let outcome = await trial.get()
            let count = outcome.events.names.count
            for _ in 0..<3 { trial.judge(await trial.get(), .whole("ok")) }
            trial.expect(outcome.events.names.count == count, "more was reported: \(outcome.events.names)")
        },
    ]
}

extension ConformanceTrial {
    /// Expects these events in this order, with any others between.
    func expectOrder(_ expected: [String], _ log: EventLog) {
        guard claims(.events) else { return }
        var found: [String] = []
        for name in log.names where expected.contains(name) && name != found.last { found.append(name) }
        expect(
            found == expected, "expected \(expected.joined(separator: ", ")), got \(log.names.joined(separator: ", "))")
    }

    /// Expects counts that add up, each with the total so far.
    func expectCounts(_ counts: [TransportEvent.Kind.ByteCount], _ size: Int, _ what: String) {
        var total: Int64 = 0
        for count in counts {
            total += count.now
            expect(count.now > 0, "an event reports no byte of \(what)")
            expect(count.total == total, "\(count.total) bytes of \(what) are reported after \(total)")
        }
        expect(total == Int64(size), "\(total) of \(size) bytes of \(what) are reported")
    }
}

extension TransportEvent.Kind {
    struct ByteCount {
        let now: Int64
        let total: Int64
    }

    var sentCount: ByteCount? {
        if case .requestBodySent(let now, let total) = self { ByteCount(now: now, total: total) } else { nil }
    }

    var receivedCount: ByteCount? {
        if case .responseBodyReceived(let now, let total) = self { ByteCount(now: now, total: total) } else { nil }
    }
}
