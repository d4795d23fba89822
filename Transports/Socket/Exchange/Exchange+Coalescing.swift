internal import AirframeTransport
internal import AirframeWire
internal import HTTPTypes

/// Connections of other origins that may carry the exchange (RFC 9113 §9.1.1).
extension Exchange {
    /// Whether the exchange may use the connection of another origin.
    ///
    /// Never where the caller decides on trust: an evaluation may pin the keys of one server. Never with a client identity,
    /// through a proxy or over a unix socket, where the address of the server is not known.
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

    /// Returns a lease of a connection that leads to one of `endpoints`, and that the origin's server may share.
    ///
    /// - Parameters:
    ///   - entry: Where the exchange would keep a connection of its own.
    ///   - endpoints: The addresses of the origin.
    func coalesced(_ entry: PoolEntry, _ endpoints: [Endpoint]) -> Lease? {
        guard mayCoalesce else { return nil }
        let addresses = Set(endpoints.map(\.publicAddress))
        for connection in engine.pool.connections(like: entry, at: addresses) {
            guard connection.isAuthoritative(for: plan.origin), engine.pool.join(connection) else { continue }
            guard let stream = connection.openStream(isNew: false, for: plan.origin) else {
                engine.pool.cancel(connection)
                continue
            }
            return Lease(connection: connection, stream: stream, isReused: true)
        }
        return nil
    }

    /// Returns a lease of a connection whose server accepts extended CONNECT (RFC 8441), for a handshake that otherwise
    /// goes over HTTP/1.1.
    func extendedConnectLease() -> Lease? {
        guard let key = plan.extendedConnectKey, !isHTTP1Required, misdirection == .none else { return nil }
        guard let connection = engine.pool.joinForExtendedConnect(key) else { return nil }
        guard let stream = connection.openStream(isNew: false, for: plan.origin) else {
            engine.pool.cancel(connection)
            return nil
        }
        return Lease(connection: connection, stream: stream, isReused: true)
    }
}
