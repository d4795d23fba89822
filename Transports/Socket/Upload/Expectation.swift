internal import AirframeWire
internal import Synchronization

/// The wait for `100 (Continue)`, or for the time after which the content is sent without it (RFC 9110 §10.1.1).
final class Expectation: Sendable {
    private let slot = ReadySlot()
    private let isOver = Atomic(false)
    private let end: Int64
    private let reactor: Reactor

    /// - Parameter wait: How long to wait at most.
    init(_ wait: Duration, _ reactor: Reactor) {
        end = Monotonic.time(wait, after: Monotonic.now)
        self.reactor = reactor
    }

    /// Whether the wait is over.
    var isFulfilled: Bool { isOver.load(ordering: .acquiring) }

    /// The server has said that it wants the content.
    func fulfil() {
        isOver.store(true, ordering: .releasing)
        slot.signal()
    }

    /// Returns when the content is to be sent, or the task is cancelled.
    func wait() async {
        let alarm = reactor.makeAlarm { self.fulfil() }
        alarm.set(end)
        defer { alarm.cancel() }
        while !isFulfilled, !Task.isCancelled {
            await withTaskCancellationHandler {
                await slot.wait()
            } onCancel: {
                slot.signal()
            }
        }
    }
}
