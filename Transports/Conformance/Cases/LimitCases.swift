internal import AirframeTransport
internal import FoundationEssentials
internal import HTTPTypes

extension ConformanceCase {
    /// Short enough for the suite, and long enough that a busy machine does not reach it in an earlier phase.
    private static let limit = Duration.milliseconds(400)
    private static let partial = "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"

    /// A case of an exchange whose peer stops in a phase, and of the limit that ends it.
    private static func stall(
        _ name: String,
        _ title: String,
        needs: TransportFeatures,
        scheme: String = "http",
        body: RequestBody = .none,
        _ scenario: PeerScenario,
        _ set: @escaping @Sendable (inout TransportOptions, Duration) -> Void,
        in phase: TransportPhase,
        _ processing: TransportError.Processing
    ) -> ConformanceCase {
        ConformanceCase(.limits, name, title, needs: needs, peer: scenario) { trial in
            let request = trial.request(body.isNone ? .get : .post, scheme: scheme, body: body) { set(&$0, limit) }
            try await trial.expectTimeout(request, limit, in: phase, processing)
            if scenario.place == .listening { try await trial.reach("closed") }
        }
    }

    private static let upload = RequestBody.restartable(length: 48 << 20) {
        CountingSource(size: 48 << 20, pieces: 384)
    }

    static let limits: [ConformanceCase] =
        phases + deadlines + elapsed + [
            ConformanceCase(
                .limits, "pool", "a wait for a connection that exceeds its limit fails, and nothing was sent",
                needs: .poolLimit, connectionLimit: 1, peer: PeerScenario(.readRequest, .send(partial), .awaitClose)
            ) { trial in
                let held = try await trial.transport.send(trial.request())
                let request = trial.request { $0.limits.pool = limit }
                try await trial.expectTimeout(request, limit, in: .pool, .notSent)
                let first = try await held.body.next()
                trial.expect(first == Data("abc".utf8), "the exchange that held the connection was hurt")
                trial.expect(trial.peer.requests.count == 1, "the request was sent")
            },
            ConformanceCase(
                .limits, "read-idle.trickle", "a body that arrives a byte at a time is not idle",
                needs: .readIdleLimit,
                peer: PeerScenario(
                    .readRequest, .send(Answer.head(fields: ["Content-Length: 12"])),
                    .trickle(Array("0123456789ab".utf8), pause: .milliseconds(200)), .awaitClose
                )
            ) { trial in
                trial.judge(
                    await trial.exchange(trial.request { $0.limits.readIdle = .seconds(2) }), .whole("0123456789ab"))
            },
            ConformanceCase(
                .limits, "read-idle.slow-reader", "time without a reader does not count as idle",
                needs: .readIdleLimit,
                peer: PeerScenario(.readRequest, .send(partial), .await("rest"), .send("defghi"), .awaitClose)
            ) { trial in
                let response = try await trial.transport.send(trial.request { $0.limits.readIdle = .seconds(1) })
                let first = try await response.body.next()
                trial.expect(first == Data("abc".utf8), "first: \(String(describing: first))")
                try await trial.transport.clock.sleep(for: .milliseconds(1500))
                trial.peer.signals.open("rest")
                let rest = try await response.body.collect(upTo: 100)
                trial.expect(rest == Data("defghi".utf8), "then arrived \(rest)")
            },
            ConformanceCase(
                .limits, "write-idle.slow-source", "the limit on idle writing does not apply to a slow source",
                needs: .writeIdleLimit, peer: .keeping()
            ) { trial in
                let clock = trial.transport.clock
                let source = CountingSource(["a", "b"]) { number in
                    if number == 1 { try? await clock.sleep(for: .milliseconds(1500)) }
                }
                let request = trial.request(.post, body: .oneShot(source)) { $0.limits.writeIdle = .seconds(1) }
                trial.judge(await trial.exchange(request), .whole("ok"))
            },
            ConformanceCase(
                .limits, "generous", "limits that are not reached change nothing",
                needs: [.deadline, .poolLimit, .connectLimit, .writeIdleLimit, .firstByteLimit, .readIdleLimit],
                peer: .keeping()
            ) { trial in
                let request = trial.request(.post, body: .bytes(Data("hello".utf8))) {
                    let most = Duration.seconds(30)
                    $0.deadline = most
                    $0.limits = PhaseLimits(pool: most, connect: most, writeIdle: most, firstByte: most, readIdle: most)
                }
                for _ in 0..<5 { trial.judge(await trial.exchange(request), .whole("ok")) }
            },
            ConformanceCase(
                .limits, "next-request", "an exchange that exceeded a limit does not affect the next one",
                needs: .firstByteLimit,
                peer: PeerScenario(connections: [
                    [.readRequest, .awaitClose], [.forever([.readRequest, .send(Answer.ok())])],
                ])
            ) { trial in
                try await trial.expectTimeout(
                    trial.request { $0.limits.firstByte = limit }, limit, in: .responseHead, .unknown)
                trial.judge(await trial.get(), .whole("ok"))
            },
        ]

