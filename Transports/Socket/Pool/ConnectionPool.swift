internal import AirframeTransport
internal import AirframeWire
internal import Synchronization

/// Grants requests streams on existing connections, permits to open new connections, or places in the queue.
///
/// A connection has a capacity: one stream over HTTP/1.1, several over HTTP/2. The pool grants HTTP/1.1 connections
/// last in, first out, so that surplus connections expire. It serves waiters by the priority of their tasks, then in
/// order of arrival. The pool opens no connections: the task that gets a permit does.
final class ConnectionPool: Sendable {
    /// The pool's grant to a request.
    enum Grant: Sendable {
        /// A stream on an existing connection.
        case stream(Connection)
        /// The right to open a connection.
        case permit
    }

    /// The pool's answer to a request.
    enum Answer {
        case granted(Grant)
        case wait(PoolWaiter)
        /// The queue is full.
        case refused(waiting: Int)
    }

    struct PoolState {
        var entries: [PoolKey: PoolEntry] = [:]
        /// The most recently used entry: consecutive requests usually have the same key.
        var last: PoolEntry?
        var connectionCount = 0
        /// The number of connections that have no stream and accept new ones.
        var idleCount = 0
        var waiterCount = 0
        var lastNumber: UInt64 = 0
        /// Whether connections are kept.
        var isOpen = true
        /// When the alarm fires: the first idle connection has then expired, or must be watched.
        var alarmTime = Int64.max
    }

    /// The work to do after the lock is released: closing a connection, resuming a task and retiring a carrier run
    /// other code.
    struct Aftermath {
        /// Connections to close, by releasing or retiring them.
        var closed: [Connection] = []
        /// Waiters that received a grant.
        var served: [PoolWaiter] = []

        func perform() {
            for connection in closed {
                if case .multiple(let carrier) = connection.carrier { carrier.retire() }
            }
            for waiter in served { waiter.rouse() }
        }
    }

    /// The maximum number of entries before those without connections and waiters are removed.
    private static let entryCapacity = 1024

    let limits: PoolLimits
    // Guards the entries, and the variables of entries and connections.
    let state = Mutex(PoolState())
    let alarm = Mutex<Alarm?>(nil)

    init(_ limits: PoolLimits) { self.limits = limits }

    // MARK: Requests

