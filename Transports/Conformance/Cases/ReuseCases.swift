internal import AirframeTransport
internal import FoundationEssentials
internal import HTTPTypes

extension ConformanceCase {
    /// A case of two requests, the first of which is answered so that its connection must not serve the second.
    private static func notKept(_ name: String, _ title: String, _ answer: String) -> ConformanceCase {
        ConformanceCase(
            .reuse, name, title,
            peer: PeerScenario(
                connections: [
                    [.readRequest, .send(answer), .forever([.readRequest, .send(Answer.ok("wrong connection"))])],
                    [.forever([.readRequest, Answer.target])],
                ]
            )
        ) { trial in
            let first = await trial.get()
            trial.judge(first, .whole("ok"))
            if case .kept = first.events.fate { trial.fail("reported as kept") }
            let second = await trial.get("/second")
            trial.judge(second, .whole("/second"))
            trial.expectConnection(second, "the second connection is reported as reused") { !$0.isReused }
            trial.expectConnection(first, "both connections have the same id") { $0.id != second.connection?.id }
        }
    }

    static let reuse: [ConformanceCase] = [
        ConformanceCase(
            .reuse, "kept", "one connection serves consecutive requests (RFC 9112 §9.3)",
            peer: .mirror
        ) { trial in
            var ids: Set<UInt64> = []
            for number in 0..<20 {
                let outcome = await trial.get("/\(number)")
                trial.judge(outcome, .whole("/\(number)"))
                trial.expectConnection(outcome, "isReused is wrong in request \(number)") {
                    $0.isReused == (number > 0)
                }
                if let id = outcome.connection?.id { ids.insert(id) }
            }
            trial.expect(trial.peer.connections.count == 1, "\(trial.peer.connections.count) connections were made")
            trial.expect(ids.count == 1 || !trial.claims(.events), "it has the ids \(ids)")
        },
        ConformanceCase(
            .reuse, "kept.after-upload", "one connection serves consecutive uploads",
            peer: .keeping()
        ) { trial in
            for _ in 0..<5 {
                trial.judge(await trial.exchange(trial.request(.post, body: .bytes(Data("known".utf8)))), .whole("ok"))
                let body = RequestBody.oneShot(CountingSource(["un", "known"]))
                trial.judge(await trial.exchange(trial.request(.post, body: body)), .whole("ok"))
            }
            trial.expect(trial.peer.connections.count == 1, "\(trial.peer.connections.count) connections were made")
        },
        ConformanceCase(
            .reuse, "described", "a connection's description has its version, its addresses, and no TLS",
            alsoAt: [.events], peer: .keeping()
        ) { trial in
            let outcome = await trial.get()
            let connection = try trial.require(outcome.connection, "there is no description")
            trial.expect(connection.httpVersion == .http1_1, "the version is \(connection.httpVersion)")
            trial.expect(connection.tls == nil, "there is TLS")
            trial.expect(!connection.isProxied, "there is a proxy")
            let remote = connection.remoteAddress?.description
            trial.expect(
                remote == trial.peer.authority, "the address is \(remote ?? "unknown"), not \(trial.peer.authority)")
        },
        notKept("close", "Connection: close ends the connection (RFC 9112 §9.6)", Answer.ok("ok", "Connection: close")),
        notKept(
            "close.case", "the option close is recognized in any case and in any list",
            Answer.ok("ok", "Connection: X-A, Close")),
        notKept(
            "http1.0", "an HTTP/1.0 connection without keep-alive is not reused (RFC 9112 §9.3)",
            "HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok"),
        ConformanceCase(
            .reuse, "stray", "a connection with an unexpected response is not reused",
            peer: PeerScenario(
                connections: [
                    [
                        .readRequest, .send(Answer.ok()), .await("stray"), .send(Answer.ok("stray")), .mark("sent"),
                        .forever([.readRequest, Answer.target]),
                    ],
                    [.forever([.readRequest, Answer.target])],
                ]
            )
        ) { trial in
            trial.judge(await trial.get(), .whole("ok"))
            trial.peer.signals.open("stray")
            try await trial.reach("sent")
            trial.judge(await trial.get("/next"), .whole("/next"))
        },
        ConformanceCase(
            .reuse, "closed-while-idle",
            "a connection that the server closed while it was idle is not used (RFC 9112 §9.4)",
            peer: PeerScenario(
                connections: [
                    [.readRequest, .send(Answer.ok()), .close], [.forever([.readRequest, Answer.target])],
                ]
            )
        ) { trial in
            trial.judge(await trial.get(), .whole("ok"))
            try await trial.reach("ended")
            trial.judge(await trial.get("/next"), .whole("/next"))
        },
        ConformanceCase(
            .reuse, "closed-while-idle.post", "a POST does not use a connection that was closed while it was idle",
            peer: PeerScenario(
                connections: [
                    [.readRequest, .send(Answer.ok()), .close], [.forever([.readRequest, Answer.target])],
                ]
            )
        ) { trial in
            trial.judge(await trial.get(), .whole("ok"))
            try await trial.reach("ended")
            let outcome = await trial.exchange(trial.request(.post, "/next", body: .bytes(Data("hello".utf8))))
            trial.judge(outcome, .whole("/next"))
            trial.expect(trial.peer.requests.count { $0.method == "POST" } == 1, "it was sent more than once")
        },
        ConformanceCase(
            .reuse, "reset-while-idle", "a connection that was reset while it was idle is not used",
            peer: PeerScenario(
                connections: [
                    [.readRequest, .send(Answer.ok()), .await("read"), .reset],
                    [.forever([.readRequest, Answer.target])],
                ]
            )
        ) { trial in
            trial.judge(await trial.get(), .whole("ok"))
            trial.peer.signals.open("read")
            try await trial.reach("ended")
            trial.judge(await trial.get("/next"), .whole("/next"))
        },
        closedWhileIdle("closed-while-idle.released", tls: nil),
        closedWhileIdle("closed-while-idle.released.tls", tls: PeerTLS()),
        ConformanceCase(
            .reuse, "closed-on-second",
            "a GET is sent again if its kept connection is closed without a response (RFC 9112 §9.3.1)",
            peer: PeerScenario(
                connections: [
                    [.readRequest, .send(Answer.ok()), .readRequest, .close],
                    [.forever([.readRequest, Answer.target])],
                ]
            )
        ) { trial in
            trial.judge(await trial.get(), .whole("ok"))
            let outcome = await trial.get("/next")
            trial.judge(outcome, .whole("/next"))
            trial.expect(trial.peer.requests.count == 3, "\(trial.peer.requests.count) requests arrived, not 3")
        },
        ConformanceCase(
            .reuse, "closed-on-second.post",
            "a POST is not sent again, because the server may have processed it (RFC 9110 §9.2.2)",
            peer: PeerScenario(
                connections: [
                    [.readRequest, .send(Answer.ok()), .readRequest, .close],
                    [.forever([.readRequest, Answer.target])],
                ]
            )
        ) { trial in
            trial.judge(await trial.get(), .whole("ok"))
            let outcome = await trial.exchange(trial.request(.post, "/next", body: .bytes(Data("hello".utf8))))
            trial.judge(outcome, .broken([.connectionLost], in: [.responseHead]))
            trial.expect(
                outcome.error?.processing == .unknown, "the server may have processed the request: \(outcome.summary)")
            trial.expect(trial.peer.requests.count { $0.method == "POST" } == 1, "it was sent more than once")
        },
        ConformanceCase(
            .reuse, "closed-on-first", "a GET is not sent again if its new connection is closed without a response",
            peer: PeerScenario(.readRequest, .close)
        ) { trial in
            let outcome = await trial.get()
            trial.judge(outcome, .broken([.connectionLost], in: [.responseHead]))
            trial.expect(trial.peer.requests.count <= 2, "\(trial.peer.requests.count) requests were sent")
        },
        ConformanceCase(
            .reuse, "not-shared", "a connection serves one HTTP/1.1 exchange at a time",
            peer: PeerScenario(.forever([.readRequest, .await("answer"), Answer.target]))
        ) { trial in
            let first = trial.start(trial.request(.get, "/1"))
            try await trial.reach("request")
            let second = trial.start(trial.request(.get, "/2"))
            try await trial.reach("request", count: 2)
            trial.expect(
                trial.peer.connections.count == 2, "\(trial.peer.connections.count) connections for 2 exchanges")
            trial.peer.signals.open("answer")
            trial.judge(await first.value, .whole("/1"))
            trial.judge(await second.value, .whole("/2"))
        },
        ConformanceCase(
            .reuse, "limit", "an engine that is limited to one connection sends requests in turn",
            connectionLimit: 1, peer: .mirror
        ) { trial in
            let tasks = (0..<20).map { trial.start(trial.request(.get, "/\($0)")) }
            for (number, task) in tasks.enumerated() { trial.judge(await task.value, .whole("/\(number)")) }
            trial.expect(trial.peer.connections.count == 1, "\(trial.peer.connections.count) connections were made")
        },
    ]

    /// Several connections that their server closes while they are idle.
    private static func closedWhileIdle(_ name: String, tls: PeerTLS?) -> ConformanceCase {
        let count = 5
        return ConformanceCase(
            .reuse, name, "idle connections that the server closes are closed soon after, without another request",
            needs: tls == nil ? [] : [.tls, .trustEvaluation],
            peer: PeerScenario(
                tls: tls, .readRequest, .await("answer"), .send(Answer.ok()), .await("close"), .close)
        ) { trial in
            let port = Int(trial.peer.authority.split(separator: ":").last ?? "") ?? 0
            let evaluation = ScriptedEvaluation()
            let tasks = try (0..<count).map { _ in
                trial.start(tls == nil ? trial.request() : try trial.secure(trust: evaluation))
            }
            try await trial.reach("request", count: count)
            trial.peer.signals.open("answer")
            for task in tasks { trial.judge(await task.value, .whole("ok")) }
            trial.peer.signals.open("close")
            try await trial.reach("ended", count: count)
            let areClosed = await Waiting.until(within: .seconds(4)) { ProcessCensus.socketCount(to: port) == 0 }
            trial.expect(areClosed, "\(ProcessCensus.socketCount(to: port)) sockets are left after 4 s")
        }
    }
}
