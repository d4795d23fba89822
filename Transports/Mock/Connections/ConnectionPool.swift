internal import AirframeTransport

/// The connections of a transport: idle ones, those in use, and the waiters. Pure state.
///
/// A connection carries one exchange at a time, an HTTP/2 connection many.
struct ConnectionPool: Sendable {
    /// A connection that is open or about to be.
    private struct Entry: Sendable {
        let key: ConnectionKey
        var connection: TransportConnection?
        var exchangeCount: Int
        /// Whether the connection closes when its exchanges have ended.
        var isRetired = false
    }

    /// The result of a request for a connection.
    enum Grant: Sendable {
        /// One that was kept.
        case kept(TransportConnection)
        /// The number for a new one.
        case new(id: UInt64)
        /// A place in the queue.
        case queued
    }

    /// A place in the queue.
    private struct Place: Sendable {
        let waiter: WaiterID
        let key: ConnectionKey
        let mustBeNew: Bool
    }

    private let limitPerHost: Int
    private var entries: [UInt64: Entry] = [:]
    private var queue: [Place] = []
    private var lastID: UInt64 = 0

    init(limitPerHost: Int?) { self.limitPerHost = max(1, limitPerHost ?? .max) }

    /// The numbers of the idle connections.
    var idleIDs: [UInt64] { entries.filter { $0.value.exchangeCount == 0 }.keys.sorted() }

    /// The number of connections.
    var count: Int { entries.count }

    /// Finds a connection for a request.
    ///
    /// - Parameters:
    ///   - key: The required properties of the connection.
    ///   - mustBeNew: Whether a kept connection is not acceptable.
    ///   - waiter: The waiter to signal when asking again may succeed, if there is no connection now.
    mutating func acquire(_ key: ConnectionKey, mustBeNew: Bool, waiter: WaiterID) -> Grant {
        if !mustBeNew, let id = usableID(for: key), let connection = entries[id]?.connection {
            entries[id]?.exchangeCount += 1
            return .kept(connection)
        }
        let host = key.origin.host
        if entries.values.filter({ $0.key.origin.host == host }).count >= limitPerHost, !makeRoom(for: host) {
            queue.append(Place(waiter: waiter, key: key, mustBeNew: mustBeNew))
            return .queued
        }
        lastID += 1
        entries[lastID] = Entry(key: key, connection: nil, exchangeCount: 1)
        return .new(id: lastID)
    }

    /// Records that a new connection is open.
    ///
    /// - Returns: The waiters that should ask again, because the connection carries many exchanges.
    mutating func opened(_ connection: TransportConnection) -> [WaiterID] {
        var kept = connection
        kept.isReused = true
        entries[connection.id]?.connection = kept
        guard let key = entries[connection.id]?.key, key.httpVersion == .http2 else { return [] }
        let sharing = queue.filter { $0.key == key && !$0.mustBeNew }.map(\.waiter)
        queue.removeAll { $0.key == key && !$0.mustBeNew }
        return sharing
    }

    /// Takes a connection back from an exchange.
    ///
    /// - Returns: The waiter that should ask again.
    mutating func release(_ id: UInt64, keeping isKept: Bool) -> WaiterID? {
        guard var entry = entries[id] else { return nil }
        entry.exchangeCount -= 1
        entry.isRetired = entry.isRetired || !isKept || entry.connection == nil
        entries[id] = entry.isRetired && entry.exchangeCount == 0 ? nil : entry
        return nextInQueue(for: entry.key.origin.host)
    }

    /// Removes a waiter that gave up from the queue.
    ///
    /// - Returns: The waiter that should ask again in its place, if the removed one had just been signalled.
    mutating func leaveQueue(_ waiter: WaiterID, host: String) -> WaiterID? {
        guard let index = queue.firstIndex(where: { $0.waiter == waiter }) else { return nextInQueue(for: host) }
        queue.remove(at: index)
        return nil
    }

    /// Closes the idle connections.
    ///
    /// - Returns: Their number.
    mutating func closeIdle() -> Int {
        let idle = idleIDs
        for id in idle { entries[id] = nil }
        return idle.count
    }

    private mutating func nextInQueue(for host: String) -> WaiterID? {
        guard let index = queue.firstIndex(where: { $0.key.origin.host == host }) else { return nil }
        return queue.remove(at: index).waiter
    }

    /// Returns the oldest connection that can take another exchange.
    private func usableID(for key: ConnectionKey) -> UInt64? {
        entries.filter { _, entry in
            guard entry.key == key, entry.connection != nil, !entry.isRetired else { return false }
            return entry.exchangeCount == 0 || key.httpVersion == .http2
        }.keys.min()
    }

    /// Closes an idle connection to a host, if there is one, so that another can be made.
    private mutating func makeRoom(for host: String) -> Bool {
        guard let id = idleIDs.first(where: { entries[$0]?.key.origin.host == host }) else { return false }
        entries[id] = nil
        return true
    }
}