    /// Asks for a stream.
    ///
    /// - Parameters:
    ///   - key: The destination of the connection, and its properties.
    ///   - isMultiplexing: Whether a connection may carry several exchanges. The request then waits for a connection
    ///     that is being opened, so that a burst on a cold origin opens one connection.
    ///   - priority: The priority at which to wait; `nil` for the current task's.
    func ask(
        _ key: PoolKey,
        isMultiplexing: Bool,
        priority: @autoclosure () -> TaskPriority? = nil
    ) -> (PoolEntry, Answer) {
        var aftermath = Aftermath()
        let result = state.withLock { state -> (PoolEntry, Answer) in
            let entry = Self.entry(for: key, &state)
            if !entry.shared.isEmpty {
                if limits.age != .max { retireOld(entry, &state, &aftermath) }
                if let connection = entry.sharedWithRoom {
                    addStream(to: connection, &state)
                    return (entry, .granted(.stream(connection)))
                }
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
            // All requests with this key have the same value. It is recorded now, because until the first connection is
            // open, `nextInLine` skips waiters whose entry may become multiplexed.
            if !isMultiplexing { entry.multiplexing = .no }
            // A query about revocation, for instance, would wait for a permit that its own handshake holds: it needs
            // none, and does not wait for another query's connection either, which may close again.
            let isEvaluating = EvaluationScope.isActive(for: self)
            let mayWait = entry.awaitsOpening && state.waiterCount < limits.waiting && !isEvaluating
            if !mayWait, makeRoom(for: entry, &state, &aftermath) || isEvaluating && makeExtraRoom(for: entry, &state) {
                return (entry, .granted(.permit))
            }
            guard state.waiterCount < limits.waiting else { return (entry, .refused(waiting: state.waiterCount)) }
            state.lastNumber += 1
            let waiter = PoolWaiter(number: state.lastNumber, priority: (priority() ?? Task.currentPriority).ofWaiter)
            entry.waiters.insert(waiter)
            state.waiterCount += 1
            return (entry, .wait(waiter))
        }
        if !aftermath.closed.isEmpty { aftermath.perform() }
        return result
    }

    /// Removes a cancelled waiter. If it has a grant, the grant goes to the next waiter.
    func giveUp(_ waiter: PoolWaiter, _ entry: PoolEntry) {
        let wasWaiting = state.withLock { state in
            guard entry.waiters.remove(waiter) else { return false }
            state.waiterCount -= 1
            return true
        }
        guard !wasWaiting else { return }
        switch waiter.takeGrant() {
        case .stream(let connection): giveBack(connection)
        case .permit: returnPermit(to: entry)
        case nil: break
        }
    }

    // MARK: Permits

    /// Adds a connection that was opened with a permit and has the opener's stream. Grants streams to as many waiters
    /// as it has room for.
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
                // The waiters for a shared connection open their own.
                entry.multiplexing = .no
                servePermits(&state, &aftermath)
            }
        }
    }

    /// Returns a permit after the connection could not be opened. All waiters may then open their own, so that none
    /// waits for the failures of the others.
    func giveBackPermit(to entry: PoolEntry) {
        update { state, aftermath in
            entry.openingCount -= 1
            entry.hasFailed = true
            lose(entry, &state, &aftermath)
        }
    }

    /// Returns a permit for a reason that says nothing about the server, such as a cancelled request. The next waiter
    /// receives it.
    func returnPermit(to entry: PoolEntry) {
        update { state, aftermath in
            entry.openingCount -= 1
            lose(entry, &state, &aftermath)
        }
    }

    /// Replaces a stream on a closed connection by a permit.
    ///
    /// - Returns: Whether there is a permit. A connection with other streams is left to them, and the caller must ask
    ///   the pool again.
    func replace(_ connection: Connection) -> Bool {
        if connection.isMultiplexed {
            cancel(connection)
            return false
        }
        state.withLock { _ in connection.entry.openingCount += 1 }
        return true
    }

    // MARK: Streams

    /// Returns a connection whose stream has ended and that can carry another. Returns whether it is kept.
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
            guard state.isOpen, isYoung, state.connectionCount <= limits.total else {
                lose(entry, &state, &aftermath)
                return false
            }
            connection.streamCount = 0
            connection.idleSince = now
            entry.idle.append(connection)
            state.idleCount += 1
            if state.idleCount > limits.idle { closeOldest(&state, &aftermath) }
            startAging(now, &state)
            // The limit on idle connections may have closed it.
            return !connection.isRetired
        }
        aftermath.perform()
        return isKept
    }

    /// Returns a stream that was cancelled, or whose connection cannot carry another. A connection with other streams
    /// is left to them.
    func cancel(_ connection: Connection) {
        guard !connection.isMultiplexed else {
            endStream(of: connection)
            return
        }
        update { state, aftermath in lose(connection.entry, &state, &aftermath) }
    }

    // MARK: The end

    /// Closes all idle connections, and keeps none from now on.
    func close() {
        update { state, aftermath in
            state.isOpen = false
            closeIdle(&state, &aftermath)
        }
    }

    /// Closes all idle connections.
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

    /// Changes the state with the lock held, and performs the aftermath after it is released.
    func update(_ body: (inout PoolState, inout Aftermath) -> Void) {
        var aftermath = Aftermath()
        state.withLock { body(&$0, &aftermath) }
        aftermath.perform()
    }

    static func entry(for key: PoolKey, _ state: inout PoolState) -> PoolEntry {
        if let last = state.last, last.key.isIdentical(to: key) { return last }
        let entry = find(key, &state)
        state.last = entry
        return entry
    }

    private static func find(_ key: PoolKey, _ state: inout PoolState) -> PoolEntry {
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
