internal import Synchronization

/// Delivers events to all observers.
final class TransferObservers: Sendable {
    private struct State {
        var next = 0
        var continuations: [Int: AsyncStream<TransferEvent>.Continuation] = [:]
    }

    /// The maximum number of events that wait for an observer. Later events replace the oldest.
    private static let buffer = 4096

    // Guards the observers.
    private let state = Mutex(State())

    func send(_ event: TransferEvent) {
        for continuation in state.withLock({ Array($0.continuations.values) }) { continuation.yield(event) }
    }

    func events() -> AsyncStream<TransferEvent> {
        let (stream, continuation) = AsyncStream<TransferEvent>.makeStream(
            bufferingPolicy: .bufferingNewest(Self.buffer))
        let number = state.withLock { state in
            state.next += 1
            state.continuations[state.next] = continuation
            return state.next
        }
        continuation.onTermination = { [weak self] _ in
            _ = self?.state.withLock { $0.continuations.removeValue(forKey: number) }
        }
        return stream
    }
}
