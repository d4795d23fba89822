internal import AirframeWire
internal import Synchronization

/// The wait for `100 (Continue)`, or for the timeout after which the content is sent without it (RFC 9110 §10.1.1).
final class Expectation: Sendable {
    private let slot = ReadySlot()
    private let isOver = Atomic(false)
    private let end: Int64
    private let reactor: Reactor

    /// - Parameter wait: The maximum time to wait.
    init(_ wait: Duration, _ reactor: Reactor) {
        end = Monotonic.time(max(.zero, wait), after: Monotonic.now)
        self.reactor = reactor
    }

    /// Whether the wait is over.
    var isFulfilled: Bool { isOver.load(ordering: .acquiring) }

    /// Ends the wait: the server has asked for the content.
    func fulfil() {
        isOver.store(true, ordering: .releasing)
        slot.signal()
    }

    /// Waits until the content must be sent or the task is cancelled.
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
