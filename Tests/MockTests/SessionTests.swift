import AirframeCore
import AirframeMock
import AirframeSerialization
import AirframeTestSupport
import AirframeTransport
import Foundation
import HTTPTypes
import Testing

@Suite("A session on a mock", .timeLimit(.minutes(4)))
struct SessionTests {
    /// Tries again after 1, 2, 4, … seconds, up to a number of times.
    private static func backoff(_ limit: Int = 5) -> Retrier {
        Retrier { request, _, _, completion in
            let delay = TimeInterval(1 << request.retryCount)
            completion(request.retryCount < limit ? .retryWithDelay(delay) : .doNotRetry)
        }
    }

    private static func instants(_ mock: MockTransport, _ path: String) -> [Int64] {
        mock.requests(.get, path).map { $0.instant.nanoseconds / 1_000_000_000 }
    }

    @Test("Backoff takes virtual time only, and each attempt starts at its instant")
    func backoff() async throws {
        let mock = MockTransport {
            Route(.get, "/flaky").reply(.sequence([.status(503), .status(503), .status(503), .json(["ok": true])]))
        }
        let session = Session(transport: mock, interceptor: Interceptor(retriers: [Self.backoff()]))
        let value = try await session.request("http://api.test/flaky").validate()
            .serializingDecodable([String: Bool].self).value
        #expect(value == ["ok": true])
        #expect(Self.instants(mock, "/flaky") == [0, 1, 3, 7])
    }

    @Test("A retry is not overtaken by a longer wait of another request, however often it is tried")
    func retryBesideSleeper() async throws {
        try await withThrowingTaskGroup { group in
            for _ in 0..<200 {
                group.addTask {
                    let mock = MockTransport {
                        Route(.get, "/flaky").reply(.sequence([.status(503), .status(503), .status(503), .text("x")]))
                        Route(.get, "/slow").reply(.text("slow").delayed(by: .seconds(30)))
                    }
                    let session = Session(transport: mock, interceptor: Interceptor(retriers: [Self.backoff()]))
                    let (flaky, slow) = await mock.virtualClock.hold {
                        let tasks = (
                            session.request("http://api.test/flaky").validate().serializingString(),
                            session.request("http://api.test/slow").validate().serializingString()
                        )
                        await mock.virtualClock.settle()
                        return tasks
                    }
                    let texts = try await [flaky.value, slow.value]
                    #expect(texts == ["x", "slow"])
                    #expect(Self.instants(mock, "/flaky") == [0, 1, 3, 7])
                    #expect(mock.virtualClock.elapsed == .seconds(30))
                }
            }
            try await group.waitForAll()
        }
    }

    @Test("A thousand sessions with retries take seconds")
    func parallel() async throws {
        let start = ContinuousClock.now
        try await withThrowingTaskGroup { group in
            for index in 0..<1_000 {
                group.addTask {
                    let mock = MockTransport {
                        Route(.get, "/x").reply(
                            .sequence([
                                .fault(.connectionRefused), .status(503), .text("\(index)").delayed(by: .seconds(9)),
                            ])
                        )
                    }
                    let session = Session(transport: mock, interceptor: Interceptor(retriers: [Self.backoff()]))
                    let text = try await session.request("http://api.test/x").validate().serializingString().value
                    #expect(text == "\(index)")
                    #expect(mock.virtualClock.elapsed == .seconds(12))
                }
            }
            try await group.waitForAll()
        }
        // Of virtual time it takes more than three hours, one after the other.
        #expect(start.duration(to: .now) < .seconds(200))
    }

    @Test(
        "The session's timeout ends a stall of the mock",
        arguments: [
            Fault.stall(in: .connect), .stall(in: .responseHead), .stall(afterBytes: 5),
        ])
    func timeout(fault: Fault) async throws {
        let mock = MockTransport { Route(.get, "/").reply(.text("0123456789").failing(with: fault)) }
        let session = Session(transport: mock)
        let error = await session.request("http://api.test/").serializingString().response.error
        #expect((error?.underlyingError as? URLError)?.code == .timedOut)
        #expect(mock.virtualClock.elapsed == .seconds(60))
    }

    @Test("Metrics have the durations of the virtual clock")
    func metrics() async throws {
        let mock = MockTransport {
            Route(.get, "/").reply(
                .text("x").delayed(by: .seconds(2), in: .resolve).delayed(by: .seconds(3), in: .connect)
                    .delayed(by: .seconds(4), in: .tls).delayed(by: .seconds(5))
            )
        }
        let session = Session(transport: mock)
        let response = await session.request("https://api.test/").serializingString().response
        let metrics = try #require(response.metrics)
        let transaction = try #require(metrics.transactionMetrics.first)
        #expect(metrics.taskInterval.duration == 14)
        #expect(transaction.connectStartDate.map { mock.virtualClock.startDate.distance(to: $0) } == 2)
        #expect(transaction.responseStartDate.map { mock.virtualClock.startDate.distance(to: $0) } == 14)
        #expect(transaction.networkProtocolName == "http/1.1")
    }

    @Test("Redirects are followed on the mock's kept connection")
    func redirect() async throws {
        let mock = MockTransport {
            Route(.get, "/old").reply(.redirect(to: "/new"))
            Route(.get, "/new").reply(.text("there"))
        }
        let session = Session(transport: mock)
        #expect(try await session.request("http://api.test/old").serializingString().value == "there")
        #expect(Set(mock.requests.compactMap(\.connection?.id)).count == 1)
    }

    @Test("An upload arrives whole")
    func upload() async throws {
        let mock = MockTransport {
            Route(.post, "/echo") { .data($0.body) }
        }
        let session = Session(transport: mock)
        let data = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0) })
        #expect(try await session.upload(data, to: "http://api.test/echo").serializingData().value == data)
    }

    @Test("A cancelled request ends immediately in every wait")
    func cancellation() async throws {
        let mock = MockTransport(configuration: .init(clock: VirtualClock(.manual))) {
            Route(.get, "/slow").reply(.text("x").delayed(by: .seconds(30)))
        }
        let session = Session(transport: mock)
        let request = session.request("http://api.test/slow")
        let task = request.serializingString()
        try await eventually("the delay") { mock.virtualClock.sleeperCount > 0 }
        request.cancel()
        #expect(await task.response.error?.isExplicitlyCancelledError == true)
        #expect(mock.virtualClock.elapsed == .zero)
    }

    @Test("A session uses no feature that the engine lacks, unless it is asked to")
    func poorEngine() async throws {
        var configuration = MockTransport.Configuration()
        configuration.features = [.http1, .tls]
        let mock = MockTransport(configuration: configuration) { Route(.get, "/").reply(.text("x")) }
        let session = Session(transport: mock)
        #expect(try await session.request("http://api.test/").serializingString().value == "x")
    }
}
