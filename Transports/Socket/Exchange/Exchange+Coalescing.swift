internal import AirframeTransport
internal import AirframeWire
internal import HTTPTypes

/// Connections of other origins that may carry the exchange (RFC 9113 §9.1.1).
extension Exchange {
    /// Whether the exchange may use the connection of another origin.
    ///
    /// Never if the caller evaluates trust: an evaluator may pin the keys of one server. Never with a client identity,
    /// through a proxy or over a Unix socket, where the server's address is not known.
    private var mayCoalesce: Bool {
        guard engine.configuration.coalescesHTTP2Connections, misdirection == .none, !isHTTP1Required,
            plan.destination.isSecure, plan.trust == nil, plan.identity == nil, plan.head.upgrade == nil,
            plan.options.unixSocketPath == nil, case .direct = plan.route
        else { return false }
        switch offer {
        case .automatic, .http2: return true
        case .http1, .http2PriorKnowledge: return false
        }
    }

    /// The pool entry of the exchange, if its request would wait for a connection or have one closed, although the
    /// connection of another origin may carry it. Otherwise `nil`: the exchange looks for one once it has a permit.
    var entryWithoutRoom: PoolEntry? {
        guard mayCoalesce else { return nil }
        return engine.pool.entryWithoutRoom(plan.way.key)
    }

    /// Returns a lease of a connection to one of `endpoints` whose server is authoritative for the origin.
    ///
    /// - Parameters:
    ///   - entry: The pool entry that would hold the exchange's own connection.
    ///   - endpoints: The addresses of the origin.
    func coalesced(_ entry: PoolEntry, _ endpoints: [Endpoint]) -> Lease? {
        guard mayCoalesce else { return nil }
        let addresses = Set(endpoints.map(\.publicAddress))
        for connection in engine.pool.connections(like: entry, at: addresses) {
            guard connection.isAuthoritative(for: plan.origin), engine.pool.join(connection) else { continue }
            guard let stream = connection.openStream(isNew: false, for: plan.destination) else {
                engine.pool.cancel(connection)
                continue
            }
            return Lease(connection: connection, stream: stream, isReused: true)
        }
        return nil
    }

    /// Returns a lease of a connection whose server accepts extended CONNECT (RFC 8441), for a handshake that would
    /// otherwise use HTTP/1.1.
    func extendedConnectLease() -> Lease? {
        guard let key = plan.extendedConnectKey, !isHTTP1Required, misdirection == .none else { return nil }
        guard let connection = engine.pool.joinForExtendedConnect(key) else { return nil }
        guard let stream = connection.openStream(isNew: false, for: plan.destination) else {
            engine.pool.cancel(connection)
            return nil
        }
        return Lease(connection: connection, stream: stream, isReused: true)
    }
}
