internal import AirframeOpenSSL
internal import AirframeTransport
internal import CCurl
internal import COpenSSL
internal import Glibc
internal import HTTPTypes

/// How a transfer comes by its connection. libcurl calls these as things happen, so that events carry the true
/// instants; only the end of an attempt to connect is seen by what comes next: the TLS context, or the request.
extension Transfer {
    /// A name that is not in libcurl's cache is looked up.
    func beginResolving() {
        guard stage == .pool else { return }
        let host = plan.route.resolvedHost(for: plan.origin)
        enter(.resolve)
        guard IPAddress(host) == nil else { return }
        emit(.resolveStarted(host: host))
    }

    /// libcurl wants a socket for an attempt to connect.
    func openSocket(_ address: UnsafeMutablePointer<curl_sockaddr>) -> curl_socket_t {
        let kind = address.pointee
        let place = withUnsafePointer(to: &address.pointee.addr) { SocketAddress($0) } ?? .unix(path: "")
        if stage == .resolve, case .ip(let text, _) = place, IPAddress(plan.route.resolvedHost(for: plan.origin)) == nil
        {
            // libcurl tells of the addresses one by one, as it tries them.
            emit(.resolveFinished(addresses: [text]))
        }
        engine.noteResolved(self)
        enter(.connect)
        tunnel = Tunnel()
        let flags = Int32(SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let descriptor = socket(kind.family, kind.socktype | flags, kind.`protocol`)
        guard descriptor >= 0 else {
            failure = socketError(errno, place)
            return CURL_SOCKET_BAD
        }
        link = engine.links.open(descriptor, to: place, for: id)
        emit(.connectStarted(place))
        return descriptor
    }

    /// The current attempt to connect has succeeded.
    func noteConnected() {
        guard let link, link.opener == id, !link.isConnected, link.hasPeer else { return }
        link.isConnected = true
        emit(.connectFinished(link.address))
        guard plan.route.proxy != nil else { return }
        enter(.proxy)
        emit(.proxyStarted(link.address))
    }

    /// libcurl is about to shake hands, with the proxy or the server.
    func prepareTLS(_ tlsContext: OpaquePointer) -> CURLcode {
        noteConnected()
        let proxy = plan.route.proxy
        let isProxy = proxy?.kind == .https && !tunnel.isUp
        if !isProxy {
            if let proxy, !proxy.kind.speaksHTTP { emit(.proxyFinished(status: nil)) }
            enter(.tls)
            emit(.tlsStarted)
        }
        guard let store = context.tls.store, context.tls.install(in: tlsContext, isProxy: isProxy) else {
            failure = plan.error(
                .tlsFailed,
                phase: .tls,
                message: "OpenSSL does not take the TLS options",
                library: OpenSSLError.takeMessage().map { "OpenSSL: \($0)" }
            )
            return CURLE_SSL_CONNECT_ERROR
        }
        let handshake = TLSHandshake(
            number: engine.nextHandshakeNumber(),
            host: isProxy ? proxy?.host ?? "" : plan.origin.host,
            port: isProxy ? proxy?.port ?? 0 : plan.origin.port,
            evaluation: isProxy ? nil : plan.request.trust,
            store: store,
            transfer: self
        )
        handshake.install(in: tlsContext)
        self.handshake = handshake
        if !isProxy { link?.handshake = handshake }
        return CURLE_OK
    }

    /// The connection is there and the request is about to be sent. `false` ends the transfer instead.
    func beginRequest(remote: (String, Int), local: (String, Int)) -> Bool {
        noteConnected()
        engine.noteResolved(self)
        let isReused = findLink(remote: remote, local: local)
        if isReused, !mayUseKeptLink() { return false }
        guard mayUsePriorKnowledge(isReused: isReused) else { return false }
        let isRepeated = attemptCount > 0
        if isRepeated, !mayRepeat() { return false }
        if isRepeated {
            parser = parser.restarted()
            uploadedCount = 0
        }
        attemptCount += 1
        sizeBeforeRequest = easy.long(CURLINFO_REQUEST_SIZE)
        guard adoptConnection(isReused: isReused) else { return false }
        enter(.send)
        emit(.requestHeadSent(byteCount: parser.rules.isHTTP2 ? nil : plan.headByteCount))
        if plan.body.isNone { finishRequest() }
        return true
    }

    /// libcurl 7.88 takes a kept connection that has something to read for alive, and would take what came unasked
    /// for the answer to this request (RFC 9112 §9.2). Such a connection is given up, and libcurl asked for another.
    private func mayUseKeptLink() -> Bool {
        guard let link, link.connection?.httpVersion != .http2, !link.isQuiet else { return true }
        isOnDeadConnection = true
        return false
    }

    /// libcurl sends a request again when a kept connection turned out to be dead before any byte of a response.
    /// Unless the method is idempotent that must not happen once bytes have left: the server may have acted on them
    /// (RFC 9110 §9.2.2).
    private func mayRepeat() -> Bool {
        guard start == nil else {
            // A 417 makes libcurl send the request again without `Expect`: that is not ours to decide. The code
            // HTTP_1_1_REQUIRED makes it do so in the middle of a body.
            isAnswered = start?.head.status.code == 417
            return false
        }
        if let mayRepeat = mayRepeatRefused() { return mayRepeat }
        let wasSent = easy.long(CURLINFO_REQUEST_SIZE) > sizeBeforeRequest
        guard wasSent, !plan.isIdempotent, connectionWasReused else { return true }
        failure = TransportError(
            .connectionLost,
            phase: .responseHead,
            processing: .unknown,
            message: "the kept connection was closed before a response came, and \(plan.method) is not safe to repeat",
            origin: plan.origin
        )
        return false
    }

    private func findLink(remote: (String, Int), local: (String, Int)) -> Bool {
        let ends = Link.Ends(
            remote: .ip(remote.0, port: remote.1),
            local: local.0.isEmpty ? .unix(path: plan.options.unixSocketPath ?? "") : .ip(local.0, port: local.1)
        )
        if let link, link.opener == id, link.connection == nil, engine.links[link.descriptor] === link {
            link.isConnected = true
            engine.links.setEnds(ends, of: link)
            return false
        }
        link = engine.links[ends]
        return true
    }

    private func adoptConnection(isReused: Bool) -> Bool {
        connectionWasReused = isReused
        if !isReused, !describeNewLink() { return false }
        guard var connection = link?.connection else { return true }
        connection.isReused = isReused
        parser.rules.isHTTP2 = connection.httpVersion == .http2
        let isChunked = upload != nil && plan.body.announcedLength == nil && connection.httpVersion != .http2
        chunks = isChunked ? SentChunks() : nil
        if isReused {
            emit(.decided(TransportDecision(.reusedConnection(id: connection.id), reason: "it was idle, or has room")))
        } else if plan.route.proxy != nil, !plan.origin.isSecure, !plan.route.tunnels(to: plan.origin) {
            emit(.proxyFinished(status: nil))
        }
        emit(.connectionAcquired(connection))
        return true
    }

    private func describeNewLink() -> Bool {
        let tls = plan.origin.isSecure ? easy.tlsConnection.flatMap { TLSDescription($0) } : nil
        if let tls { emit(.tlsFinished(tls)) }
        let speaksHTTP2 = tls?.applicationProtocol == "h2" || plan.httpVersion == .http2PriorKnowledge
        guard speaksHTTP2 || plan.httpVersion != .http2Only else {
            let offered = tls?.applicationProtocol.map { "it chose \($0)" } ?? "it chose none"
            failure = plan.error(
                .tlsFailed, phase: .tls, message: "the server did not agree to HTTP/2 by ALPN: \(offered)")
            return false
        }
        guard let link, let ends = link.ends else { return true }
        link.connection = TransportConnection(
            id: link.id,
            httpVersion: speaksHTTP2 ? .http2 : .http1_1,
            localAddress: ends.local,
            remoteAddress: link.address,
            isProxied: plan.route.proxy != nil,
            tls: tls
        )
        return true
    }

    /// The connection as the response's head shows it.
    func describeConnection() -> TransportConnection? {
        guard var connection = link?.connection else { return nil }
        connection.isReused = connectionWasReused
        guard parser.version == .http1_0 else { return connection }
        return TransportConnection(
            id: connection.id,
            httpVersion: .http1_0,
            localAddress: connection.localAddress,
            remoteAddress: connection.remoteAddress,
            isProxied: connection.isProxied,
            tls: connection.tls,
            isReused: connection.isReused
        )
    }
}
