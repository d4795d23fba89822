import AirframeTransport
import FoundationEssentials
import HTTPTypes
import Synchronization
import Testing

@Suite("A deadline is an instant", .timeLimit(.minutes(1)))
struct DeadlineTests {
    private final class Clock: TransportClock {
        let instant = Mutex(MonotonicInstant(nanoseconds: 0))
        var now: MonotonicInstant { instant.withLock { $0 } }
        func date(at instant: MonotonicInstant) -> Date { Date(timeIntervalSince1970: 0) }
        func sleep(until deadline: MonotonicInstant) async throws {}
        func set(_ seconds: Int64) { instant.withLock { $0 = MonotonicInstant(nanoseconds: seconds * 1_000_000_000) } }
    }

    private let clock = Clock()
    private var request: TransportRequest {
        TransportRequest(HTTPRequest(method: .get, scheme: "http", authority: "api.test", path: "/"))
    }

    @Test("The option is converted once, and keeps its instant")
    func startsOnce() {
        var request = request
        request.startDeadline(on: clock)
        #expect(request.deadline == nil && request.remainingTime(on: clock) == nil)
        request.options.deadline = .seconds(10)
        request.startDeadline(on: clock)
        clock.set(4)
        request.startDeadline(on: clock)
        #expect(request.deadline == MonotonicInstant(nanoseconds: 10_000_000_000))
        #expect(request.remainingTime(on: clock) == .seconds(6))
        #expect(request.prepared(on: clock).deadline == request.deadline)
    }

    @Test("It can be moved forward, and never back")
    func broughtForward() {
        var request = request
        request.bringDeadlineForward(to: MonotonicInstant(nanoseconds: 5))
        request.bringDeadlineForward(to: MonotonicInstant(nanoseconds: 9))
        #expect(request.deadline == MonotonicInstant(nanoseconds: 5))
        request.bringDeadlineForward(to: MonotonicInstant(nanoseconds: 2))
        #expect(request.deadline == MonotonicInstant(nanoseconds: 2))
    }

    @Test("An engine refuses a request whose deadline has passed, or that it cannot limit")
    func refused() throws {
        var late = request
        late.deadline = MonotonicInstant(nanoseconds: 1_000_000_000)
        clock.set(1)
        let able = TransportCapabilities(engine: "able", features: .all)
        let error = try #require(throws: TransportError.self) { try able.accept(&late, on: clock) }
        #expect(error.isTimeout && error.processing == .notSent && error.phase == .options)
        let unable = TransportCapabilities(engine: "unable", features: .http1)
        #expect(throws: TransportError.self) { try unable.accept(&late, on: clock) }
        clock.set(0)
        try able.accept(&late, on: clock)
    }
}

@Suite("An observed body", .timeLimit(.minutes(1)))
struct ObservedBodyTests {
    private func observe(_ body: ResponseBody) -> (ResponseBody, ends: @Sendable () -> [String]) {
        let log = LogBox()
        let observed = body.observed(onBytes: { log.add("\($0.count)") }) { end in
            switch end {
            case .complete(let trailers): log.add("complete \(trailers?.count ?? 0)")
            case .failed(let error): log.add("failed \(error.code.rawValue)")
            case .cancelled: log.add("cancelled")
            }
        }
        return (observed, { log.words })
    }

    private final class LogBox: Sendable {
        private let kept = Mutex<[String]>([])
        var words: [String] { kept.withLock { $0 } }
        func add(_ word: String) { kept.withLock { $0.append(word) } }
    }

    @Test("returns bytes and trailers unchanged, and reports its end")
    func whole() async throws {
        let (body, words) = observe(ResponseBody(Data("text".utf8), trailers: [.eTag: "x"]))
        #expect(try await body.collect(upTo: 10) == Data("text".utf8))
        #expect(body.trailers?[.eTag] == "x")
        #expect(words() == ["4", "complete 1"])
    }

    @Test("reports its cancellation, and cancels the body beneath")
    func cancelled() async throws {
        let inner = ResponseBody(Data("text".utf8))
        let (body, words) = observe(inner)
        body.cancel()
        #expect(words() == ["cancelled"])
        await #expect(throws: TransportError.self) { try await inner.next() }
    }
}
