import AirframeCore
import AirframeSerialization
import AirframeTransport
import Dispatch
import Foundation
import HTTPTypes
import Synchronization
import Testing

@Suite("The lifecycle of a request under random calls", .timeLimit(.minutes(5)))
struct RandomLifecycleTests {
    static let sequences = 10_000

    /// Each lane runs its share of the sequences in order.
    @Test("10,000 random sequences of calls keep the invariants", arguments: 0..<4)
    func randomSequences(lane: Int) async throws {
        let first = UInt64.random(in: .min ... .max)
        for index in 0..<(Self.sequences / 4) {
            let seed = first &+ UInt64(index)
            let faults = await Life(seed: seed).run()
            guard faults.isEmpty else {
                Issue.record("seed \(seed): \(faults.joined(separator: "; "))")
                return
            }
        }
    }
}

/// A seeded pseudorandom generator.
private struct Generator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }
}

/// A random sequence of calls on one request.
private struct Life {
    enum Call: CaseIterable { case resume, suspend, cancel, cancelTask, addHandler, yield, dropSession }
    enum Server: CaseIterable { case answers, refuses, failsOnce, hangs, breaksOff, chunks }

    let server: Server
    let calls: [Call]
    let startsImmediately: Bool
    let isEager: Bool
    let isConcurrent: Bool
    let retryDelay: TimeInterval?
    let endsByCancel: Bool

    init(seed: UInt64) {
        var generator = Generator(seed: seed)
        server = Server.allCases.randomElement(using: &generator) ?? .answers
        let count = Int.random(in: 0...7, using: &generator)
        // The session is released in few sequences, so that most can succeed.
        let common = Call.allCases.filter { $0 != .dropSession }
        var calls = (0..<count).map { _ in common.randomElement(using: &generator) ?? .resume }
        if Int.random(in: 0..<10, using: &generator) == 0 { calls.append(.dropSession) }
        self.calls = calls
        startsImmediately = Bool.random(using: &generator)
        isEager = Bool.random(using: &generator)
        isConcurrent = Bool.random(using: &generator)
        // An hour, so that the sequence has to end by a cancellation.
        retryDelay = [nil, 0, 0.0001, 3600].randomElement(using: &generator) ?? nil
        endsByCancel = Bool.random(using: &generator) || server == .hangs || retryDelay == 3600
    }

    /// The violated invariants.
    func run() async -> [String] {
        let attempts = Atomic<Int>(0)
        let server = server
        let transport = ClosureTransport { request throws(TransportError) in
            let attempt = attempts.wrappingAdd(1, ordering: .relaxed).newValue
            switch server {
            case .answers: return .text("text", to: request)
            case .refuses: return .text("no", status: 503, to: request)
            case .failsOnce:
                if attempt > 1 { return .text("text", to: request) }
                throw TransportError(
                    .connectionLost, phase: .responseHead, processing: .unknown, message: "the connection was lost")
            case .hangs:
                try? await Task.sleep(for: .seconds(3600))
                throw .cancelled(in: .responseHead, processing: .unknown)
            case .breaksOff:
                return TransportResponse(
                    head: .init(status: .ok), body: ResponseBody(FewChunks(breaksOff: true)), request: request.head)
            case .chunks:
                return TransportResponse(
                    head: .init(status: .ok), body: ResponseBody(FewChunks(breaksOff: false)), request: request.head)
            }
        }
        let monitor = RecordingMonitor()
        let delay = retryDelay
        let retrier = Retrier { request, _, _, completion in
            completion(request.retryCount >= 2 ? .doNotRetry : delay.map(RetryResult.retryWithDelay) ?? .retry)
        }
        let session = SessionHolder(
            Session(
                transport: transport,
                startRequestsImmediately: startsImmediately,
                requestSetup: isEager ? .eager : .lazy,
                interceptor: Interceptor(retriers: [retrier]),
                eventMonitors: [monitor]
            )
        )
        guard let request = session.makeRequest() else { return ["there is no session"] }
        let handlers = HandlerCounts()
        if isConcurrent {
            await withTaskGroup { group in
                for part in [calls.prefix(calls.count / 2), calls.dropFirst(calls.count / 2)] {
                    group.addTask { for call in part { await perform(call, request, session, handlers) } }
                }
            }
        } else {
            for call in calls { await perform(call, request, session, handlers) }
        }
        // In every case the request ends, and handlers added before and after the end are called.
        if endsByCancel { request.cancel() } else { request.resume() }
        await handlers.addLast(to: request)
        await handlers.addLast(to: request)
        return faults(of: request, handlers, await monitor.events)
    }

