import Airframe
import AirframeReachability
import AirframeTestSupport
import AirframeTransport
import Foundation
import HTTPTypes
import Testing

@Suite("The layer that waits for connectivity", .timeLimit(.minutes(1)))
struct LayerTests {
    @Test("with a network, a request goes through immediately, and the option does not reach the engine")
    func online() async throws {
        let engine = StubEngine()
        let network = StubNetwork()
        let layer = ConnectivityLayer(engine, connectivity: network)
        _ = try await layer.send(.waiting())
        #expect(engine.requests.map(\.options.waitsForConnectivity) == [nil])
        #expect(network.asked.isEmpty)
    }

    @Test("without a network it waits before anything is sent, reports the reason, and resumes when there is one")
    func offline() async throws {
        let engine = StubEngine()
        let network = StubNetwork(.noCarrier)
        let layer = ConnectivityLayer(engine, connectivity: network)
        let decisions = EventLog()
        async let response = layer.send(.waiting(events: decisions))
        try await eventually("the wait") { network.isAwaited }
        #expect(engine.requests.isEmpty)
        #expect(decisions.words == ["there is no path to api.test: the interface has no carrier"])
        network.comeBack()
        #expect(try await response.head.status == .ok)
        #expect(decisions.words.last == "there is a path to api.test again")
        #expect(engine.requests.count == 1)
    }

    @Test(
        "a failure that being offline explains is waited out and the request sent again",
        arguments: [
            TransportError.unreachable(), .unreachable(.nameResolutionFailed, phase: .resolve),
            .unreachable(.connectFailed), .unreachable(.proxyFailed, phase: .proxy), .unreachable(.timedOut),
        ]
    )
    func failure(error: TransportError) async throws {
        let engine = StubEngine(failing: [error])
        let network = StubNetwork(.noRoute, seemsOnline: true)
        let layer = ConnectivityLayer(engine, connectivity: network)
        async let response = layer.send(.waiting())
        try await eventually("the wait") { network.isAwaited }
        network.comeBack()
        #expect(try await response.head.status == .ok)
        #expect(engine.requests.count == 2)
    }

    @Test("the failure is reported if a path existed the whole time")
    func wayAllAlong() async throws {
        let engine = StubEngine(failing: [.unreachable(.connectFailed)])
        let layer = ConnectivityLayer(engine, connectivity: StubNetwork())
        let error = await #expect(throws: TransportError.self) { try await layer.send(.waiting()) }
        #expect(error?.code == .connectFailed && engine.requests.count == 1)
    }

    @Test(
        "a failure with another cause, or after bytes were sent, does not start a wait",
        arguments: [
            TransportError.unreachable(.tlsFailed, phase: .tls), .unreachable(.timedOut, phase: .responseHead),
            .unreachable(.networkUnreachable, processing: .unknown),
            .unreachable(.connectionLost, phase: .responseHead),
        ]
    )
    func otherFailure(error: TransportError) async throws {
        let engine = StubEngine(failing: [error])
        let network = StubNetwork(.noRoute, seemsOnline: true)
        let layer = ConnectivityLayer(engine, connectivity: network)
        await #expect(throws: TransportError.self) { try await layer.send(.waiting()) }
        #expect(network.asked.isEmpty)
    }

    @Test("a body that can be read once is not sent a second time")
    func oneShotBody() async throws {
        final class Source: RequestBodySource {
            func next() async throws -> Data? { nil }
        }
        let network = StubNetwork(.noRoute, seemsOnline: true)
        let layer = ConnectivityLayer(StubEngine(failing: [.unreachable()]), connectivity: network)
        var request = TransportRequest.waiting()
        request.body = .oneShot(Source())
        await #expect(throws: TransportError.self) { try await layer.send(request) }
        #expect(network.asked.isEmpty)
    }

    @Test("the deadline ends the wait, and the error names the missing condition")
    func deadline() async throws {
        let network = StubNetwork(.noAddress)
        let engine = StubEngine()
        let layer = ConnectivityLayer(engine, connectivity: network)
        let decisions = EventLog()
        var request = TransportRequest.waiting(events: decisions)
        request.options.deadline = .milliseconds(50)
        let error = await #expect(throws: TransportError.self) { try await layer.send(request) }
        #expect(error?.isTimeout == true && error?.processing == .notSent)
        #expect(error?.description.contains("no interface has a routable address") == true)
        #expect(decisions.words.last == "failed: timedOut")
        #expect(engine.requests.isEmpty)
    }

    @Test("the deadline keeps running during the wait")
    func remainingDeadline() async throws {
        let network = StubNetwork(.noRoute)
        let engine = StubEngine()
        let layer = ConnectivityLayer(engine, connectivity: network)
        var request = TransportRequest.waiting()
        request.options.deadline = .seconds(3600)
        let sent = request
        let start = layer.clock.now
        async let response = layer.send(sent)
        try await eventually("the wait") { network.isAwaited }
        try await Task.sleep(for: .milliseconds(20))
        network.comeBack()
        _ = try await response
        let deadline = try #require(engine.requests.first?.deadline)
        #expect(deadline >= start.advanced(by: .seconds(3600)))
        #expect(layer.clock.now.duration(to: deadline) <= .seconds(3600) - .milliseconds(20))
    }

    @Test("a request that is cancelled while it waits ends immediately")
    func cancellation() async throws {
        let network = StubNetwork(.noRoute)
        let layer = ConnectivityLayer(StubEngine(), connectivity: network)
        let task = Task { try await layer.send(.waiting()) }
        try await eventually("the wait") { network.isAwaited }
        task.cancel()
        let error = await #expect(throws: TransportError.self) { try await task.value }
        #expect(error?.isCancellation == true)
    }

    @Test(
        "requests that stay on this machine never wait",
        arguments: [
            "localhost", "localhost:8080", "a.localhost", "127.0.0.1:80", "127.9.9.9", "[::1]:443", "LOCALHOST.",
        ]
    )
    func thisMachine(host: String) async throws {
        let network = StubNetwork(.noInterface)
        let layer = ConnectivityLayer(StubEngine(), connectivity: network)
        _ = try await layer.send(.waiting(host))
        #expect(network.asked.isEmpty)
    }

    @Test("requests to a Unix socket do not wait")
    func unixSocket() async throws {
        let network = StubNetwork(.noInterface)
        let layer = ConnectivityLayer(StubEngine(), connectivity: network)
        var request = TransportRequest.waiting()
        request.options.unixSocketPath = "/run/socket"
        _ = try await layer.send(request)
        #expect(network.asked.isEmpty)
    }

    @Test("an option that the engine lacks is refused before any wait")
    func unsupportedOption() async throws {
        let network = StubNetwork(.noRoute)
        let layer = ConnectivityLayer(StubEngine(), connectivity: network)
        var request = TransportRequest.waiting()
        request.options.priority = RequestPriority(urgency: 1)
        let error = await #expect(throws: TransportError.self) { try await layer.send(request) }
        #expect(error?.code == .unsupportedOption && network.asked.isEmpty)
    }

    @Test("without the layer, an engine refuses the request by the name of the missing feature")
    func refusal() async throws {
        let error = await #expect(throws: TransportError.self) { try await StubEngine().send(.waiting()) }
        #expect(error?.code == .unsupportedOption)
        #expect(error?.message == "the transport stub does not support waiting for connectivity")
        let layer = ConnectivityLayer(StubEngine(), connectivity: StubNetwork())
        #expect(layer.capabilities.features.contains(.connectivityWait))
    }
}
