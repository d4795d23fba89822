internal import Synchronization

/// How tasks wait for the server's SETTINGS, which declare whether it accepts extended CONNECT (RFC 8441 §3).
extension HTTP2Connection {
    var hasSettings: Bool { state.withLock { $0.isSettled } }

    nonisolated(nonsending) func waitForSettings(_ waiter: SettingsWaiter) async {
        let (mustWait, mustRead, takesOver) = state.withLock { state -> (Bool, Bool, Bool) in
            guard !state.isSettled else { return (false, false, false) }
            state.settingsWaiters.append(waiter)
            guard case .nobody = state.reader else { return (true, false, Self.takeOver(&state)) }
            state.reader = .background
            return (true, true, false)
        }
        guard mustWait else { return }
        // The server may send its SETTINGS only after the client's preface (RFC 9113 §3.4).
        flush(.immediate)
        if mustRead { startBackgroundReader() }
        if takesOver { replaceReader() }
        await waiter.wait()
        state.withLock { state in state.settingsWaiters.removeAll { $0 === waiter } }
    }
}

extension HTTP2Connection.ConnectionState {
    /// Whether the server's SETTINGS have been received, or never will be.
    fileprivate var isSettled: Bool { session.hasSettings || session.hasFailed || isClosed }

    /// Returns the tasks that need not wait for SETTINGS any longer. The caller must rouse them.
    mutating func takeSettingsWaiters() -> [SettingsWaiter] {
        guard !settingsWaiters.isEmpty, isSettled else { return [] }
        defer { settingsWaiters = [] }
        return settingsWaiters
    }
}
