import AirframeMock
import AirframeTestSupport
import AirframeTransport
import FoundationEssentials
import HTTPTypes
import Testing

@Suite("Time in an exchange", .timeLimit(.minutes(1)))
struct TimingTests {
    @Test("A delayed reply arrives after its delay")
    func delay() async throws {
        let mock = MockTransport { Route("/slow").reply(.text("x").delayed(by: .seconds(600))) }
        #expect(try await mock.text("/slow") == "x")
        #expect(mock.virtualClock.elapsed == .seconds(600))
    }

    static let phases: [TransportPhase] = [
        .pool, .resolve, .connect, .tls, .requestHead, .requestBody, .responseHead, .responseBody,
    ]

    @Test("Each phase can take time, and its events show it", arguments: phases)
    func delayInPhase(phase: TransportPhase) async throws {
        let mock = MockTransport { Route("/").reply(.text("x").delayed(by: .seconds(7), in: phase)) }
        let log = EventLog()
        _ = try await mock.fetch(.request(.post, "https://api.test/", body: .bytes(Data("b".utf8)), events: log))
        #expect(mock.virtualClock.elapsed == .seconds(7))
        let before = [
            TransportPhase.pool: "started", .resolve: "resolveStarted", .connect: "connectStarted", .tls: "tlsStarted",
            .requestHead: "connectionAcquired", .requestBody: "requestHeadSent", .responseHead: "requestFinished",
            .responseBody: "responseHead",
        ]
        let last = log.events.last { $0.instant == MonotonicInstant(nanoseconds: 0) }.map { "\($0.kind)" } ?? ""
        let expected = try #require(before[phase])
        #expect(last.hasPrefix(expected))
    }

    @Test(
        "A throttled body arrives at its rate, in pieces",
        arguments: [
            (100, 10, 10), (100, 1000, nil), (1_000, 250, nil),
        ])
    func throttle(count: Int, bytesPerSecond: Int, chunkSize: Int?) async throws {
        let mock = MockTransport {
            Route("/").reply(
                .data(Data(count: count)).throttled(bytesPerSecond: bytesPerSecond, chunkSize: chunkSize)
            )
        }
        let log = EventLog()
        #expect(try await mock.fetch(.get("/", events: log)).data.count == count)
        #expect(mock.virtualClock.elapsed == .seconds(count) / bytesPerSecond)
        let pieces = log.names.count { $0 == "responseBodyReceived" }
        #expect(pieces == (count + (chunkSize ?? bytesPerSecond / 4) - 1) / (chunkSize ?? bytesPerSecond / 4))
    }

    @Test("A body that is not pulled is not delivered")
    func backpressure() async throws {
        let mock = MockTransport {
            Route("/").reply(.data(Data(count: 100)).throttled(bytesPerSecond: 10, chunkSize: 10))
        }
        let log = EventLog()
        let response = try await mock.send(.get("/", events: log))
        try await mock.clock.sleep(for: .seconds(100))
        #expect(!log.names.contains("responseBodyReceived"))
        _ = try await response.body.next()
        #expect(log.names.count { $0 == "responseBodyReceived" } == 1)
        #expect(mock.virtualClock.elapsed == .seconds(101))
    }

    @Test("A throttled upload takes the time of its rate")
    func upload() async throws {
        let mock = MockTransport { Route("/").reply(.status(201).accepting(bytesPerSecond: 100)) }
        #expect(try await mock.status(.post("/", .bytes(Data(count: 1_000)))) == 201)
        #expect(mock.virtualClock.elapsed == .seconds(10))
        #expect(mock.lastRequest?.body.count == 1_000)
    }

    struct LimitCase: Sendable, CustomTestStringConvertible {
        let phase: TransportPhase
        let limits: PhaseLimits
        var fault: Fault?
        var testDescription: String { "\(phase)" }
    }

    static let limits = [
        LimitCase(phase: .pool, limits: PhaseLimits(pool: .seconds(5))),
        LimitCase(phase: .resolve, limits: PhaseLimits(connect: .seconds(5))),
        LimitCase(phase: .connect, limits: PhaseLimits(connect: .seconds(5))),
        LimitCase(phase: .tls, limits: PhaseLimits(tls: .seconds(5))),
        LimitCase(phase: .requestHead, limits: PhaseLimits(writeIdle: .seconds(5))),
        LimitCase(phase: .requestBody, limits: PhaseLimits(writeIdle: .seconds(5))),
        LimitCase(phase: .requestBody, limits: PhaseLimits(writeIdle: .seconds(5)), fault: .stall(afterSending: 3)),
        LimitCase(phase: .responseHead, limits: PhaseLimits(firstByte: .seconds(5))),
        LimitCase(phase: .responseBody, limits: PhaseLimits(readIdle: .seconds(5))),
        LimitCase(phase: .responseBody, limits: PhaseLimits(readIdle: .seconds(5)), fault: .stall(afterBytes: 3)),
    ]

