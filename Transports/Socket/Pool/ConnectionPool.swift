internal import AirframeTransport
internal import AirframeWire
internal import Synchronization

/// Grants the requests of a transport places on its connections: streams on connections that are there, permits to open
/// others, places in the queue.
///
/// A connection has a capacity: one stream over HTTP/1.1, several over HTTP/2. Connections of HTTP/1.1 are granted last
/// in, first out, so that those that are not needed grow old; requests are served by the priority of their tasks, and
/// those of one priority in the order in which they came. The pool opens no connection itself: the task that has a
/// permit does.
final class ConnectionPool: Sendable {
    /// What a request gets.
    enum Grant: Sendable {
        /// A place on a connection that is there.
        case stream(Connection)
        /// The right to open a connection.
        case permit
    }

    /// What asking for a place comes to.
    enum Answer {
        case granted(Grant)
        case wait(PoolWaiter)
        /// Too many wait already.
        case refused(waiting: Int)
    }

    struct State {
        var entries: [PoolKey: PoolEntry] = [:]
        /// The entry that was asked for last, without anything that sets it apart: most requests go where the last one
        /// went.
        var last: PoolEntry?
        var connectionCount = 0
        /// Connections without a stream that take new ones.
        var idleCount = 0
        var waiterCount = 0
        var lastNumber: UInt64 = 0
        /// Whether connections are kept.
        var isOpen = true
        /// When the alarm rings: the first idle connection is too old then, or is to be watched.
        var alarmTime = Int64.max
    }

    /// The work that is left for after the lock: closing a connection, resuming a task and retiring a carrier call
    /// others' code.
    struct Aftermath {
        /// Connections that are closed, by being dropped or retired.
        var closed: [Connection] = []
        /// Waiters that were given something.
        var served: [PoolWaiter] = []

        func perform() {
            for connection in closed {
                if case .multiple(let carrier) = connection.carrier { carrier.retire() }
            }
            for waiter in served { waiter.rouse() }
        }
    }

    /// How many servers' sessions and heads are remembered, when nothing else is left of them.
    private static let entryCapacity = 1024

    let limits: PoolLimits
    // Guards the entries, and what changes in them and in their connections.
    let state = Mutex(State())
    let alarm = Mutex<Alarm?>(nil)

    init(_ limits: PoolLimits) { self.limits = limits }

    deinit { alarm.withLock { $0?.cancel() } }

    // MARK: Requests

    /// Asks for a place.
    ///
    /// - Parameters:
    ///   - key: Where the connection has to lead, and how.
    ///   - isMultiplexing: Whether a connection may turn out to carry several exchanges: a request then waits for one
    ///     that is being opened, so that a burst on a cold origin opens one connection.
    ///   - priority: The priority at which to wait; `nil` for that of the present task.
    func ask(
        _ key: PoolKey,
        isMultiplexing: Bool,
        priority: TaskPriority? = nil
    ) -> (PoolEntry, Answer) {
        var aftermath = Aftermath()
        let result = state.withLock { state -> (PoolEntry, Answer) in
            let entry = Self.entry(for: key, &state)
            if !entry.shared.isEmpty, let connection = entry.sharedWithRoom {
                addStream(to: connection, &state)
                return (entry, .granted(.stream(connection)))
            }
            while let connection = entry.idle.popLast() {
                state.idleCount -= 1
                if isUsable(connection) {
                    connection.streamCount = 1
                    return (entry, .granted(.stream(connection)))
                }
                entry.connectionCount -= 1
                state.connectionCount -= 1
                aftermath.closed.append(connection)
            }
            let mayWait = isMultiplexing && entry.awaitsOpening && state.waiterCount < limits.waiting
            if !mayWait, makeRoom(for: entry, &state, &aftermath) { return (entry, .granted(.permit)) }
            guard state.waiterCount < limits.waiting else { return (entry, .refused(waiting: state.waiterCount)) }
            state.lastNumber += 1
            let waiter = PoolWaiter(number: state.lastNumber, priority: (priority ?? Task.currentPriority).ofWaiter)
            entry.waiters.insert(waiter)
            state.waiterCount += 1
            return (entry, .wait(waiter))
        }
        if !aftermath.closed.isEmpty { aftermath.perform() }
        return result
    }

    /// A request gives up waiting. A grant that it has not taken goes to the next.
    func giveUp(_ waiter: PoolWaiter, _ entry: PoolEntry) {
        let wasWaiting = state.withLock { state in
            guard entry.waiters.remove(waiter) else { return false }
            state.waiterCount -= 1
            return true
        }
        guard !wasWaiting else { return }
        switch waiter.takeGrant() {
        case .stream(let connection): giveBack(connection)
        case .permit: giveBackPermit(to: entry)
        case nil: break
        }
    }