    private static let phases: [ConformanceCase] = [
        stall(
            "connect", "a connection that exceeds its time limit fails, and nothing was sent", needs: .connectLimit,
            PeerScenario(.swallowing),
            { $0.limits.connect = $1 }, in: .connect, .notSent
        ),
        stall(
            "tls", "a TLS handshake that exceeds its time limit fails, and nothing was sent", needs: [.tls, .tlsLimit],
            scheme: "https",
            PeerScenario(.awaitClose), { $0.limits.tls = $1 }, in: .tls, .notSent
        ),
        ConformanceCase(
            .limits, "write-idle", "the limit on idle writing applies while the server reads nothing of the request",
            needs: .writeIdleLimit, peer: PeerScenario(.readHead, .await("never"))
        ) { trial in
            let request = trial.request(.post, body: upload) { $0.limits.writeIdle = limit }
            try await trial.expectTimeout(request, limit, in: .requestBody, .unknown)
        },
        stall(
            "first-byte", "after the limit on the wait for a response, the server may have processed the request",
            needs: .firstByteLimit,
            .silent, { $0.limits.firstByte = $1 }, in: .responseHead, .unknown
        ),
        stall(
            "read-idle.head", "a pause within the head that exceeds its limit fails the exchange",
            needs: .readIdleLimit,
            PeerScenario(.readRequest, .send("HTTP/1.1 200 OK\r\nX-"), .awaitClose), { $0.limits.readIdle = $1 },
            in: .responseHead, .unknown
        ),
        stall(
            "read-idle.body", "a pause within the body that exceeds its limit fails the exchange",
            needs: .readIdleLimit,
            PeerScenario(.readRequest, .send(partial), .awaitClose), { $0.limits.readIdle = $1 }, in: .responseBody,
            .unknown
        ),
    ]

    /// Deadlines and limits of zero or less.
    private static let elapsed: [ConformanceCase] = [Duration.zero, .seconds(-1)].flatMap { value in
        let name = value == .zero ? "zero" : "negative"
        let settings: [(String, TransportFeatures, @Sendable (inout TransportOptions) -> Void)] = [
            ("deadline", .deadline, { $0.deadline = value }),
            ("pool", .poolLimit, { $0.limits.pool = value }),
            ("connect", .connectLimit, { $0.limits.connect = value }),
            ("write-idle", .writeIdleLimit, { $0.limits.writeIdle = value }),
            ("first-byte", .firstByteLimit, { $0.limits.firstByte = value }),
            ("read-idle", .readIdleLimit, { $0.limits.readIdle = value }),
        ]
        return settings.map { limit, feature, set in
            ConformanceCase(
                .limits, "\(name).\(limit)", "a \(name) \(limit) limit fails the request before any connection is made",
                needs: feature, peer: .keeping()
            ) { trial in
                let outcome = await trial.exchange(trial.request(.get, "/", set))
                trial.judge(outcome, .broken([.timedOut], in: [.options]))
                trial.expect(outcome.error?.processing == .notSent, "not reported as not sent: \(outcome.summary)")
                trial.expect(trial.peer.connections.isEmpty, "the engine connected")
            }
        }
    }

    private static let deadlines: [ConformanceCase] = [
        stall(
            "deadline.connect", "the deadline applies while connecting", needs: .deadline, PeerScenario(.swallowing),
            { $0.deadline = $1 }, in: .connect, .notSent
        ),
        stall(
            "deadline.tls", "the deadline applies during the TLS handshake", needs: [.tls, .deadline], scheme: "https",
            PeerScenario(.awaitClose), { $0.deadline = $1 }, in: .tls, .notSent
        ),
        ConformanceCase(
            .limits, "deadline.request-body", "the deadline applies while the request is sent",
            needs: .deadline, peer: PeerScenario(.readHead, .await("never"))
        ) { trial in
            let request = trial.request(.post, body: upload) { $0.deadline = limit }
            try await trial.expectTimeout(request, limit, in: .requestBody, .unknown)
        },
        ConformanceCase(
            .limits, "deadline.request-source", "the deadline applies while the source of the body has no data",
            needs: .deadline, peer: PeerScenario(.readHead, .awaitClose)
        ) { trial in
            let source = CountingSource(["abc"], then: .sleep(trial.transport.clock))
            let request = trial.request(.post, body: .oneShot(source)) { $0.deadline = limit }
            try await trial.expectTimeout(request, limit, in: .requestBody, .unknown)
        },
        stall(
            "deadline.response-head", "the deadline applies to the wait for the response", needs: .deadline, .silent,
            { $0.deadline = $1 }, in: .responseHead, .unknown
        ),
        stall(
            "deadline.response-body", "the deadline applies within the body", needs: .deadline,
            PeerScenario(.readRequest, .send(partial), .awaitClose), { $0.deadline = $1 }, in: .responseBody, .unknown
        ),
        stall(
            "deadline.trickle", "the deadline applies to a body that arrives a byte at a time", needs: .deadline,
            PeerScenario(
                .readRequest, .send(Answer.chunked("")),
                .forever([.trickle(Array("1\r\nx\r\n".utf8), pause: .milliseconds(20))])
            ),
            { $0.deadline = $1 }, in: .responseBody, .unknown
        ),
    ]
}

extension ConformanceTrial {
    /// Expects that a limit ends the exchange at its time.
    func expectTimeout(
        _ request: TransportRequest,
        _ limit: Duration,
        in phase: TransportPhase,
        _ processing: TransportError.Processing
    ) async throws {
        let clock = transport.clock
        let start = clock.now
        let outcome = try await Waiting.bounded(by: .seconds(12)) { await self.exchange(request) }
        let elapsed = start.duration(to: clock.now)
        judge(outcome, .broken([.timedOut], in: [phase]))
        expect(outcome.error?.isTimeout == true, "not a timeout: \(outcome.summary)")
        expect(outcome.error?.processing == processing, "expected \(processing.rawValue), got \(outcome.summary)")
        expect(elapsed > limit * 0.9, "it ended after \(elapsed), before its limit of \(limit)")
        expect(elapsed < limit + .seconds(8), "it ended after \(elapsed), long after its limit of \(limit)")
    }
}
