import AirframeTransport
import Foundation
import Synchronization

/// A clock that is advanced by sleeps only, and records them.
final class StepClock: TransportClock {
    // Guards the time and the sleeps.
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
