internal import AirframeWire
internal import Synchronization

/// Expiry of connections.
extension ConnectionPool {
    /// How long a connection is idle, in nanoseconds, before the reactor watches it for its end. A connection that is
    /// reused within that time costs no system call.
    private static let watchAge: Int64 = 500_000_000

    /// Creates the alarm that closes idle connections after they expire or their servers close them.
    ///
    /// Pool and alarm refer to each other until ``removeAlarm()``. A weak reference would give the pool a side table,
    /// which slows down each later reference count: by 300 instructions per request.
    func setAlarm(_ reactor: Reactor) {
        let alarm = reactor.makeAlarm { self.tendIdle() }
        self.alarm.withLock { $0 = alarm }
    }

    /// Releases the alarm. Called when the last exchange has ended.
    func removeAlarm() { alarm.withLock { $0.take() }?.cancel() }

    // MARK: With the lock held

    func isUsable(_ connection: Connection) -> Bool {
        guard limits.age != .max || limits.idleAge != .max else { return true }
        let now = Monotonic.now
        return now - connection.idleSince < limits.idleAge && now - connection.bornAt < limits.age
    }

    /// Whether a connection accepts new requests, by its age.
    func isYoung(_ connection: Connection) -> Bool {
        limits.age == .max || Monotonic.now - connection.bornAt < limits.age
    }

    /// Retires the connections of several streams that accept no new requests because of their age. Serves no waiter:
    /// the caller takes the places of those without streams.
    func retireOld(_ entry: PoolEntry, _ state: inout PoolState, _ aftermath: inout Aftermath) {
        for connection in entry.shared where !isYoung(connection) {
            retire(connection, entry, &aftermath)
            guard connection.streamCount == 0 else { continue }
            state.idleCount -= 1
            state.connectionCount -= 1
            entry.connectionCount -= 1
        }
    }

    func startAging(_ now: Int64, _ state: inout PoolState) {
        let due = Monotonic.sum(now, min(limits.idleAge, Self.watchAge))
        guard due < state.alarmTime else { return }
        state.alarmTime = due
        alarm.withLock { $0?.bringForward(to: due) }
    }

    /// Closes the connection that has been idle the longest.
    func closeOldest(_ state: inout PoolState, _ aftermath: inout Aftermath) {
        var oldest: (entry: PoolEntry, connection: Connection)?
        for entry in state.entries.values {
            guard let connection = entry.oldestUnused else { continue }
            if connection.idleSince < oldest?.connection.idleSince ?? .max { oldest = (entry, connection) }
        }
        guard let oldest else { return }
        close(oldest.connection, of: oldest.entry, &state, &aftermath)
    }

    func closeIdle(_ state: inout PoolState, _ aftermath: inout Aftermath) {
        for entry in state.entries.values {
            for connection in entry.unused { close(connection, of: entry, &state, &aftermath) }
        }
        // Waiters may have waited for the places of connections without room.
        servePermits(&state, &aftermath)
    }

    /// Closes an idle connection.
    private func close(
        _ connection: Connection,
        of entry: PoolEntry,
        _ state: inout PoolState,
        _ aftermath: inout Aftermath
    ) {
        entry.idle.removeAll { $0 === connection }
        entry.shared.removeAll { $0 === connection }
        connection.isRetired = true
        state.idleCount -= 1
        state.connectionCount -= 1
        entry.connectionCount -= 1
        aftermath.closed.append(connection)
    }

    // MARK: The alarm

    /// Closes idle connections that have expired or that their servers have closed, and watches the others.
    private func tendIdle() {
        guard let alarm = alarm.withLock({ $0 }) else { return }
        let now = Monotonic.now
        update { state, aftermath in
            var next = Int64.max
            for (key, entry) in state.entries {
                for connection in entry.unused {
                    if now - connection.idleSince >= limits.idleAge || hasEnded(connection, now, alarm) {
                        close(connection, of: entry, &state, &aftermath)
                    } else {
                        let age = isWatched(connection, now) ? limits.idleAge : min(limits.idleAge, Self.watchAge)
                        next = min(next, Monotonic.sum(connection.idleSince, age))
                    }
                }
                if entry.connectionCount == 0, entry.waiters.isEmpty { state.entries[key] = nil }
            }
            state.last = nil
            // Waiters may have waited for the places of these connections, if none had room.
            servePermits(&state, &aftermath)
            state.alarmTime = next
            // Not `set`: a server that closes its connection meanwhile has set the alarm to an earlier time.
            if next != .max { alarm.bringForward(to: next) }
        }
    }

    /// Returns whether the pool need not look at an idle connection before it expires. A connection that was used again
    /// is not watched any more, although it was watched before.
    private func isWatched(_ connection: Connection, _ now: Int64) -> Bool {
        if connection.isMultiplexed || connection.isWatchedForEnd && connection.socket.isWatched { return true }
        // The attempt to watch it has failed, and would fail again.
        return now - connection.idleSince >= Self.watchAge
    }

    /// Returns whether the reactor has seen the server close an idle connection. Starts watching a connection that has
    /// been idle for ``watchAge``. A carrier of several streams reports its own end.
    private func hasEnded(_ connection: Connection, _ now: Int64, _ alarm: Alarm) -> Bool {
        guard !connection.isMultiplexed else { return false }
        if now - connection.idleSince >= Self.watchAge, !connection.isWatchedForEnd || !connection.socket.isWatched {
            connection.isWatchedForEnd = true
            connection.socket.watchForEnd(alarm)
        }
        return connection.socket.hasEnded
    }
}

extension PoolEntry {
    /// The connections without a stream.
    fileprivate var unused: [Connection] { idle + shared.filter { $0.streamCount == 0 } }

    /// The connection without a stream that has been idle the longest.
    fileprivate var oldestUnused: Connection? {
        let shared = shared.lazy.filter { $0.streamCount == 0 }.min { $0.idleSince < $1.idleSince }
        guard let first = idle.first, let shared else { return idle.first ?? shared }
        return first.idleSince < shared.idleSince ? first : shared
    }
}
