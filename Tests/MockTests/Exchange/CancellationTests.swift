import AirframeMock
import AirframeTestSupport
import AirframeTransport
import FoundationEssentials
import HTTPTypes
import Testing

@Suite("Cancellation", .timeLimit(.minutes(1)))
struct CancellationTests {
    static let phases: [TransportPhase] = [
        .pool, .resolve, .connect, .proxy, .tls, .requestHead, .requestBody, .responseHead, .responseBody,
    ]

    @Test("Cancelling the task ends the exchange in the phase that it is in, immediately", arguments: phases)
    func inPhase(phase: TransportPhase) async throws {
        let mock = MockTransport { Route("/").reply(.text("x").failing(with: .stall(in: phase))) }
        let log = EventLog()
        let request = TransportRequest.request(.post, "https://api.test/", body: .bytes(Data("b".utf8)), events: log)
            .with { $0.options.proxy = .proxy(Proxy(host: "proxy.test", port: 3128)) }
        let task = Task { await mock.failure(of: request) }
        await mock.virtualClock.settle()
        try await eventually("the start of the exchange") { !log.names.isEmpty }
        await mock.virtualClock.settle()
        task.cancel()
        let error = await task.value
        #expect(error?.isCancellation == true)
        #expect(error?.phase == phase)
        let isSent = [.requestBody, .responseHead, .responseBody].contains(phase)
        #expect(error?.processing == (isSent ? .unknown : .notSent))
        #expect(log.error?.isCancellation == true)
        #expect(log.names.count { $0 == "failed" } == 1)
        #expect(mock.connectionCount == 0)
        #expect(mock.virtualClock.elapsed == .zero)
    }

    @Test("Cancelling ends a closure of the user's, too")
    func inClosure() async throws {
        let mock = MockTransport()
        let ended = Log<Bool>()
        mock.on("/") { [clock = mock.clock] _ in
            defer { ended.append(Task.isCancelled) }
            while true { try await clock.sleep(for: .seconds(1)) }
        }
        let task = Task { await mock.failure(of: .get("/")) }
        try await eventually("ten waits") { mock.virtualClock.elapsed >= .seconds(10) }
        task.cancel()
        #expect(await task.value?.isCancellation == true)
        try await eventually("the end of the closure") { !ended.values.isEmpty }
        #expect(ended.values == [true])
    }

    @Test("A task that was cancelled before sends nothing")
    func before() async throws {
        let mock = MockTransport { Route("/") }
        let log = EventLog()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await mock.failure(of: .get("/", events: log))
        }
        let error = await task.value
        #expect(error?.isCancellation == true)
        #expect(error?.processing == .notSent)
        #expect(log.names == ["started", "failed"])
    }

    @Test(
        "Cancelling the body ends the exchange, also while a reader waits, and closes the connection",
        arguments: [true, false])
    func body(isReading: Bool) async throws {
        let mock = MockTransport { Route("/").reply(.text("0123456789").failing(with: .stall(afterBytes: 4))) }
        let log = EventLog()
        let response = try await mock.send(.get("/", events: log))
        #expect(try await response.body.next()?.count == 4)
        #expect(mock.connectionCount == 1)
        if isReading {
            let reader = Task { try await response.body.next() }
            await mock.virtualClock.settle()
            response.body.cancel()
            let error = await #expect(throws: TransportError.self) { try await reader.value }
            #expect(error?.isCancellation == true)
        } else {
            response.body.cancel()
        }
        #expect(log.error?.isCancellation == true)
        #expect(log.names.count { $0 == "failed" } == 1)
        #expect(mock.connectionCount == 0)
    }

    @Test("Dropping the response ends the exchange")
    func dropping() async throws {
        let mock = MockTransport { Route("/").reply(.text("x")) }
        let log = EventLog()
        _ = try await mock.send(.get("/", events: log)).head
        #expect(log.error?.isCancellation == true)
        #expect(mock.connectionCount == 0)
    }

    @Test("One that gives up its place in the queue does not take the place of the next")
    func inQueue() async throws {
        var configuration = MockTransport.Configuration(clock: VirtualClock(.manual))
        configuration.maximumConnectionsPerHost = 1
        let mock = MockTransport(configuration: configuration) {
            Route("/").reply(.text("x").delayed(by: .seconds(10)))
        }
        var tasks: [Task<TransportError?, Never>] = []
        for index in 0..<3 {
            tasks.append(Task { await mock.failure(of: .get("/")) })
            try await eventually("the request") { mock.requests.count > index }
            await mock.virtualClock.settle()
        }
        tasks[1].cancel()
        #expect(await tasks[1].value?.phase == .pool)
        await mock.virtualClock.advance(by: .seconds(20))
        #expect(await tasks[0].value == nil)
        #expect(await tasks[2].value == nil)
    }
}