    private func perform(
        _ call: Call,
        _ request: DataRequest,
        _ session: SessionHolder,
        _ handlers: HandlerCounts
    ) async {
        switch call {
        case .resume: request.resume()
        case .suspend: request.suspend()
        case .cancel: request.cancel()
        case .cancelTask: request.task?.cancel()
        case .addHandler: handlers.add(to: request)
        case .yield: await Task.yield()
        case .dropSession: session.drop()
        }
    }

    private func faults(of request: DataRequest, _ handlers: HandlerCounts, _ events: [String]) -> [String] {
        var faults: [String] = []
        func expect(_ condition: Bool, _ rule: String) { if !condition { faults.append(rule) } }
        func count(_ event: String) -> Int { events.count { $0 == event } }
        func first(_ event: String) -> Int? { events.firstIndex(of: event) }

        expect(handlers.areAllOne, "each handler is called once, not \(handlers.counts)")
        let wasCancelled = count("cancel") > 0
        expect(request.state == (wasCancelled ? .cancelled : .finished), "it ends, and does not in \(request.state)")
        expect(count("cancel") <= 1, "it is cancelled once")
        expect(count("task") == request.tasks.count, "each task is reported")
        expect(request.tasks.allSatisfy { $0.state == .completed }, "each task ends")
        expect(count("complete") + count("complete with error") == count("task"), "each task completes once")
        expect(count("metrics") == count("task"), "each task has metrics")
        expect(request.allMetrics.count == request.tasks.count, "the metrics of each task are kept")
        expect(count("retrying") == request.retryCount, "each retry is reported")
        expect(count("finish") == 1, "it finishes once")
        if let cancel = first("cancel") {
            let later = events[cancel...]
            expect(!later.contains("resume") && !later.contains("suspend"), "nothing happens after a cancellation")
        }
        if let task = first("cancel task"), let cancel = first("cancel") {
            expect(cancel < task, "a request is cancelled before its task")
            let ends = events[task...].contains { $0.hasPrefix("complete") }
            expect(ends, "a task that is cancelled ends afterwards")
        }
        expect(
            wasCancelled || request.error == nil || !(request.error?.isExplicitlyCancelledError ?? false),
            "only who cancels gets a cancellation")
        return faults.isEmpty ? [] : faults + ["\(self)", "\(events)"]
    }
}

/// Holds the only reference to a session.
private final class SessionHolder: Sendable {
    private let session: Mutex<Session?>

    init(_ session: sending Session) { self.session = Mutex(session) }

    func makeRequest() -> DataRequest? { session.withLock { $0?.request("http://api.test/").validate() } }
    func drop() { session.withLock { $0 = nil } }
}

/// The number of calls of each handler.
private final class HandlerCounts: Sendable {
    private let queue = DispatchQueue(label: "handlers")
    private let called = Mutex<[Int]>([])

    var counts: [Int] { called.withLock { $0 } }
    var areAllOne: Bool { counts.allSatisfy { $0 == 1 } }

    func add(to request: DataRequest) {
        let index = newIndex()
        request.response(queue: queue) { [self] _ in note(index) }
    }

    /// Adds a handler and waits until it and all earlier ones have been called.
    func addLast(to request: DataRequest) async {
        let index = newIndex()
        await withCheckedContinuation { continuation in
            request.response(queue: queue) { [self] _ in
                note(index)
                continuation.resume()
            }
        }
    }

    private func newIndex() -> Int {
        called.withLock { counts in
            counts.append(0)
            return counts.count - 1
        }
    }

    private func note(_ index: Int) { called.withLock { $0[index] += 1 } }
}

/// A body of three chunks.
private final class FewChunks: ResponseBodySource {
    private let breaksOff: Bool
    private let count = Atomic<Int>(0)

    init(breaksOff: Bool) { self.breaksOff = breaksOff }

    func next() async throws(TransportError) -> Data? {
        await Task.yield()
        let number = count.wrappingAdd(1, ordering: .relaxed).newValue
        if number <= 3 { return Data(repeating: 0, count: 16) }
        if breaksOff {
            throw TransportError(
                .connectionLost, phase: .responseBody, processing: .unknown, message: "the connection was lost")
        }
        return nil
    }

    func cancel() {}
}
