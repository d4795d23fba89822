internal import AirframeTransport
internal import HTTPTypes
internal import Synchronization

extension Exchange {
    /// Gets a connection: one that was kept, or a new one.
    func connect(_ script: Script, to origin: Origin) async throws(TransportError) -> TransportConnection {
        let version = if let recorded = script.plan.httpVersion { recorded } else { try httpVersion() }
        let key = ConnectionKey(request, origin: origin, httpVersion: version)
        let limit = limit(\.pool, "the limit on waiting for a connection")
        try await enter(.pool, script, limit)
        while true {
            let waiter = clock.announceWaiter()
            let mustBeNew = script.plan.needsNewConnection
            switch mock.state.withLock({ $0.pool.acquire(key, mustBeNew: mustBeNew, waiter: waiter) }) {
            case .kept(let connection):
                clock.discard(waiter)
                progress.withLock { $0.connectionID = connection.id }
                let decision = TransportDecision.Kind.reusedConnection(id: connection.id)
                emit(.decided(TransportDecision(decision, reason: "an earlier exchange left it open")))
                take(connection)
                return connection
            case .new(let id):
                clock.discard(waiter)
                progress.withLock { $0.connectionID = id }
                let connection = try await open(id, script, to: origin, version)
                for waiter in mock.state.withLock({ $0.pool.opened(connection) }) { clock.signal(waiter) }
                take(connection)
                return connection
            case .queued: try await queue(as: waiter, for: origin.host, limit)
            }
        }
    }

    private func take(_ connection: TransportConnection) {
        let index = progress.withLock { $0.index }
        if let index { mock.state.withLock { $0.update(index) { $0.connection = connection } } }
        emit(.connectionAcquired(connection))
    }

    private func queue(as waiter: WaiterID, for host: String, _ limit: Limit?) async throws(TransportError) {
        do throws(TransportError) {
            try await pause(until: nil, limit, waiter: waiter)
        } catch {
            if let next = mock.state.withLock({ $0.pool.leaveQueue(waiter, host: host) }) { clock.signal(next) }
            throw error
        }
    }

    /// The version of HTTP that is spoken.
    private func httpVersion() throws(TransportError) -> HTTPVersion {
        switch request.options.httpVersion {
        case .http1Only: .http1_1
        case .http2Only, .http2PriorKnowledge: .http2
        case .automatic, nil: mock.configuration.httpVersion
        }
    }

    // MARK: A new connection

    private func open(
        _ id: UInt64,
        _ script: Script,
        to origin: Origin,
        _ version: HTTPVersion
    ) async throws(TransportError) -> TransportConnection {
        let limit = limit(\.connect, "the limit on connecting")
        let proxy = origin.isReached(through: request.options.proxy)
        let address = try await resolve(script, origin, proxy, limit)
        try await reach(address, script, limit)
        if let proxy { try await pass(proxy, at: address, script, origin, limit) }
        let tls = origin.isSecure ? try await shakeHands(script, origin, version) : nil
        let local = request.options.localAddress ?? "198.51.100.1"
        return TransportConnection(
            id: id,
            httpVersion: version,
            localAddress: request.options.unixSocketPath == nil ? .ip(local, port: 49_152 + Int(id % 16_384)) : nil,
            remoteAddress: address,
            isProxied: proxy != nil,
            tls: tls
        )
    }

    private func resolve(
        _ script: Script,
        _ origin: Origin,
        _ proxy: Proxy?,
        _ limit: Limit?
    ) async throws(TransportError) -> SocketAddress {
        if let path = request.options.unixSocketPath { return .unix(path: path) }
        let host = proxy?.host ?? origin.host
        let port = proxy?.port ?? origin.port
        let override = request.options.resolveOverrides?.first { $0.host.lowercased() == host && $0.port == port }
        let isAsked = override?.addresses.first == nil && !AddressBook.isAddress(host)
        if isAsked { emit(.resolveStarted(host: host)) }
        try await enter(.resolve, script, limit)
        let address = override?.addresses.first ?? mock.state.withLock { $0.addresses.address(of: host) }
        if isAsked { emit(.resolveFinished(addresses: [address])) }
        return .ip(address, port: port)
    }

