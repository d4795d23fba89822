import AirframeTransport
import HTTPTypes
import Synchronization
import Testing

@Suite("Every event names its exchange", .timeLimit(.minutes(1)))
struct ExchangeIdentifierTests {
    private let head = HTTPRequest(method: .get, scheme: "http", authority: "api.test", path: "/")

    @Test("A copy of a request belongs to the same exchange until it begins a new one")
    func copies() {
        let request = TransportRequest(head)
        var copy = request
        copy.head.path = "/other"
        #expect(copy.exchange == request.exchange)
        #expect(request.head.path == "/")
        copy.beginNewExchange()
        #expect(copy.exchange != request.exchange)
        #expect(TransportRequest(head).exchange != request.exchange)
    }

    @Test("Identifiers drawn by concurrent tasks are unique")
    func unique() async {
        let all = await withTaskGroup(of: [ExchangeIdentifier].self) { group in
            for _ in 0..<8 { group.addTask { (0..<1000).map { _ in ExchangeIdentifier() } } }
            return await group.reduce(into: []) { $0 += $1 }
        }
        #expect(Set(all).count == 8000)
    }

    @Test("Reports of a request carry its exchange")
    func reports() {
        let exchanges = Mutex<[ExchangeIdentifier]>([])
        let request = TransportRequest(
            head, events: ClosureEventSink { event in exchanges.withLock { $0.append(event.exchange) } })
        request.report(.started(head), on: SystemClock.shared)
        request.report(.refused, because: "of a test", on: SystemClock.shared)
        _ = request.failed(.cancelled(in: .layer, processing: .notSent), on: SystemClock.shared)
        #expect(exchanges.withLock { $0 } == [request.exchange, request.exchange, request.exchange])
    }
}
