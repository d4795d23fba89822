internal import AirframeTransport
internal import Foundation
internal import Synchronization

/// Delays pieces of content to keep a rate.
///
/// There are no bursts: the pacer does not make up for time that the peer takes.
final class Pacer: Sendable {
    private struct PacerState {
        /// The time at which the last piece has passed.
        var end: MonotonicInstant?
        /// The wait that is under way.
        var wait: Task<Void, Never>?
        var isCancelled = false
    }

    private let rate: Int
    private let clock: any TransportClock
    // Guards the wait; nothing is called while it is held.
    private let state = Mutex(PacerState())

    /// - Parameters:
    ///   - rate: The rate in bytes per second.
    ///   - clock: The clock to wait on.
    init(rate: Int, clock: any TransportClock) {
        self.rate = rate
        self.clock = clock
    }

    /// The maximum number of bytes to release in one piece: those of an eighth of a second, so that a slow transfer is
    /// even.
    var pieceSize: Int { max(512, rate / 8) }

    /// Waits until `count` bytes have passed.
    ///
    /// - Returns: `false` if the task or the pacer was cancelled.
    func pass(_ count: Int) async -> Bool {
        let now = clock.now
        let due = state.withLock { state in
            let end = max(state.end ?? now, now).advanced(by: .nanoseconds(nanoseconds(count)))
            state.end = end
            return end
        }
        let wait = Task { [clock] in _ = try? await clock.sleep(until: due) }
        let isCancelled = state.withLock { state in
            state.wait = wait
            return state.isCancelled
        }
        if isCancelled { wait.cancel() }
        await withTaskCancellationHandler {
            await wait.value
        } onCancel: {
            wait.cancel()
        }
        return state.withLock { state in
            state.wait = nil
            return !state.isCancelled && !Task.isCancelled
        }
    }

    /// Ends the current wait and every later one.
    func cancel() {
        let wait = state.withLock { state in
            state.isCancelled = true
            return state.wait
        }
        wait?.cancel()
    }

    private func nanoseconds(_ count: Int) -> Int64 {
        Int64(clamping: Int128(count) * 1_000_000_000 / Int128(rate))
    }
}
