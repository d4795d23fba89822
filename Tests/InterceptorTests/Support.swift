import AirframeCore
import AirframeTransport
import Foundation
import HTTPTypes
import Synchronization

/// A transport that answers with a closure, records its requests, and has its own clock.
final class ClosureTransport: Transport {
    typealias Answer = @Sendable (TransportRequest) async throws(TransportError) -> TransportResponse

    let capabilities = TransportCapabilities(engine: "closure", features: TransportFeatures(rawValue: .max))
    let steps = StepClock()
    private let answer: Answer
    private let sent = Mutex<[HTTPRequest]>([])

    init(_ answer: @escaping Answer) { self.answer = answer }

    var clock: any TransportClock { steps }
    var requests: [HTTPRequest] { sent.withLock { $0 } }

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        sent.withLock { $0.append(request.head) }
        return try await answer(request)
    }
}

/// A clock that is advanced by sleeps only, and records them.
final class StepClock: TransportClock {
    private let state = Mutex((now: MonotonicInstant(nanoseconds: 0), waits: [Double]()))

    var now: MonotonicInstant { state.withLock { $0.now } }
    /// All sleeps so far, in seconds.
    var waits: [Double] { state.withLock { $0.waits } }

    func advance(by duration: Duration) { state.withLock { $0.now = $0.now.advanced(by: duration) } }

    func date(at instant: MonotonicInstant) -> Date {
        Date(timeIntervalSince1970: 784_111_777 + Double(instant.nanoseconds) * 1e-9)
    }

    func sleep(until deadline: MonotonicInstant) async throws {
        try Task.checkCancellation()
        state.withLock { state in
            state.waits.append(Double(deadline.nanoseconds - state.now.nanoseconds) / 1e9)
            state.now = max(state.now, deadline)
        }
    }
}

extension TransportResponse {
    static func status(
        _ status: Int,
        _ text: String = "",
        fields: HTTPFields = [:],
        to request: TransportRequest
    ) -> TransportResponse {
        let head = HTTPResponse(status: .init(code: status), headerFields: fields)
        return TransportResponse(head: head, body: ResponseBody(Data(text.utf8)), request: request.head)
    }
}

extension TransportError {
    static func failure(_ code: Code, _ processing: Processing) -> TransportError {
        TransportError(code, phase: .responseHead, processing: processing, message: "as the test has it")
    }
}

/// A thread-safe counter.
final class Counter: Sendable {
    private let count = Atomic<Int>(0)

    var value: Int { count.load(ordering: .acquiring) }

    /// Increments the counter. Returns its value, from 1 on.
    @discardableResult
    func next() -> Int { count.wrappingAdd(1, ordering: .acquiringAndReleasing).newValue }
}

/// A thread-safe list of values in the order of arrival.
final class Log<Value: Sendable>: Sendable {
    private let kept = Mutex<[Value]>([])

    var values: [Value] { kept.withLock { $0 } }

    func append(_ value: Value) { kept.withLock { $0.append(value) } }
}
