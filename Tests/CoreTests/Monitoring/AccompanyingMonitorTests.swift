import AirframeCore
import AirframeSerialization
import AirframeTestSupport
import AirframeTransport
import Foundation
import HTTPTypes
import Synchronization
import Testing

/// A monitor that counts attempts in a field, names its layer in another, and records its notifications.
private final class Companion: AccompanyingMonitor {
    struct Layer: TransportLayer {
        let base: any Transport
        let name: String

        func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
            var request = request
            request.head.headerFields.append(HTTPField(name: .via, value: name))
            return try await base.send(request)
        }
    }

    let name: String
    let isCalledSynchronously: Bool
    private let recorded = Mutex<[String]>([])

    init(_ name: String = "one", inPlace: Bool = true) {
        self.name = name
        isCalledSynchronously = inPlace
    }

    var events: [String] { recorded.withLock { $0 } }
    var monitoredEvents: MonitoredEvents { .requests }

    private func record(_ event: String) { recorded.withLock { $0.append(event) } }

    func layer(over transport: any Transport) -> any Transport { Layer(base: transport, name: name) }

    func request(_ request: Request, willSend transportRequest: inout TransportRequest) {
        record("will send")
        transportRequest.head.headerFields[.from] = "attempt \(request.retryCount)"
    }

    func requestWillDeliver(_ request: Request) { record("will deliver") }
    func requestDidFinish(_ request: Request) { record("finished") }
    func requestIsRetrying(_ request: Request) { record("retries") }
}

extension HTTPField.Name {
    fileprivate static var from: HTTPField.Name { HTTPField.Name("From") ?? .accept }
}

@Suite("Monitors that take part in sending", .timeLimit(.minutes(1)))
struct AccompanyingMonitorTests {
    @Test("a monitor may change each attempt, and its layer is beneath those of the session")
    func attempts() async {
        let transport = ScriptedTransport { request in
            guard request.head.path == "/a" else { return .text("1", to: request) }
            return .text(status: 302, fields: [.location: "/b"], to: request)
        }
        let (one, two) = (Companion("one"), Companion("two"))
        let session = Session(transport: transport, eventMonitors: [one, two])
        let response = await session.request("http://api.test/a").serializingString().response
        #expect(response.value == "1")
        #expect(transport.heads.map(\.path) == ["/a", "/b"])
        // The first monitor's layer is outermost.
        #expect(transport.heads.map { $0.headerFields[values: .via] } == [["one", "two"], ["one", "two"]])
        #expect(transport.heads.map { $0.headerFields[.from] } == ["attempt 0", "attempt 0"])
    }

    @Test("requestWillDeliver is called after the last attempt and before any result is delivered")
    func delivery() async {
        let count = Atomic(0)
        let transport = ScriptedTransport { request in
            .text(count.add(1, ordering: .relaxed).newValue < 3 ? "not a number" : "7", to: request)
        }
        let retrier = Interceptor(retriers: [Retrier { _, _, _, completion in completion(.retry) }])
        let companion = Companion()
        let session = Session(transport: transport, interceptor: retrier, eventMonitors: [companion])
        let response = await session.request("http://api.test/").serializingDecodable(Int.self).response
        let events = companion.events
        #expect(response.value == 7)
        let attempt = ["will send", "finished"]
        #expect(events == attempt + ["retries"] + attempt + ["retries"] + attempt + ["will deliver"])
        #expect(transport.heads.map { $0.headerFields[.from] } == ["attempt 0", "attempt 1", "attempt 2"])
    }

    @Test("a monitor on a queue takes no part in sending, and a composed transport gets no layer")
    func outsiders() async {
        let transport = ScriptedTransport { .text("1", to: $0) }
        let (late, inPlace) = (Companion("late", inPlace: false), Companion())
        let session = Session(composed: transport, eventMonitors: [late, inPlace])
        _ = await session.request("http://api.test/").serializingString().response
        #expect(transport.heads.map { $0.headerFields[values: .via] } == [[]])
        #expect(!late.events.contains("will send"))
        #expect(inPlace.events.contains("will send"))
    }
}
