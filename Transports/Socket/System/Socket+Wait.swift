internal import AirframeWire

extension Socket {
    /// What a socket is waited for.
    enum Direction {
        case reading
        case writing
    }

    /// How a wait ended.
    enum WaitEnd {
        /// The socket may be ready.
        case ready
        /// The task was cancelled.
        case cancelled
        /// It is `due` or later.
        case timeUp
        /// The socket cannot be waited for: the system's error.
        case failed(Int32)
    }

    /// Waits until the socket may be ready, the task is cancelled, or it is `due`.
    ///
    /// - Parameters:
    ///   - budget: The budget for polling the socket for a moment before the task is suspended; `nil` for none.
    ///   - isAlone: Whether no second task may wait for the socket: the reactor need not watch it while this one polls.
    ///   - alarm: Rouses the socket; asked for only when `due` is not `.max`.
    nonisolated(nonsending) func wait(
        for direction: Direction,
        until due: Int64,
        _ budget: SpinBudget?,
        isAlone: Bool = false,
        alarm: @autoclosure () -> Alarm
    ) async -> WaitEnd {
        if let budget {
            if isAlone { stopWatching() }
            if spin(for: direction) {
                if budget.recordHit() { await Task.yield() }
                return Task.isCancelled ? .cancelled : .ready
            }
            budget.recordMiss()
        }
        if !consumeReadiness(for: direction) {
            let code = startWatching()
            guard code == 0 else { return .failed(code) }
            if due != .max { alarm().set(due) }
            await withTaskCancellationHandler {
                await withUnsafeContinuation { park($0, for: direction) }
            } onCancel: {
                rouse()
            }
        }
        if Task.isCancelled { return .cancelled }
        if due != .max, Monotonic.now >= due { return .timeUp }
        return .ready
    }
}
