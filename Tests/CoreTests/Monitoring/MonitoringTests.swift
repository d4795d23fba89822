import AirframeCore
import AirframeSerialization
import AirframeTransport
import Dispatch
import Foundation
import Synchronization
import Testing

/// A monitor that selects events and records its notifications.
private final class ChoosingMonitor: EventMonitor {
    @TaskLocal static var label = "outside"

    let queue = DispatchQueue(label: "choosing")
    let monitoredEvents: MonitoredEvents
    let isCalledSynchronously: Bool
    private let choose: @Sendable (Request) -> RequestMonitoring
    private let recorded = Mutex<[String]>([])

    init(
        _ events: MonitoredEvents = .all,
        inPlace: Bool = false,
        choose: @escaping @Sendable (Request) -> RequestMonitoring = { _ in .shared }
    ) {
        monitoredEvents = events
        isCalledSynchronously = inPlace
        self.choose = choose
    }

    var events: [String] {
        get async {
            await withCheckedContinuation { done in queue.async { done.resume() } }
            return eventsSoFar
        }
    }
    var eventsSoFar: [String] { recorded.withLock { $0 } }

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

@Suite("Selection of events by monitors", .timeLimit(.minutes(1)))
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
        "a monitor receives the kinds of events that it wants, and no others",
        arguments: [
            (MonitoredEvents.tasks, "tasks"), (.bodies, "bodies"), (.requests, "requests"), (.results, "results"),
            (.transport, "transport"),
        ]
    )
    func kinds(events: MonitoredEvents, expected: String) async {
        let (one, all, nothing) = (ChoosingMonitor(events), ChoosingMonitor(), ChoosingMonitor([]))
        await run([one, all, nothing])
        #expect(await one.events == [expected])
        #expect(await all.events == ["transport", "bodies", "tasks", "requests", "results"])
        #expect(await nothing.events == [])
    }

    @Test("a synchronous monitor has received all events when the response is delivered")
    func inPlace() async {
        let monitor = ChoosingMonitor(inPlace: true)
        await run([monitor])
        #expect(monitor.eventsSoFar == ["transport", "bodies", "tasks", "requests", "results"])
    }

    @Test("monitoring(_:) is called once per request in the task that creates it, and sees task-local values")
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

    @Test("a monitor can ignore a request or provide another monitor, without effect on other monitors")
    func perRequest() async {
        let (own, other) = (ChoosingMonitor(), ChoosingMonitor())
        let ignoring = ChoosingMonitor { _ in .ignored }
        let replacing = ChoosingMonitor { _ in .own(own) }
        await run([other, ignoring, replacing])
        #expect(await ignoring.events == [])
        #expect(await replacing.events == [])
        #expect(await own.events == ["transport", "bodies", "tasks", "requests", "results"])
        #expect(await other.events == own.events)
    }

    @Test("a request that all monitors ignore has no monitor")
    func ignored() async {
        let monitor = ChoosingMonitor { _ in .ignored }
        let session = Session(transport: transport, eventMonitors: [monitor, monitor])
        let request = session.request("http://api.test/")
        #expect(request.eventMonitor == nil)
        _ = await request.serializingString().response
        #expect(await monitor.events == [])
    }

    @Test("monitoring(_:) of a request's own monitor is called when it is added")
    func ownMonitor() async {
        let own = ChoosingMonitor()
        let session = Session(transport: transport)
        let request = session.request("http://api.test/")
            .eventMonitor(ChoosingMonitor { _ in .ignored })
            .eventMonitor(ChoosingMonitor { _ in .own(own) })
        _ = await request.serializingString().response
        #expect(await own.events == ["transport", "requests", "results"])
        #expect((request.eventMonitor as? CompositeEventMonitor)?.monitors.count == 1)
    }

    @Test("a nested composite forwards monitoring(_:)")
    func nested() async {
        let (own, shared) = (ChoosingMonitor(), ChoosingMonitor([.requests]))
        let inner = Session(
            transport: transport,
            eventMonitors: [ChoosingMonitor { _ in .own(own) }, shared, ChoosingMonitor { _ in .ignored }]
        ).eventMonitor
        #expect(inner.monitoredEvents == .all)
        await run([inner])
        #expect(await own.events.count == 5)
        #expect(await shared.events == ["requests"])
    }
}
