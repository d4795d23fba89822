internal import AirframeTransport
internal import Foundation
internal import Synchronization

/// Holds pieces of content back until a rate allows them.
///
/// Time that the other side takes is not made up for: there are no bursts.
final class Pacer: Sendable {
    private struct State {
        /// When the last piece is through.
        var end: MonotonicInstant?
        /// The wait that is under way.
        var wait: Task<Void, Never>?
        var isCancelled = false
    }

    private let rate: Int
    private let clock: any TransportClock
    // Guards the wait; nothing is called while it is held.
    private let state = Mutex(State())

    /// - Parameters:
    ///   - rate: Bytes a second.
    ///   - clock: The clock to wait on.
    init(rate: Int, clock: any TransportClock) {
        self.rate = rate
        self.clock = clock
    }

    /// The most bytes to let through at once: an eighth of a second's, so that a slow transfer flows.
    var pieceSize: Int { max(512, rate / 8) }

    /// Waits until `count` bytes are through.
    ///
    /// - Returns: Whether they are; not when the task or the pacer was cancelled.
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

    /// Ends a wait, and every later one.
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
