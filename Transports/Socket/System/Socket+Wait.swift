internal import AirframeWire

extension Socket {
    /// The direction of a wait.
    enum Direction {
        case reading
        case writing
        /// Room to write, for a reader: OpenSSL must send a message before it reads on. The writer may wait for room at
        /// the same time.
        case roomForReading
    }

    /// The result of a wait.
    enum WaitEnd {
        /// The socket may be ready.
        case ready
        /// The task was cancelled.
        case cancelled
        /// The wait timed out.
        case timeUp
        /// Waiting failed, with the system's error code.
        case failed(Int32)
    }

    /// Decides whether a task that is about to wait for input may still do so.
    protocol Gatekeeper: AnyObject {
        /// Keeps `continuation` until the socket may be ready. Returns `false` if the caller must resume it.
        func admit(_ continuation: ReadySlot.Continuation) -> Bool
    }

    /// Spins until the socket is ready, without suspending the task.
    ///
    /// - Parameter isAlone: Whether no second task may wait for the socket. The reactor then need not watch it
    ///   meanwhile.
    func spin(for direction: Direction, _ budget: SpinBudget, isAlone: Bool) -> SpinEnd {
        if isAlone { stopWatching() }
        let start = Monotonic.now
        guard direction == .reading && gatherInput() || spin(for: direction) else {
            budget.recordMiss()
            return .missed
        }
        return budget.recordHit(after: Monotonic.now &- start) ? .readyAfterYield : .ready
    }

    /// Waits until the socket may be ready, the task is cancelled, or `due` has passed.
    ///
    /// - Parameters:
    ///   - budget: The budget for spinning before the task is suspended; `nil` for none.
    ///   - isAlone: Whether no second task may wait for the socket. The reactor then need not watch the socket while
    ///     this task spins.
    ///   - gatekeeper: Asked before the task waits for input, if another task may have taken its place.
    ///   - alarm: An alarm that rouses the socket. Evaluated only if `due` is not `.max`.
    nonisolated(nonsending) func wait(
        for direction: Direction,
        until due: Int64,
        _ budget: SpinBudget?,
        isAlone: Bool = false,
        gatekeeper: (any Gatekeeper)? = nil,
        alarm: @autoclosure () -> Alarm
    ) async -> WaitEnd {
        if let budget {
            switch spin(for: direction, budget, isAlone: isAlone) {
            case .ready: return Self.waitEnd(due)
            case .readyAfterYield:
                await Task.yield()
                return Self.waitEnd(due)
            case .missed, .unsupported: break
            }
        }
        if !consumeReadiness(for: direction) {
            let code = startWatching()
            guard code == 0 else { return .failed(code) }
            if due != .max { alarm().set(due) }
            await withTaskCancellationHandler {
                await withUnsafeContinuation { continuation in
                    guard let gatekeeper else { return park(continuation, for: direction) }
                    if !gatekeeper.admit(continuation) { continuation.resume() }
                }
            } onCancel: {
                rouse()
            }
        }
        let end = Self.waitEnd(due)
        if case .ready = end { return end }
        // The task does not read or write. The wait may have consumed the readiness, and the kernel does not report it
        // again: the next task to wait would wait for bytes that have arrived.
        restoreReadiness(for: direction)
        return end
    }

    /// The result of a wait after which the socket may be ready. A spin compares the time as well: a peer that sends a
    /// byte within each spin could otherwise prevent the timeout.
    private static func waitEnd(_ due: Int64) -> WaitEnd {
        if Task.isCancelled { return .cancelled }
        return due != .max && Monotonic.now >= due ? .timeUp : .ready
    }
}
