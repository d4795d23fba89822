internal import AirframeTransport

/// The connections of a transport: which are kept, which are in use, and who waits for one. Pure state.
///
/// A connection carries one exchange at a time, an HTTP/2 connection many.
struct ConnectionPool: Sendable {
    /// A connection that is open or about to be.
    private struct Entry: Sendable {
        let key: ConnectionKey
        var connection: TransportConnection?
        var exchangeCount: Int
        /// Whether it closes when its exchanges are over.
        var isRetired = false
    }

    /// What a request gets that asks for a connection.
    enum Grant: Sendable {
        /// One that was kept.
        case kept(TransportConnection)
        /// The number for a new one.
        case new(id: UInt64)
        /// A place in the queue.
        case queued
    }

    private let limitPerHost: Int
    private var entries: [UInt64: Entry] = [:]
    private var queue: [(waiter: WaiterID, host: String)] = []
    private var lastID: UInt64 = 0

    init(limitPerHost: Int?) { self.limitPerHost = max(1, limitPerHost ?? .max) }

    /// The numbers of the connections that are open and carry no exchange.
    var idleIDs: [UInt64] { entries.filter { $0.value.exchangeCount == 0 }.keys.sorted() }

    /// The number of connections.
    var count: Int { entries.count }

    /// Finds a connection for a request.
    ///
    /// - Parameters:
    ///   - key: What the connection must be like.
    ///   - mustBeNew: Whether a kept one does not do.
    ///   - waiter: Who is signalled when it is worth asking again, if there is none now.
    mutating func acquire(_ key: ConnectionKey, mustBeNew: Bool, waiter: WaiterID) -> Grant {
        if !mustBeNew, let id = usableID(for: key), let connection = entries[id]?.connection {
            entries[id]?.exchangeCount += 1
            return .kept(connection)
        }
        let host = key.origin.host
        if entries.values.filter({ $0.key.origin.host == host }).count >= limitPerHost, !makeRoom(for: host) {
            queue.append((waiter, host))
            return .queued
        }
        lastID += 1
        entries[lastID] = Entry(key: key, connection: nil, exchangeCount: 1)
        return .new(id: lastID)
    }

    /// Notes that a new connection stands.
    mutating func opened(_ connection: TransportConnection) {
        var kept = connection
        kept.isReused = true
        entries[connection.id]?.connection = kept
    }

    /// Takes a connection back from an exchange.
    ///
    /// - Returns: Who should ask again.
    mutating func release(_ id: UInt64, keeping isKept: Bool) -> WaiterID? {
        guard var entry = entries[id] else { return nil }
        entry.exchangeCount -= 1
        entry.isRetired = entry.isRetired || !isKept || entry.connection == nil
        entries[id] = entry.isRetired && entry.exchangeCount == 0 ? nil : entry
        return nextInQueue(for: entry.key.origin.host)
    }

    /// Takes one out of the queue that gave up.
    ///
    /// - Returns: Who should ask again in its place, if it had just been told to.
    mutating func leaveQueue(_ waiter: WaiterID, host: String) -> WaiterID? {
        guard let index = queue.firstIndex(where: { $0.waiter == waiter }) else { return nextInQueue(for: host) }
        queue.remove(at: index)
        return nil
    }

    /// Closes the connections that carry no exchange.
    ///
    /// - Returns: Their number.
    mutating func closeIdle() -> Int {
        let idle = idleIDs
        for id in idle { entries[id] = nil }
        return idle.count
    }

    private mutating func nextInQueue(for host: String) -> WaiterID? {
        guard let index = queue.firstIndex(where: { $0.host == host }) else { return nil }
        return queue.remove(at: index).waiter
    }

    /// The connection that has been open for longest and can take another exchange.
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
