internal import AirframeTransport
internal import Synchronization

/// The connections of a transport: who may make one, which wait for a request, and which requests wait for one.
///
/// Connections are handed out last in, first out, so that those that are not needed grow old; requests are served in
/// the order in which they came. It makes no connection itself: whoever gets a permit does, in the task that needs it.
final class ConnectionPool: Sendable {
    /// What a request gets.
    enum Grant: Sendable {
        /// A connection that was kept.
        case kept(Connection)
        /// The right to make one.
        case permit
    }

    /// What asking for a connection comes to.
    enum Answer {
        case granted(Grant)
        case wait(PoolWaiter)
        /// Too many wait already.
        case refused(waiting: Int)
    }

    private struct State {
        var entries: [PoolKey: PoolEntry] = [:]
        /// The entry that was asked for last, without anything that sets it apart: most requests go where the last one
        /// went.
        var last: PoolEntry?
        var connectionCount = 0
        var idleCount = 0
        var waiterCount = 0
        var lastNumber: UInt64 = 0
        /// Whether connections are kept.
        var isOpen = true
        /// When the alarm rings: the first idle connection is too old then, or is to be watched.
        var alarmTime = Int64.max
    }

    /// How many servers' sessions and heads are remembered, when nothing else is left of them.
    private static let entryCapacity = 1024

    /// How long a connection is idle, in nanoseconds, before the reactor watches it for its end. A connection that is
    /// used again within that time costs no system call.
    private static let watchAge: Int64 = 500_000_000

    private let limits: PoolLimits
    // Guards the entries, and all that is in them.
    private let state = Mutex(State())
    private let alarm = Mutex<Alarm?>(nil)

    init(_ limits: PoolLimits) { self.limits = limits }

    /// Has idle connections closed once they are too old, or closed by their servers.
    func setAlarm(_ reactor: Reactor) {
        let alarm = reactor.makeAlarm { [weak self] in self?.tendIdle() }
        self.alarm.withLock { $0 = alarm }
    }

    deinit { alarm.withLock { $0?.cancel() } }

    // MARK: Requests

    /// The entry of `key`.
    func entry(for key: PoolKey) -> PoolEntry {
        state.withLock { Self.entry(for: key, &$0) }
    }

    /// Asks for a connection.
    func ask(_ key: PoolKey) -> (PoolEntry, Answer) {
        // Connections that turn out to be dead are closed when this is left, after the lock.
        var dead: [Connection] = []
        let result = state.withLock { state -> (PoolEntry, Answer) in
            let entry = Self.entry(for: key, &state)
            while let connection = entry.idle.popLast() {
                state.idleCount -= 1
                if isUsable(connection) { return (entry, .granted(.kept(connection))) }
                entry.connectionCount -= 1
                state.connectionCount -= 1
                dead.append(connection)
            }
            if makeRoom(for: entry, &state, &dead) { return (entry, .granted(.permit)) }
            guard state.waiterCount < limits.waiting else { return (entry, .refused(waiting: state.waiterCount)) }
            state.lastNumber += 1
            let waiter = PoolWaiter(number: state.lastNumber)
            entry.waiters.append(waiter)
            state.waiterCount += 1
            return (entry, .wait(waiter))
        }
        return result
    }

    /// A request gives up waiting. What it has been given meanwhile goes to the next.
    func giveUp(_ waiter: PoolWaiter, _ entry: PoolEntry) {
        let wasWaiting = state.withLock { state in
            guard entry.waiters.remove(waiter) else { return false }
            state.waiterCount -= 1
            return true
        }
        guard !wasWaiting else { return }
        switch waiter.takeGrant() {
        case .kept(let connection): giveBack(connection, to: entry)
        case .permit: giveBackPermit(to: entry)
        case nil: break
        }
    }

    // MARK: Connections

    /// A connection is free again. Returns whether it is kept.
    @discardableResult
    func giveBack(_ connection: Connection, to entry: PoolEntry) -> Bool {
        var dead: [Connection] = []
        var served: [PoolWaiter] = []
        let now = Monotonic.now
        let isKept = state.withLock { state -> Bool in
            let isYoung = now - connection.bornAt < limits.age
            if state.waiterCount > 0, let next = nextInLine(&state, giving: entry) {
                guard next === entry, isYoung else {
                    lose(entry, &state, &served)
                    return false
                }
                serve(next, .kept(connection), &state, &served)
                return true
            }
            guard state.isOpen, isYoung else {
                lose(entry, &state, &served)
                return false
            }
            connection.idleSince = now
            entry.idle.append(connection)
            state.idleCount += 1
            if state.idleCount > limits.idle { closeOldest(&state, &dead) }
            startAging(now, &state)
            return true
        }
        for waiter in served { waiter.rouse() }
        return isKept
    }

    /// A connection is no more, or was never made. Who waits may make one.
    func giveBackPermit(to entry: PoolEntry) {
        var served: [PoolWaiter] = []
        state.withLock { lose(entry, &$0, &served) }
        // Without the lock: resuming a task calls its executor, which may be a user's.
        for waiter in served { waiter.rouse() }
    }

    /// Closes all connections that wait for a request, and keeps none from now on.
    func close() {
        let dead = state.withLock { state -> [[Connection]] in
            state.isOpen = false
            return closeIdle(&state)
        }
        withExtendedLifetime(dead) {}
    }

