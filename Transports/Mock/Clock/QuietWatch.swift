internal import AirframeTransport

/// Watches a clock for quiet by repeated checks.
struct QuietWatch {
    /// The action before the next check.
    enum Look {
        /// Let other tasks run, and wait for this much real time.
        case pause(Duration)
        /// Wait until the threads of the process are at rest, except those that have used this much processor time.
        case awaitRest(budget: Duration)
        /// Nothing: the clock has been quiet for long enough.
        case quiet
    }

    private var generation: UInt64?
    /// The number of the executor's turns since the last event. A program that a debugger has stopped makes no turns.
    private var turns = 0
    /// Whether the process has been at rest since the last event.
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
            // Most work takes microseconds. Longer work is given a quarter of a second.
            if turns < 10 { return .pause(state.patience / 5) }
            return turns < 60 ? .pause(.milliseconds(5)) : rest(budget: .milliseconds(250))
        }
        let real = SystemClock.shared.now
        let expectsTasks = state.expectsTasks(at: real)
        guard turns >= 2 else { return .pause(.zero) }
        guard state.lastArrival.duration(to: real) >= state.patience else { return .pause(state.patience / 5) }
        // A task that got a response or has slept may be about to compute and then to sleep.
        return rest(budget: expectsTasks ? state.patience * 20 : state.patience)
    }

    private mutating func rest(budget: Duration) -> Look {
        guard !wasAtRest else { return .quiet }
        wasAtRest = true
        return .awaitRest(budget: budget)
    }
}
