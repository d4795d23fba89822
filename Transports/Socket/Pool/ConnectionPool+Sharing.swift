internal import AirframeTransport
internal import Synchronization

/// Connections that serve requests of other keys.
extension ConnectionPool {
    /// Returns the entry of `key` if the limits allow no further connection and none of the entry has
    /// room. A request would then wait, or have an idle connection closed. `nil` otherwise, and while a connection is
    /// being opened that may have room.
    func entryWithoutRoom(_ key: PoolKey) -> PoolEntry? {
        state.withLock { state in
            let entry = Self.entry(for: key, &state)
            guard state.connectionCount >= limits.total || entry.connectionCount >= limits.perOrigin,
                !entry.awaitsOpening, entry.idle.isEmpty, entry.sharedWithRoom == nil
            else { return nil }
            return entry
        }
    }

    /// Returns the connections that have room for a request of `entry`, lead to one of `addresses` and differ only in
    /// the origin's host (RFC 9113 §9.1.1).
    func connections(like entry: PoolEntry, at addresses: Set<SocketAddress>) -> [Connection] {
        let origin = entry.key.destination.origin
        return state.withLock { state in
            var found: [Connection] = []
            for other in state.entries.values where other !== entry && !other.shared.isEmpty {
                guard other.key.variant == entry.key.variant, other.key.destination.isSecure else { continue }
                found += other.shared.filter { connection in
                    guard connection.hasRoom, !connection.excludedOrigins.contains(origin),
                        let address = connection.information.remoteAddress
                    else { return false }
                    return addresses.contains(address)
                }
            }
            return found
        }
    }

    /// Counts a stream on a connection that ``connections(like:at:)`` returned. Returns whether it still has room.
    func join(_ connection: Connection) -> Bool {
        state.withLock { state in
            guard !connection.isRetired, connection.hasRoom, isYoung(connection) else { return false }
            addStream(to: connection, &state)
            return true
        }
    }

    /// Counts a stream on a connection of `key` whose server accepts extended CONNECT (RFC 8441 §3), and returns the
    /// connection; `nil` if none has room.
    func joinForExtendedConnect(_ key: PoolKey) -> Connection? {
        state.withLock { state in
            let connection = state.entries[key]?.shared.first { connection in
                guard connection.hasRoom, isYoung(connection), case .multiple(let carrier) = connection.carrier
                else { return false }
                return carrier.allowsExtendedConnect
            }
            guard let connection else { return nil }
            addStream(to: connection, &state)
            return connection
        }
    }

    /// Excludes `origin` from a connection whose server has answered with 421 (RFC 9110 §15.5.20). If the connection
    /// was opened for that origin, it is retired.
    func exclude(_ connection: Connection, from origin: Origin) {
        guard connection.isMultiplexed else { return }
        guard connection.origin != origin else { return change(connection, .retired) }
        state.withLock { _ in _ = connection.excludedOrigins.insert(origin) }
    }
}
