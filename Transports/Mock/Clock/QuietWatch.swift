internal import AirframeTransport

/// Watches a clock for quiet, one look after the other.
struct QuietWatch {
    /// What is to be done before the next look.
    enum Look {
        /// Let others run, and so much real time pass.
        case pause(Duration)
        /// Wait until the threads of the process are at rest, but for those that had so much processor time.
        case awaitRest(budget: Duration)
        /// Nothing: nothing has happened for long enough.
        case quiet
    }

    private var generation: UInt64?
    /// How often the executor has turned over since something happened. A program that was stopped in a debugger has
    /// not turned over meanwhile, however long it was.
    private var turns = 0
    /// Whether the process was at rest since something happened.
    private var wasAtRest = false

    mutating func look(at state: inout ClockState) -> Look {
        guard generation == state.generation else {
            generation = state.generation
            turns = 0
            wasAtRest = false
            return .pause(.zero)
        }
        turns += 1
        guard state.workCount == 0 else {
            // Most work is done in microseconds; what is not is worth a quarter of a second.
            if turns < 10 { return .pause(state.patience / 5) }
            return turns < 60 ? .pause(.milliseconds(5)) : rest(budget: .milliseconds(250))
        }
        let real = SystemClock.shared.now
        let expectsTasks = state.expectsTasks(at: real)
        guard turns >= 2 else { return .pause(.zero) }
        guard state.lastArrival.duration(to: real) >= state.patience else { return .pause(state.patience / 5) }
        // A task that was handed a response, or the end of its sleep, may be about to sleep itself, and compute before.
        return rest(budget: expectsTasks ? state.patience * 20 : state.patience)
    }

    private mutating func rest(budget: Duration) -> Look {
        guard !wasAtRest else { return .quiet }
        wasAtRest = true
        return .awaitRest(budget: budget)
    }
}
