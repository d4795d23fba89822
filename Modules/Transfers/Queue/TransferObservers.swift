internal import Synchronization

/// Delivers events to all observers.
final class TransferObservers: Sendable {
    private struct Observers {
        var next = 0
        var continuations: [Int: AsyncStream<TransferEvent>.Continuation] = [:]
    }

    /// The maximum number of events that wait for an observer. Later events replace the oldest.
    private static let buffer = 4096

    // Guards the observers.
    private let observers = Mutex(Observers())

    func send(_ event: TransferEvent) {
        for continuation in observers.withLock({ Array($0.continuations.values) }) { continuation.yield(event) }
    }

    func events() -> AsyncStream<TransferEvent> {
        let (stream, continuation) = AsyncStream<TransferEvent>.makeStream(
            bufferingPolicy: .bufferingNewest(Self.buffer))
        let number = observers.withLock { observers in
            observers.next += 1
            observers.continuations[observers.next] = continuation
            return observers.next
        }
        continuation.onTermination = { [weak self] _ in
            _ = self?.observers.withLock { $0.continuations.removeValue(forKey: number) }
        }
        return stream
    }
}
