internal import AirframeWire
internal import Synchronization

/// Serves waiters. Every function runs with the lock held, except ``endStream(of:)`` and ``change(_:_:)``, which take
/// it.
extension ConnectionPool {
    /// Counts a new connection of `entry`, if the limits allow one. Closes the oldest idle connection if it must.
    func makeRoom(for entry: PoolEntry, _ state: inout PoolState, _ aftermath: inout Aftermath) -> Bool {
        guard entry.connectionCount < limits.perOrigin else { return false }
        if state.connectionCount >= limits.total {
            guard state.idleCount > 0 else { return false }
            closeOldest(&state, &aftermath)
            // Connections of evaluations can exceed the limit.
            guard state.connectionCount < limits.total else { return false }
        }
        countOpening(of: entry, &state)
        return true
    }

    /// Counts a new connection of `entry` for a request of a trust evaluation. The total number of connections does not
    /// limit it; it is closed after the request if there are too many then.
    func makeExtraRoom(for entry: PoolEntry, _ state: inout PoolState) -> Bool {
        guard entry.connectionCount < limits.perOrigin else { return false }
        countOpening(of: entry, &state)
        return true
    }

    private func countOpening(of entry: PoolEntry, _ state: inout PoolState) {
        entry.connectionCount += 1
        entry.openingCount += 1
        state.connectionCount += 1
    }

    /// Releases a slot of `entry`; the next waiters may open connections.
    func lose(_ entry: PoolEntry, _ state: inout PoolState, _ aftermath: inout Aftermath) {
        entry.connectionCount -= 1
        state.connectionCount -= 1
        servePermits(&state, &aftermath)
        if entry.isEmpty, state.entries[entry.key] === entry {
            state.entries[entry.key] = nil
            state.last = nil
        }
    }

    /// Grants permits to the first waiters, as far as the limits allow. Afterwards no connection is idle that could be
    /// closed for a waiter, so that later requests cannot overtake it.
    func servePermits(_ state: inout PoolState, _ aftermath: inout Aftermath) {
        while state.waiterCount > 0, state.connectionCount < limits.total || state.idleCount > 0,
            let next = nextInLine(&state, giving: nil), makeRoom(for: next, &state, &aftermath)
        {
            serve(next, .permit, &state, &aftermath)
        }
    }

    /// Grants the waiters of `entry` streams of `connection`, as far as it has room.
    func serveStreams(
        of connection: Connection,
        _ entry: PoolEntry,
        _ state: inout PoolState,
        _ aftermath: inout Aftermath
    ) {
        while !connection.isRetired, !entry.waiters.isEmpty, connection.streamCount < connection.capacity {
            addStream(to: connection, &state)
            serve(entry, .stream(connection), &state, &aftermath)
        }
        // The remaining waiters may open another connection.
        servePermits(&state, &aftermath)
    }

    /// Stores `grant` in the first waiter of `entry`.
    func serve(_ entry: PoolEntry, _ grant: Grant, _ state: inout PoolState, _ aftermath: inout Aftermath) {
        guard let waiter = entry.waiters.popFirst() else { return }
        state.waiterCount -= 1
        waiter.give(grant)
        aftermath.served.append(waiter)
    }

    /// Returns the entry of the first waiter that can be served.
    ///
    /// - Parameter holder: The entry whose connection is free. Waiters of that entry can use the connection; to serve
    ///   another entry's waiter, the connection must be closed. `nil` if there is room for a new connection.
    func nextInLine(_ state: inout PoolState, giving holder: PoolEntry?) -> PoolEntry? {
        var first: PoolEntry?
        var next: PoolWaiter?
        for entry in state.entries.values {
            guard let waiter = entry.waiters.first, next.map(waiter.precedes) ?? true else { continue }
            guard entry === holder || (entry.connectionCount < limits.perOrigin && !entry.awaitsOpening) else {
                continue
            }
            first = entry
            next = waiter
        }
        return first
    }

    // MARK: Connections of several streams

    /// Counts a new stream.
    func addStream(to connection: Connection, _ state: inout PoolState) {
        if connection.streamCount == 0 { state.idleCount -= 1 }
        connection.streamCount += 1
    }

    /// Counts a stream of `connection` as ended. Returns whether the connection is kept.
    @discardableResult
    func endStream(of connection: Connection) -> Bool {
        let entry = connection.entry
        let now = Monotonic.now
        var isKept = true
        update { state, aftermath in
            connection.streamCount -= 1
            if !state.isOpen || now - connection.bornAt >= limits.age {
                retire(connection, entry, &aftermath)
            }
            guard !connection.isRetired else {
                isKept = false
                if connection.streamCount == 0 { lose(entry, &state, &aftermath) }
                return
            }
            guard connection.streamCount == 0 else {
                return serveStreams(of: connection, entry, &state, &aftermath)
            }
            connection.idleSince = now
            state.idleCount += 1
            serveStreams(of: connection, entry, &state, &aftermath)
            // A request for another origin may have needed the connection's slot.
            isKept = !connection.isRetired
            guard isKept, connection.streamCount == 0 else { return }
            if state.idleCount > limits.idle || state.connectionCount > limits.total {
                closeOldest(&state, &aftermath)
                isKept = !connection.isRetired
            }
            startAging(now, &state)
        }
        return isKept
    }

    /// Handles a carrier's report.
    func change(_ connection: Connection, _ change: CarrierChange) {
        let entry = connection.entry
        update { state, aftermath in
            switch change {
            case .capacity(let capacity):
                connection.capacity = max(0, capacity)
                // A server that allows no streams for a while is asked again.
                if capacity > 0 { entry.knownStreamLimit.store(capacity, ordering: .relaxed) }
                if limits.age != .max { retireOld(entry, &state, &aftermath) }
                serveStreams(of: connection, entry, &state, &aftermath)
            case .retired, .closed:
                guard !connection.isRetired else { return }
                let wasShared = retire(connection, entry, &aftermath)
                guard wasShared, connection.streamCount == 0 else { return servePermits(&state, &aftermath) }
                state.idleCount -= 1
                lose(entry, &state, &aftermath)
            }
        }
    }

    /// Removes a connection from the pool. It is closed when its last stream has ended. Returns whether it was in the
    /// pool.
    @discardableResult
    func retire(_ connection: Connection, _ entry: PoolEntry, _ aftermath: inout Aftermath) -> Bool {
        connection.isRetired = true
        guard let index = entry.shared.firstIndex(where: { $0 === connection }) else { return false }
        aftermath.closed.append(entry.shared.remove(at: index))
        return true
    }
}
