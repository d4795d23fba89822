import AirframeCore
import AirframeSerialization
import AirframeTransport
import Dispatch
import Foundation
import Synchronization
import Testing

/// A monitor that says what it wants, and remembers what it was told.
private final class ChoosingMonitor: EventMonitor {
    @TaskLocal static var label = "outside"

    let queue = DispatchQueue(label: "choosing")
    let monitoredEvents: MonitoredEvents
    let isToldInPlace: Bool
    private let choose: @Sendable (Request) -> RequestMonitoring
    private let recorded = Mutex<[String]>([])

    init(
        _ events: MonitoredEvents = .all,
        inPlace: Bool = false,
        choose: @escaping @Sendable (Request) -> RequestMonitoring = { _ in .shared }
    ) {
        monitoredEvents = events
        isToldInPlace = inPlace
        self.choose = choose
    }

    var told: [String] {
        get async {
            await withCheckedContinuation { done in queue.async { done.resume() } }
            return toldSoFar
        }
    }
    var toldSoFar: [String] { recorded.withLock { $0 } }

    private func record(_ event: String) { recorded.withLock { $0.append(event) } }

    func monitoring(_ request: Request) -> RequestMonitoring { choose(request) }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        record("tasks")
    }
    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) { record("bodies") }
    func requestDidFinish(_ request: Request) { record("requests") }
    func request<Value: Sendable>(_ request: DataRequest, didParseResponse response: DataResponse<Value, AFError>) {
        record("results")
    }
    func request(_ request: Request, didReceive event: TransportEvent) { record("transport") }
}

@Suite("What monitors want to know", .timeLimit(.minutes(1)))
struct MonitoringTests {
    private let transport = ClosureTransport { request in
        request.report(.requestFinished, on: SystemClock.shared)
        return .text("text", to: request)
    }

    private func run(_ monitors: [any EventMonitor]) async {
        let session = Session(transport: transport, eventMonitors: monitors)
        _ = await session.request("http://api.test/").serializingString().response
    }

    @Test(
        "A monitor is told of the kinds of events that it wants, and of no others",
        arguments: [
            (MonitoredEvents.tasks, "tasks"), (.bodies, "bodies"), (.requests, "requests"), (.results, "results"),
            (.transport, "transport"),
        ]
    )
    func kinds(events: MonitoredEvents, expected: String) async {
        let (one, all, nothing) = (ChoosingMonitor(events), ChoosingMonitor(), ChoosingMonitor([]))
        await run([one, all, nothing])
        #expect(await one.told == [expected])
        #expect(await all.told == ["transport", "bodies", "tasks", "requests", "results"])
        #expect(await nothing.told == [])
    }

    @Test("A monitor that is told in place has heard of everything when the response is there")
    func inPlace() async {
        let monitor = ChoosingMonitor(inPlace: true)
        await run([monitor])
        #expect(monitor.toldSoFar == ["transport", "bodies", "tasks", "requests", "results"])
    }

    @Test("A monitor is asked about each request once, where it is made, and sees what is local to that task")
    func asked() async throws {
        let labels = Mutex<[String]>([])
        let monitor = ChoosingMonitor { _ in
            labels.withLock { $0.append(ChoosingMonitor.label) }
            return .shared
        }
        let session = Session(transport: transport, eventMonitors: [monitor])
        let first = ChoosingMonitor.$label.withValue("inside") { session.request("http://api.test/") }
        _ = await first.serializingString().response
        _ = await session.request("http://api.test/").serializingString().response
        #expect(labels.withLock { $0 } == ["inside", "outside"])
    }

    @Test("A monitor can ignore a request, or give it a monitor of its own, and others are told all the same")
    func perRequest() async {
        let (own, other) = (ChoosingMonitor(), ChoosingMonitor())
        let ignoring = ChoosingMonitor { _ in .ignored }
        let replacing = ChoosingMonitor { _ in .own(own) }
        await run([other, ignoring, replacing])
        #expect(await ignoring.told == [])
        #expect(await replacing.told == [])
        #expect(await own.told == ["transport", "bodies", "tasks", "requests", "results"])
        #expect(await other.told == own.told)
    }

    @Test("A request that all monitors ignore has none")
    func ignored() async {
        let monitor = ChoosingMonitor { _ in .ignored }
        let session = Session(transport: transport, eventMonitors: [monitor, monitor])
        let request = session.request("http://api.test/")
        #expect(request.eventMonitor == nil)
        _ = await request.serializingString().response
        #expect(await monitor.told == [])
    }

    @Test("A monitor of one request is asked where it is added")
    func ownMonitor() async {
        let own = ChoosingMonitor()
        let session = Session(transport: transport)
        let request = session.request("http://api.test/")
            .eventMonitor(ChoosingMonitor { _ in .ignored })
            .eventMonitor(ChoosingMonitor { _ in .own(own) })
        _ = await request.serializingString().response
        #expect(await own.told == ["transport", "requests", "results"])
        #expect((request.eventMonitor as? CompositeEventMonitor)?.monitors.count == 1)
    }

    @Test("A composite within a composite passes the questions on")
    func nested() async {
        let (own, shared) = (ChoosingMonitor(), ChoosingMonitor([.requests]))
        let inner = Session(
            transport: transport,
            eventMonitors: [ChoosingMonitor { _ in .own(own) }, shared, ChoosingMonitor { _ in .ignored }]
        ).eventMonitor
        #expect(inner.monitoredEvents == .all)
        await run([inner])
        #expect(await own.told.count == 5)
        #expect(await shared.told == ["requests"])
    }
}