    /// Closes all connections that wait for a request.
    func closeIdle() {
        let dead = state.withLock { closeIdle(&$0) }
        withExtendedLifetime(dead) {}
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

    // MARK: With the lock held

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

    private func isUsable(_ connection: Connection) -> Bool {
        guard limits.age != .max || limits.idleAge != .max else { return true }
        let now = Monotonic.now
        return now - connection.idleSince < limits.idleAge && now - connection.bornAt < limits.age
    }

    /// Counts a new connection of `entry`, if there may be one.
    private func makeRoom(for entry: PoolEntry, _ state: inout State, _ dead: inout [Connection]) -> Bool {
        guard entry.connectionCount < limits.perOrigin else { return false }
        if state.connectionCount >= limits.total {
            guard state.idleCount > 0 else { return false }
            closeOldest(&state, &dead)
        }
        entry.connectionCount += 1
        state.connectionCount += 1
        return true
    }

    /// Counts a connection of `entry` less, and lets the first who may make one.
    private func lose(_ entry: PoolEntry, _ state: inout State, _ served: inout [PoolWaiter]) {
        entry.connectionCount -= 1
        state.connectionCount -= 1
        while state.waiterCount > 0, state.connectionCount < limits.total, let next = nextInLine(&state, giving: nil) {
            next.connectionCount += 1
            state.connectionCount += 1
            serve(next, .permit, &state, &served)
        }
        if entry.isEmpty, state.entries[entry.key] === entry {
            state.entries[entry.key] = nil
            state.last = nil
        }
    }

    /// Gives `grant` to the first who waits in `entry`.
    private func serve(_ entry: PoolEntry, _ grant: Grant, _ state: inout State, _ served: inout [PoolWaiter]) {
        guard let waiter = entry.waiters.popFirst() else { return }
        state.waiterCount -= 1
        waiter.give(grant)
        served.append(waiter)
    }

    /// Where the request waits that came first, of those that can be served.
    ///
    /// - Parameter holder: Whose connection is free: it serves its own requests as it is, and others by being closed.
    ///   `nil` when there is room for a new one.
    private func nextInLine(_ state: inout State, giving holder: PoolEntry?) -> PoolEntry? {
        var first: PoolEntry?
        var lowest = UInt64.max
        for entry in state.entries.values {
            guard let number = entry.waiters.first?.number, number < lowest else { continue }
            guard entry === holder || entry.connectionCount < limits.perOrigin else { continue }
            first = entry
            lowest = number
        }
        return first
    }

    private func closeOldest(_ state: inout State, _ dead: inout [Connection]) {
        let entry = state.entries.values.min { ($0.idle.first?.idleSince ?? .max) < ($1.idle.first?.idleSince ?? .max) }
        guard let entry, !entry.idle.isEmpty else { return }
        dead.append(entry.idle.removeFirst())
        state.idleCount -= 1
        entry.connectionCount -= 1
        state.connectionCount -= 1
    }

    private func closeIdle(_ state: inout State) -> [[Connection]] {
        state.entries.values.map { entry in
            defer { entry.idle = [] }
            state.idleCount -= entry.idle.count
            state.connectionCount -= entry.idle.count
            entry.connectionCount -= entry.idle.count
            return entry.idle
        }
    }

    // MARK: Age

    private func startAging(_ now: Int64, _ state: inout State) {
        let due = Monotonic.sum(now, min(limits.idleAge, Self.watchAge))
        guard due < state.alarmTime else { return }
        state.alarmTime = due
        alarm.withLock { $0?.set(due) }
    }

    /// Closes the idle connections that are too old or that their servers have closed, and has the others watched.
    private func tendIdle() {
        guard let alarm = alarm.withLock({ $0 }) else { return }
        let now = Monotonic.now
        var dead: [Connection] = []
        state.withLock { state in
            var next = Int64.max
            for (key, entry) in state.entries {
                let count = entry.idle.count
                entry.idle.removeAll { connection in
                    let isOver = now - connection.idleSince >= limits.idleAge || hasEnded(connection, now, alarm)
                    if isOver { dead.append(connection) }
                    return isOver
                }
                let removed = count - entry.idle.count
                state.idleCount -= removed
                state.connectionCount -= removed
                entry.connectionCount -= removed
                for connection in entry.idle {
                    let age = connection.isWatchedForEnd ? limits.idleAge : min(limits.idleAge, Self.watchAge)
                    next = min(next, Monotonic.sum(connection.idleSince, age))
                }
                if entry.connectionCount == 0, entry.waiters.isEmpty { state.entries[key] = nil }
            }
            state.last = nil
            state.alarmTime = next
            if next != .max { alarm.set(next) }
        }
        // The connections are closed here, without the lock.
        withExtendedLifetime(dead) {}
    }

    /// Whether the server has closed an idle connection, as far as the reactor has seen. One that has been idle for a
    /// while is watched from now on.
    private func hasEnded(_ connection: Connection, _ now: Int64, _ alarm: Alarm) -> Bool {
        if now - connection.idleSince >= Self.watchAge, !connection.isWatchedForEnd || !connection.socket.isWatched {
            connection.isWatchedForEnd = true
            connection.socket.watchForEnd(alarm)
        }
        return connection.socket.hasEnded
    }
}