    // MARK: Permits

    /// Adds a connection that was opened with a permit. It has one stream, the opener's; as many waiters as it has room
    /// for get one too.
    func add(_ connection: Connection) {
        let entry = connection.entry
        if case .multiple(let carrier) = connection.carrier {
            carrier.start { [weak self, weak connection] change in
                guard let self, let connection else { return }
                self.change(connection, change)
            }
        }
        update { state, aftermath in
            entry.openingCount -= 1
            entry.hasFailed = false
            if connection.isMultiplexed {
                entry.multiplexing = .yes
                if !connection.isRetired { entry.shared.append(connection) }
                serveStreams(of: connection, entry, &state, &aftermath)
            } else if entry.multiplexing != .no {
                // The waiters that hoped for room on it open their own.
                entry.multiplexing = .no
                servePermits(&state, &aftermath)
            }
        }
    }

    /// Returns a permit: the connection was not opened.
    func giveBackPermit(to entry: PoolEntry) {
        update { state, aftermath in
            entry.openingCount -= 1
            entry.hasFailed = true
            lose(entry, &state, &aftermath)
        }
    }

    /// Returns a permit that is not needed: the request got a place on another connection.
    func returnPermit(to entry: PoolEntry) {
        update { state, aftermath in
            entry.openingCount -= 1
            lose(entry, &state, &aftermath)
        }
    }

    /// Turns a place on a connection that has ended into a permit.
    ///
    /// - Returns: Whether it could: a connection with other streams is left to them, and the pool is to be asked again.
    func replace(_ connection: Connection) -> Bool {
        if connection.isMultiplexed {
            cancel(connection)
            return false
        }
        state.withLock { _ in connection.entry.openingCount += 1 }
        return true
    }

    // MARK: Streams

    /// A stream has ended and its connection can carry others. Returns whether the connection is kept.
    @discardableResult
    func giveBack(_ connection: Connection) -> Bool {
        guard !connection.isMultiplexed else { return endStream(of: connection) }
        let entry = connection.entry
        var aftermath = Aftermath()
        let now = Monotonic.now
        let isKept = state.withLock { state -> Bool in
            let isYoung = now - connection.bornAt < limits.age
            if state.waiterCount > 0, let next = nextInLine(&state, giving: entry) {
                guard next === entry, isYoung else {
                    lose(entry, &state, &aftermath)
                    return false
                }
                serve(next, .stream(connection), &state, &aftermath)
                return true
            }
            guard state.isOpen, isYoung else {
                lose(entry, &state, &aftermath)
                return false
            }
            connection.streamCount = 0
            connection.idleSince = now
            entry.idle.append(connection)
            state.idleCount += 1
            if state.idleCount > limits.idle { closeOldest(&state, &aftermath) }
            startAging(now, &state)
            return true
        }
        aftermath.perform()
        return isKept
    }

    /// A stream was given up, or its connection cannot carry another. A connection of several streams is left to the
    /// others.
    func cancel(_ connection: Connection) {
        guard !connection.isMultiplexed else {
            endStream(of: connection)
            return
        }
        update { state, aftermath in lose(connection.entry, &state, &aftermath) }
    }

    // MARK: The end

    /// Closes all connections that wait for a request, and keeps none from now on.
    func close() {
        update { state, aftermath in
            state.isOpen = false
            closeIdle(&state, &aftermath)
        }
    }

    /// Closes all connections that wait for a request.
    func closeIdle() {
        update { state, aftermath in closeIdle(&state, &aftermath) }
    }

    var statistics: PoolStatistics {
        state.withLock { state in
            PoolStatistics(
                connectionCount: state.connectionCount,
                idleConnectionCount: state.idleCount,
                waitingRequestCount: state.waiterCount
            )
        }
    }

    // MARK: The lock

    /// Changes the state, and calls others' code once the lock is free.
    func update(_ body: (inout State, inout Aftermath) -> Void) {
        var aftermath = Aftermath()
        state.withLock { body(&$0, &aftermath) }
        aftermath.perform()
    }

    private static func entry(for key: PoolKey, _ state: inout State) -> PoolEntry {
        if key.isPlain, let last = state.last, last.key.destination === key.destination { return last }
        let entry = find(key, &state)
        state.last = key.isPlain ? entry : state.last
        return entry
    }

    private static func find(_ key: PoolKey, _ state: inout State) -> PoolEntry {
        if let entry = state.entries[key] { return entry }
        if state.entries.count >= entryCapacity {
            state.last = nil
            state.entries = state.entries.filter { $0.value.connectionCount > 0 || !$0.value.waiters.isEmpty }
        }
        let entry = PoolEntry(key)
        state.entries[key] = entry
        return entry
    }
}
