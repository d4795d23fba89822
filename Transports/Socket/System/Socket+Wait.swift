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
    ///   - patience: Whether to hold the thread for a moment before the task is suspended.
    ///   - isAlone: Whether nobody else may wait for the socket: the reactor need not watch it then while patience does.
    ///   - alarm: Rouses the socket; asked for only when there is a time to wait for.
    nonisolated(nonsending) func wait(
        for direction: Direction,
        until due: Int64,
        _ patience: Patience?,
        isAlone: Bool = false,
        alarm: @autoclosure () -> Alarm
    ) async -> WaitEnd {
        if let patience {
            if isAlone { stopWatching() }
            if holdOut(for: direction) {
                if patience.noteReward() { await Task.yield() }
                return Task.isCancelled ? .cancelled : .ready
            }
            patience.noteDisappointment()
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