    @Test("A stall exceeds the limit of its phase immediately", arguments: limits)
    func stall(test: LimitCase) async throws {
        let mock = MockTransport {
            Route("/").reply(.text("0123456789").failing(with: test.fault ?? .stall(in: test.phase)))
        }
        let log = EventLog()
        let request = TransportRequest.request(
            .post, "https://api.test/", body: .bytes(Data("0123456789".utf8)), events: log
        )
        .with { $0.options.limits = test.limits }
        let error = await mock.failure(of: request)
        #expect(error?.code == .timedOut)
        #expect(error?.phase == test.phase)
        #expect(error?.message.contains("5.0 seconds") == true)
        #expect(log.error?.code == .timedOut)
        #expect(mock.virtualClock.elapsed == .seconds(5))
        let isSent = ![.pool, .resolve, .connect, .tls, .requestHead].contains(test.phase)
        #expect(error?.processing == (isSent ? .unknown : .notSent))
        #expect(mock.connectionCount == 0)
    }

    @Test("An informational response does not end the limit on the first byte")
    func informational() async throws {
        let mock = MockTransport {
            Route("/").reply(.text("x").informational(.earlyHints).failing(with: .stall(in: .responseHead)))
        }
        let request = TransportRequest.get("/").with {
            $0.options.limits.firstByte = .seconds(5)
            $0.options.deadline = .seconds(30)
        }
        #expect(await mock.failure(of: request)?.phase == .responseHead)
        #expect(mock.virtualClock.elapsed == .seconds(5))
    }

    @Test("An informational response starts the limit on the first byte anew")
    func informationalRestart() async throws {
        let mock = MockTransport()
        mock.on("/") { [clock = mock.clock] _ in
            try await clock.sleep(for: .seconds(4))
            return .text("x").informational(.earlyHints).delayed(by: .seconds(3))
        }
        let request = TransportRequest.get("/").with { $0.options.limits.firstByte = .seconds(5) }
        #expect(try await mock.fetch(request).head.status == 200)
        #expect(mock.virtualClock.elapsed == .seconds(7))
    }

    @Test("The deadline ends a stall in any phase", arguments: phases)
    func deadline(phase: TransportPhase) async throws {
        let mock = MockTransport { Route("/").reply(.text("0123456789").failing(with: .stall(in: phase))) }
        let request = TransportRequest.request(.post, "https://api.test/", body: .bytes(Data("b".utf8)))
            .with {
                $0.options.deadline = .seconds(30)
                $0.options.limits = PhaseLimits(pool: .seconds(60), connect: .seconds(60), readIdle: .seconds(60))
            }
        let error = await mock.failure(of: request)
        #expect(error?.code == .timedOut)
        #expect(error?.phase == phase)
        #expect(error?.message == "the deadline of 30.0 seconds elapsed")
        #expect(mock.virtualClock.elapsed == .seconds(30))
    }

    @Test("The deadline counts while the caller does something else with the body open")
    func deadlineBetweenReads() async throws {
        let mock = MockTransport { Route("/").reply(.chunks([Data("a".utf8), Data("b".utf8)])) }
        let response = try await mock.send(.get("/").with { $0.options.deadline = .seconds(10) })
        #expect(try await response.body.next() == Data("a".utf8))
        try await mock.clock.sleep(for: .seconds(11))
        let error = await #expect(throws: TransportError.self) { try await response.body.next() }
        #expect(error?.isTimeout == true)
    }

    @Test("What comes in time is not ended by a limit: each pause counts anew")
    func idleIsPerPause() async throws {
        let mock = MockTransport {
            Route("/").reply(.data(Data(count: 100)).throttled(bytesPerSecond: 1, chunkSize: 4))
        }
        let request = TransportRequest.get("/").with { $0.options.limits.readIdle = .seconds(5) }
        #expect(try await mock.fetch(request).data.count == 100)
        #expect(mock.virtualClock.elapsed == .seconds(100))
    }

    @Test("A limit ends a closure that sleeps too long on the clock, and cancels it")
    func closureMeetsLimit() async throws {
        let mock = MockTransport()
        mock.on("/") { [clock = mock.clock] _ in
            try await clock.sleep(for: .seconds(100))
            return .text("late")
        }
        let error = await mock.failure(of: .get("/").with { $0.options.limits.firstByte = .seconds(60) })
        #expect(error?.isTimeout == true)
        #expect(error?.phase == .responseHead)
        #expect(mock.virtualClock.elapsed == .seconds(60))
        await mock.virtualClock.settle()
        #expect(mock.virtualClock.sleeperCount == 0)
    }

    @Test("Requests that run concurrently each take their own time")
    func concurrent() async throws {
        let mock = MockTransport {
            Route("/:seconds") { request in
                let seconds = request.captures["seconds"].flatMap { Int($0) } ?? 0
                return .text("\(seconds)").delayed(by: .seconds(seconds))
            }
        }
        let order = await mock.virtualClock.hold {
            Task {
                await withTaskGroup(of: String.self) { group in
                    for seconds in [30, 10, 20] {
                        group.addTask { (try? await mock.text("/\(seconds)")) ?? "failed" }
                    }
                    return await group.reduce(into: [String]()) { $0.append($1) }
                }
            }
        }
        #expect(await order.value == ["10", "20", "30"])
        #expect(mock.virtualClock.elapsed == .seconds(30))
    }
}