    private func reach(_ address: SocketAddress, _ script: Script, _ limit: Limit?) async throws(TransportError) {
        emit(.connectStarted(address))
        do throws(TransportError) {
            try await enter(.connect, script, limit)
        } catch {
            emit(.connectFailed(address, error))
            throw error
        }
        emit(.connectFinished(address))
    }

    private func pass(
        _ proxy: Proxy,
        at address: SocketAddress,
        _ script: Script,
        _ origin: Origin,
        _ limit: Limit?
    ) async throws(TransportError) {
        emit(.proxyStarted(address))
        try await enter(.proxy, script, limit)
        let isTunnel = (proxy.kind == .http || proxy.kind == .https) && (origin.isSecure || proxy.tunnelsAlways)
        emit(.proxyFinished(status: isTunnel ? 200 : nil))
    }

    // MARK: TLS

    private func shakeHands(
        _ script: Script,
        _ origin: Origin,
        _ httpVersion: HTTPVersion
    ) async throws(TransportError) -> TLSDescription {
        let limit = limit(\.tls, "the limit on the TLS handshake")
        emit(.tlsStarted)
        try await enter(.tls, script, limit)
        let version = try tlsVersion()
        let certificates = certificates(script.plan)
        try await judge(certificates, origin, limit)
        if case .clientIdentity = script.plan.fault?.kind, request.identity == nil {
            throw error(.clientIdentityRefused, "the server wants a client certificate and got none")
        }
        let description = TLSDescription(
            version: version,
            cipherSuite: version == .tls1_3 ? "TLS_AES_128_GCM_SHA256" : "ECDHE-RSA-AES128-GCM-SHA256",
            applicationProtocol: httpVersion == .http2 ? "h2" : "http/1.1",
            chain: certificates.chain
        )
        emit(.tlsFinished(description))
        return description
    }

    private func tlsVersion() throws(TransportError) -> TLSVersion {
        let bounds = request.options.tls
        let newest = min(mock.configuration.tlsVersion, bounds.maximumVersion ?? .tls1_3)
        let oldest = bounds.minimumVersion ?? min(.tls1_2, bounds.maximumVersion ?? .tls1_2)
        guard newest >= oldest else {
            let message = "client and server have no version in common: "
            throw error(.tlsFailed, message + "\(oldest) and newer against \(mock.configuration.tlsVersion)")
        }
        return newest
    }

    private func certificates(_ plan: ReplyPlan) -> ServerCertificates {
        if case .certificates(let certificates) = plan.fault?.kind { return certificates }
        return plan.certificates ?? mock.configuration.certificates
    }

    /// Asks the request's evaluation, or in its place the engine's, which the certificates themselves stand for.
    private func judge(
        _ certificates: ServerCertificates,
        _ origin: Origin,
        _ limit: Limit?
    ) async throws(TransportError) {
        guard let trust = request.trust else {
            guard certificates.isTrusted else {
                throw error(.trustRefused, "the server's certificates are not trusted")
            }
            return
        }
        let verdict = try await run(limit) {
            try await trust.evaluate(
                chain: certificates.chain,
                host: origin.host,
                port: origin.port,
                stapledOCSPResponse: certificates.stapledOCSPResponse
            )
        }
        if case .failure(let reason) = verdict { throw error(.trustRefused, "\(reason)", underlying: reason) }
    }
}

extension Origin {
    /// The proxy that leads here, if there is one. Addresses are excluded by their text, names with all names below.
    fileprivate func isReached(through policy: ProxyPolicy?) -> Proxy? {
        guard case .proxy(let proxy) = policy?.policy(for: self) else { return nil }
        let isExcluded = proxy.excludedHosts.contains { excluded in
            let name = excluded.lowercased()
            return name == "*" || name == host || host.hasSuffix(name.hasPrefix(".") ? name : ".\(name)")
        }
        return isExcluded ? nil : proxy
    }
}
