import Airframe
import AirframeMock
import AirframeReachability
import AirframeTestSupport
import AirframeTransport
import Foundation
import HTTPTypes
import NamespaceSupport
import Testing

@Suite("WebSockets and connectivity", .timeLimit(.minutes(1)))
struct WebSocketTests {
    @Test("with `waitsForConnectivity`, a handshake waits for a network, and nothing is sent before")
    func handshake() async throws {
        let mock = MockTransport {
            Route(.get, "/chat").reply(.webSocket { client in try await client.send("hello") })
        }
        let network = StubNetwork(.noCarrier)
        let configuration = URLSessionConfiguration.af.default
        configuration.transportOptions.waitsForConnectivity = true
        let session = Session(
            composed: ConnectivityLayer(mock, connectivity: network), configuration: configuration)
        async let opening = session.webSocket("ws://api.test/chat")
        try await eventually("the wait") { network.isAwaited }
        #expect(mock.requests.isEmpty)
        network.comeBack()
        let socket = try await opening
        var messages = socket.messages.makeAsyncIterator()
        #expect(try await messages.next() == .string("hello"))
        #expect(mock.requests.count == 1)
        await socket.close()
    }

    @Test("a ReconnectingWebSocket tries again immediately when a network returns", .namespaces)
    func networkReturns() async throws {
        struct Broken: Error {}
        // The clock stands still: no delay ever ends by itself.
        let mock = MockTransport(configuration: .init(clock: VirtualClock(.manual))) {
            Route(.get, "/chat").reply(
                .sequence([
                    .webSocket { client in
                        try await client.send("one")
                        throw Broken()
                    },
                    .webSocket { client in
                        try await client.send("two")
                        try await client.close()
                    },
                ])
            )
        }
        let namespace = try TestNamespace()
        let session = Session(composed: mock)
        let policy = ReconnectingWebSocket.Policy(initialDelay: .seconds(3_600), hasJitter: false)
        let socket = session.reconnectingWebSocket("ws://api.test/chat", policy: policy)
        try socket.retriesWhenNetworkReturns(NetworkPathMonitor(namespace.configuration))
        let reader = Task {
            var received: [WebSocket.Message] = []
            for try await message in socket.messages { received.append(message) }
            return received
        }
        try await eventually("the pause after the first connection") { mock.virtualClock.sleeperCount > 0 }
        #expect(mock.requests.count == 1)
        try namespace.addUplink("up0")
        #expect(try await reader.value == [.string("one"), .string("two")])
        #expect(mock.requests.count == 2)
        withExtendedLifetime(session) {}
    }
}
