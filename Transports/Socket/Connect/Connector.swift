internal import AirframeTransport
internal import AirframeWire
internal import Glibc
internal import Synchronization

/// Opens a connection for an exchange, in the exchange's task: name resolution, sockets, proxy, TLS.
///
/// A task keeps the memory of the deepest call that it has made. Work that needs no wait is therefore in synchronous
/// functions that are not inlined: their variables are on the thread's stack.
struct Connector {
    let exchange: Exchange
    let entry: PoolEntry
    var engine: Engine { exchange.engine }

    init(_ exchange: Exchange, _ entry: PoolEntry) {
        self.exchange = exchange
        self.entry = entry
    }

    /// Opens a connection to one of `endpoints` that is ready for a request.
    func connect(to endpoints: [Endpoint]) async throws(TransportError) -> Connection {
        let link = try await dial(endpoints)
        var stream = ByteStream(socket: link.socket, tls: nil)
        if let proxy = exchange.plan.route.proxy { stream = try await pass(proxy, link) }
        if exchange.plan.origin.isSecure {
            exchange.enter(.tls)
            exchange.emit(.tlsStarted)
            stream = try await secure(stream, .server)
        }
        let (connection, unsettled) = try makeConnection(stream, link)
        if let unsettled {
            try await waitForSettings(unsettled)
            // The connection has read the limit that is assumed before the server's SETTINGS.
            connection.capacity = unsettled.capacity
        }
        return connection
    }

    /// Creates the connection.
    ///
    /// - Returns: The connection, and its carrier if the exchange depends on the server's SETTINGS.
    @inline(never)
    private func makeConnection(
        _ stream: ByteStream,
        _ link: Link
    ) throws(TransportError) -> (Connection, unsettled: HTTP2Connection?) {
        var description: TLSDescription?
        if exchange.plan.origin.isSecure, let tls = stream.tls {
            let agreed = try self.description(of: tls, .server)
            description = agreed
            exchange.emit(.tlsFinished(agreed))
        }
        let speaksHTTP2 = try speaksHTTP2(description)
        let information = TransportConnection(
            id: engine.nextConnectionNumber(),
            httpVersion: speaksHTTP2 ? .http2 : .http1_1,
            localAddress: link.socket.localEndpoint?.publicAddress,
            remoteAddress: link.address,
            isProxied: exchange.plan.route.proxy != nil,
            tls: description
        )
        if speaksHTTP2 {
            let carrier = try makeHTTP2Connection(stream)
            let connection = Connection(stream, of: entry, information: information, carrier: .multiple(carrier))
            if case .token = exchange.plan.head.upgrade { return (connection, carrier) }
            return (connection, nil)
        }
        let http1 = HTTP1Stream(
            stream,
            origin: exchange.plan.origin,
            limits: engine.parserLimits,
            heads: entry.heads,
            buffers: engine.buffers
        )
        return (Connection(stream, of: entry, information: information, carrier: .single(http1)), nil)
    }

    // MARK: Names

    /// Returns the addresses of the origin or of the proxy.
    func resolve() async throws(TransportError) -> [Endpoint] {
        exchange.enter(.resolve)
        if let path = exchange.plan.options.unixSocketPath { return [Endpoint(path: path)] }
        let host = exchange.plan.route.proxy?.host ?? exchange.plan.origin.host
        let port = exchange.plan.route.proxy?.port ?? exchange.plan.origin.port
        let addresses = try await addresses(of: host, port: port)
        return AddressOrder.interleaved(addresses).map { Endpoint($0, port: port) }
    }

    /// Returns the addresses of `host`, in the order in which they are tried.
    func addresses(of host: String, port: Int) async throws(TransportError) -> [IPAddress] {
        if let address = IPAddress(host) { return [address] }
        exchange.emit(.resolveStarted(host: host))
        let addresses: [IPAddress]
        if let override = overridden(host, port: port) {
            addresses = override.addresses.compactMap { IPAddress($0) }
            guard !addresses.isEmpty else {
                throw unresolved(host, message: "the override of \(host) has no IP address")
            }
        } else if let known = engine.addresses.known(host) {
            addresses = known
        } else {
            addresses = try await ask(host)
        }
        exchange.emit(.resolveFinished(addresses: addresses.map(\.description)))
        return addresses
    }

    private func overridden(_ host: String, port: Int) -> ResolveOverride? {
        // An origin's host is in lower case. A proxy's host is as the caller has written it.
        exchange.plan.options.resolveOverrides?
            .first { $0.port == port && $0.host.lowercased() == host.lowercased() }
    }

    private func ask(_ host: String) async throws(TransportError) -> [IPAddress] {
        let (engine, due) = (engine, exchange.limits.due(in: .resolve, since: exchange.since))
        let answer = await WithTimeout.run(until: due, on: engine.reactor) { try await engine.addresses.resolve(host) }
        switch answer {
        case .success(let addresses): return addresses
        case .failure(.cancelled): throw exchange.interruption(.cancelled) ?? lost
        case .failure(.timeUp): throw exchange.interruption(.timeUp) ?? lost
        case .failure(.failed(let error)):
            throw unresolved(host, underlying: error)
        }
    }

    /// Returns the error for a host without an address.
    private func unresolved(
        _ host: String,
        message: String? = nil,
        underlying: (any Error)? = nil
    ) -> TransportError {
        // SOCKS proxies of versions 4 and 5 get the address of the server as well, not its name.
        let isProxy = exchange.plan.route.proxy?.host == host
        let nameMessage = isProxy ? "the proxy's name (\(host)) has no address" : "the name \(host) has no address"
        return TransportError(
            isProxy ? .proxyFailed : .nameResolutionFailed,
            phase: isProxy ? .proxy : .resolve,
            processing: .notSent,
            message: message ?? nameMessage,
            origin: exchange.plan.origin,
            libraryMessage: underlying.map { ($0 as? NameResolutionError)?.message ?? "\($0)" },
            underlying: underlying
        )
    }

    private var lost: TransportError { exchange.lost(EIO) }

    // MARK: Waiting

    /// Waits until `stream` can be read or written.
    ///
    /// - Throws: A ``TransportError`` if a limit runs out or the task is cancelled.
    func wait(_ stream: ByteStream, for direction: Socket.Direction, _ alarm: Alarm) async throws(TransportError) {
        let due = exchange.limits.due(in: exchange.stage, since: exchange.since)
        let end = await stream.socket.wait(for: direction, until: due, engine.spinBudget, alarm: alarm)
        if let error = exchange.interruption(end) { throw error }
    }
}
