import Airframe
import AirframeCore
import AirframeReachability
import AirframeSerialization
import AirframeTestSupport
import AirframeTransport
import Foundation
import Testing

@Suite("A retry policy that wakes on reachability", .timeLimit(.minutes(1)))
struct RetryPolicyTests {
    private func session(_ engine: StubEngine, _ network: StubNetwork, firstWait: Double) -> Session {
        let policy = ReachabilityRetryPolicy(connectivity: network, exponentialBackoffScale: firstWait)
        return Session(transport: engine, interceptor: policy)
    }

    @Test("waits no longer than until the network is back")
    func wakes() async throws {
        let engine = StubEngine(failing: [.unreachable()])
        let network = StubNetwork(.noCarrier)
        // The backoff alone would outlast the test.
        let session = session(engine, network, firstWait: 3600)
        let request = session.request("http://api.test/")
        async let text = request.serializingString().value
        try await eventually("the wait") { network.isAwaited }
        network.comeBack()
        #expect(try await text == "hello")
        #expect(request.retryCount == 1)
    }

    @Test("waits no longer than its backoff, and tries again although the network is not back")
    func backoff() async throws {
        let engine = StubEngine(failing: [.unreachable(), .unreachable()])
        let network = StubNetwork(.noCarrier)
        let session = session(engine, network, firstWait: 0.01)
        let request = session.request("http://api.test/")
        #expect(try await request.serializingString().value == "hello")
        #expect(request.retryCount == 2 && network.waitCount == 2)
    }

    @Test("with a network it is a retry policy like any other")
    func online() async throws {
        let engine = StubEngine(failing: [.unreachable(), .unreachable(), .unreachable()])
        let session = session(engine, StubNetwork(), firstWait: 0.01)
        let response = await session.request("http://api.test/").serializingString().response
        #expect(response.error != nil && engine.requests.count == 3)
    }

    @Test("a request that is cancelled while it waits ends immediately")
    func cancelled() async throws {
        let network = StubNetwork(.noRoute)
        let session = session(StubEngine(failing: [.unreachable()]), network, firstWait: 3600)
        let request = session.request("http://api.test/")
        async let response = request.serializingString().response
        try await eventually("the wait") { network.isAwaited }
        request.cancel()
        #expect(await response.error != nil)
        try await eventually("the end of the wait") { !network.isAwaited }
    }

    @Test("a subclass decides by itself")
    func subclass() async throws {
        let engine = StubEngine(failing: [.unreachable(), .unreachable()])
        let policy = OneRetry(connectivity: StubNetwork(), exponentialBackoffScale: 0.01)
        let session = Session(transport: engine, interceptor: policy)
        let request = session.request("http://api.test/")
        #expect(await request.serializingString().response.error != nil)
        #expect(request.retryCount == 1)
    }

    @Test("has shorthands like the other policies")
    func shorthands() {
        let all: [any RequestInterceptor] = [.reachabilityRetryPolicy, .reachabilityRetryPolicy(retryLimit: 7)]
        #expect(all.allSatisfy { $0 is ReachabilityRetryPolicy && $0 is RetryPolicy })
        #expect((all[1] as? RetryPolicy)?.retryLimit == 7)
    }
}

/// Retries once, immediately.
///
/// `@unchecked Sendable`: it adds no state to that of the class, which is immutable.
private final class OneRetry: ReachabilityRetryPolicy, @unchecked Sendable {
    override func retry(
        _ request: Request,
        for session: Session,
        dueTo error: any Error,
        completion: @escaping @Sendable (RetryResult) -> Void
    ) {
        completion(request.retryCount == 0 ? .retry : .doNotRetry)
    }
}
