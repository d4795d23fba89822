internal import AirframeTransport

/// Watches a clock for quiet, one look after the other.
struct QuietWatch {
    private var generation: UInt64?
    /// How often the executor has turned over since something happened. A program that was stopped in a debugger has not
    /// turned over meanwhile, however long it was.
    private var turns = 0

    /// How much real time to let pass before the next look, at least; `nil` when nothing has happened for long enough.
    mutating func pause(before state: inout ClockState) -> Duration? {
        guard generation == state.generation else {
            generation = state.generation
            turns = 0
            return .zero
        }
        turns += 1
        guard state.workCount == 0 else {
            // Most work is done in microseconds; what is not is worth a quarter of a second.
            if turns < 10 { return state.patience / 5 }
            return turns < 60 ? .milliseconds(5) : nil
        }
        let real = SystemClock.shared.now
        let expectsTasks = state.expectsTasks(at: real)
        // On a loaded machine the turns take longer than the time, and the time longer than the turns on an idle one.
        guard turns >= (expectsTasks ? 4 : 2) else { return .zero }
        let isQuiet = !expectsTasks && state.lastArrival.duration(to: real) >= state.patience
        return isQuiet ? nil : state.patience / 5
    }
}
