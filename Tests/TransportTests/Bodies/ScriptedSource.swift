import AirframeTransport
import FoundationEssentials
import HTTPTypes
import Synchronization

/// A scripted source of a response's body, which records the calls.
final class ScriptedSource: ResponseBodySource {
    enum Step: Sendable {
        case bytes([UInt8])
        case end
        case fail(TransportError)
        /// Waits until the body is cancelled or ``ScriptedSource/release()`` is called, and continues with the next
        /// step.
        case wait
    }

    private struct SourceState {
        var steps: [Step]
        var reads = 0
        var cancellations = 0
        var isReleased = false
        var waiter: CheckedContinuation<Void, Never>?
        var observer: CheckedContinuation<Void, Never>?
    }

    private let state: Mutex<SourceState>
    private let endTrailers: HTTPFields?

    init(_ steps: [Step], trailers: HTTPFields? = nil) {
        state = Mutex(SourceState(steps: steps))
        endTrailers = trailers
    }

    convenience init(chunks: [[UInt8]], trailers: HTTPFields? = nil) {
        self.init(chunks.map(Step.bytes), trailers: trailers)
    }

    /// The number of calls of `next()`.
    var reads: Int { state.withLock { $0.reads } }
    /// The number of cancellations.
    var cancellations: Int { state.withLock { $0.cancellations } }
    var trailers: HTTPFields? { endTrailers }

    func next() async throws(TransportError) -> Data? {
        state.withLock { $0.reads += 1 }
        while true {
            let step = state.withLock { $0.steps.isEmpty ? Step.end : $0.steps.removeFirst() }
            switch step {
            case .bytes(let bytes): return Data(bytes)
            case .end: return nil
            case .fail(let error): throw error
            case .wait: await wait()
            }
        }
    }

    func cancel() {
        state.withLock { $0.cancellations += 1 }
        release()
    }

    /// Resumes a waiting reader.
    func release() {
        let waiter = state.withLock { state in
            state.isReleased = true
            return state.waiter.take()
        }
        waiter?.resume()
    }

    /// Returns once a reader waits.
    func hasReader() async {
        await withCheckedContinuation { continuation in
            let isWaiting = state.withLock { state in
                if state.waiter == nil { state.observer = continuation }
                return state.waiter != nil
            }
            if isWaiting { continuation.resume() }
        }
    }

    private func wait() async {
        await withCheckedContinuation { continuation in
            let (mayGo, observer) = state.withLock { state in
                if !state.isReleased { state.waiter = continuation }
                return (state.isReleased, state.observer.take())
            }
            if mayGo { continuation.resume() }
            observer?.resume()
        }
    }
}

/// An error for scripts.
let lost = TransportError(.connectionLost, phase: .responseBody, processing: .unknown, message: "the peer is gone")

/// An error of another module.
struct ForeignError: Error, Equatable {
    let number: Int
}
