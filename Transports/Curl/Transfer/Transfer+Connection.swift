internal import AirframeOpenSSL
internal import AirframeTransport
internal import AirframeWire
internal import CCurl
internal import COpenSSL
internal import Glibc
internal import HTTPTypes

/// How a transfer gets its connection. libcurl calls these functions as things happen, so that events carry the true
/// instants. Only the end of an attempt to connect is noticed later, at the next step: the TLS context or the request.
extension Transfer {
    /// Records that a name is looked up that is not in libcurl's cache.
    func beginResolving() {
        guard stage == .pool else { return }
        let host = plan.route.resolvedHost(for: plan.origin)
        enter(.resolve)
        guard IPAddress(host) == nil else { return }
        emit(.resolveStarted(host: host))
    }

    /// Opens a socket for libcurl's attempt to connect.
    func openSocket(_ address: UnsafeMutablePointer<curl_sockaddr>) -> curl_socket_t {
        guard beginAuthenticationRound(), !refusesRetry() else { return CURL_SOCKET_BAD }
        address.unmap()
        restoreZone(of: address)
        let kind = address.pointee
        let place = withUnsafePointer(to: &address.pointee.addr) { SocketAddress($0) } ?? .unix(path: "")
        if stage == .resolve, !hasResolved, case .ip(let text, _) = place,
            IPAddress(plan.route.resolvedHost(for: plan.origin)) == nil
        {
            // libcurl knows the addresses of `localhost` and reports them one by one, as it tries them.
            emit(.resolveFinished(addresses: [text]))
        }
        enter(.connect)
        tunnel = Tunnel()
        let flags = Int32(SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let settings = plan.options.socket
        let isTCP = kind.family != AF_UNIX
        let number = isTCP && settings.multipath == true ? settings.socketProtocol : kind.`protocol`
        let descriptor = socket(kind.family, kind.socktype | flags, number)
        guard descriptor >= 0 else {
            let code = errno
            let error = settings.refusal(ofOpening: code).map(settingError) ?? socketError(code, place)
            return noteUnopened(error, isOfOtherFamily: code == EAFNOSUPPORT)
        }
        if isTCP {
            do throws(SocketSettingRefusal) {
                try settings.apply(to: descriptor, isIPv6: kind.family == AF_INET6)
            } catch {
                close(descriptor)
                return noteUnopened(settingError(error), isOfOtherFamily: false)
            }
            // libcurl would look up a local address that is none, and bind to either an address or an interface.
            do throws(LocalBinding.Refusal) {
                let binding = LocalBinding(address: plan.options.localAddress, interface: plan.options.networkInterface)
                try binding.apply(to: descriptor, isIPv6: kind.family == AF_INET6)
            } catch {
                close(descriptor)
                return noteUnopened(bindingError(error), isOfOtherFamily: error.isOfOtherFamily)
            }
        }
        openFailure = nil
        let opened = engine.links.open(descriptor, to: place, for: id)
        attempts.append(opened)
        link = opened
        emit(.connectStarted(place))
        if case .ip(let text, _) = place, AddressLanes.hasNext(after: text, in: knownAddresses) {
            engine.giveUpLater(opened, of: self)
        }
        return descriptor
    }

    /// Records why no socket could be opened for an address. libcurl tries the next one.
    private func noteUnopened(_ error: TransportError, isOfOtherFamily: Bool) -> curl_socket_t {
        // An address of a family that cannot be used does not hide the reason for which another one failed.
        if !isOfOtherFamily || link == nil && openFailure == nil { openFailure = error }
        return CURL_SOCKET_BAD
    }

    private func settingError(_ refusal: SocketSettingRefusal) -> TransportError {
        plan.error(.unsupportedOption, phase: .connect, message: refusal.message)
    }

    /// The addresses that libcurl has for the host that it connects to, as far as the engine knows them.
    private var knownAddresses: [String] {
        let host = plan.route.resolvedHost(for: plan.origin)
        let port = plan.route.proxy?.port ?? plan.origin.port
        if let override = plan.options.resolveOverride(of: host, port: port) { return override.usableAddresses }
        return foundAddresses[host] ?? engine.names.addresses(of: host)
    }

    /// Gives a link-local address its zone back, for which libcurl's lists have no room (RFC 4007 §11).
    private func restoreZone(of address: UnsafeMutablePointer<curl_sockaddr>) {
        guard address.pointee.family == AF_INET6 else { return }
        let zoned = knownAddresses.filter { $0.contains("%") }
        guard !zoned.isEmpty else { return }
        guard case .ip(let text, _) = withUnsafePointer(to: &address.pointee.addr, { SocketAddress($0) }),
            let zone = zoned.first(where: { $0.hasPrefix("\(text)%") })?.split(separator: "%").last
        else { return }
        let scope = UInt32(zone) ?? if_nametoindex(String(zone))
        UnsafeMutableRawPointer(address)
            .advanced(by: MemoryLayout<curl_sockaddr>.offset(of: \.addr) ?? 0)
            .assumingMemoryBound(to: sockaddr_in6.self).pointee.sin6_scope_id = scope
    }

    /// Removes an attempt to connect that libcurl has closed. The transfer continues with another one.
    func noteClosed(_ closed: Link) {
        attempts.removeAll { $0 === closed }
        if link === closed, let last = attempts.last { link = last }
        if stage == .connect, !closed.isConnected { engine.toReconnect.append(id) }
    }

    /// Records that the current attempt to connect has succeeded.
    func noteConnected() {
        guard let link, link.opener == id, !link.isConnected, link.hasPeer else { return }
        link.isConnected = true
        openFailure = nil
        emit(.connectFinished(link.address))
        guard plan.route.proxy != nil else { return }
        enter(.proxy)
        emit(.proxyStarted(link.address))
    }

    /// Prepares the TLS handshake that libcurl is about to begin with the proxy or the server.
    func prepareTLS(_ tlsContext: OpaquePointer) -> CURLcode {
        noteConnected()
        let proxy = plan.route.proxy
        let isProxy = proxy?.kind == .https && !tunnel.isUp
        if !isProxy {
            if let proxy, !proxy.kind.speaksHTTP { emit(.proxyFinished(status: nil)) }
            enter(.tls)
            emit(.tlsStarted)
        }
        let verification: ServerVerification
        do throws(TransportError) {
            verification = try tlsVerification(tlsContext, isProxy: isProxy)
        } catch {
            failure = error
            return CURLE_SSL_CONNECT_ERROR
        }
        let handshake = TLSHandshake(
            number: engine.nextHandshakeNumber(),
            host: isProxy ? proxy?.host ?? "" : plan.origin.host,
            port: isProxy ? proxy?.port ?? 0 : plan.origin.port,
            evaluation: isProxy ? nil : plan.request.trust,
            verification: verification,
            transfer: self
        )
        handshake.install(in: tlsContext)
        self.handshake = handshake
        if !isProxy { link?.handshake = handshake }
        return CURLE_OK
    }

    /// Applies the options to the TLS context of a new connection, and returns the verification of its server.
    private func tlsVerification(
        _ tlsContext: OpaquePointer,
        isProxy: Bool
    ) throws(TransportError) -> ServerVerification {
        if let refused = context.tls.install(in: tlsContext, isProxy: isProxy) {
            throw plan.error(
                .tlsFailed,
                phase: .tls,
                message: "OpenSSL rejected \(refused)",
                library: OpenSSLError.takeMessage().map { "OpenSSL: \($0)" }
            )
        }
        do throws(TransportError) {
            if let verification = try context.tls.currentVerification() { return verification }
        } catch {
            // The error of the roots does not name the origin.
            throw plan.error(error.code, phase: error.phase, message: error.message, library: error.libraryMessage)
        }
        throw plan.error(.tlsFailed, phase: .tls, message: "the connection has no trusted roots")
    }

    /// Begins the request, which libcurl is about to send on a connection. Returns `false` to end the transfer instead.
    func beginRequest(remote: (String, Int), local: (String, Int)) -> Bool {
        noteConnected()
        openFailure = nil
        guard beginAuthenticationRound() else { return false }
        let isReused = findLink(remote: remote, local: local)
        if isReused, !mayUseKeptLink() { return false }
        guard mayUsePriorKnowledge(isReused: isReused) else { return false }
        if attemptCount > 0, !isRetryPermitted, mayRepeatRefused() == false { return false }
        if refusesRetry() { return false }
        isRetryPermitted = false
        if attemptCount > 0 {
            parser = parser.restarted()
            uploadedCount = 0
        }
        attemptCount += 1
        sizeBeforeRequest = easy.long(CURLINFO_REQUEST_SIZE)
        guard adoptConnection(isReused: isReused) else { return false }
        isSending = true
        restartWriteIdle()
        enter(.send)
        // `beginStream` reports the rest.
        if case .some = unreportedConnection {
            if plan.body.isEmpty {
                isSending = false
                enter(.respond)
            }
            return true
        }
        // libcurl adds fields of a length that is not known here to HTTP/2 and to handshakes.
        let isCounted = !parser.rules.isHTTP2 && plan.authentication == nil
        emit(.requestHeadSent(byteCount: isCounted ? plan.headByteCount : nil))
        if plan.body.isEmpty { finishRequest() }
        return true
    }

    /// Whether a kept connection may be used. libcurl 7.88 considers one with unread bytes alive, and would read them
    /// as the response to this request (RFC 9112 §9.2). The engine drops such a connection and has libcurl choose
    /// another.
    private func mayUseKeptLink() -> Bool {
        guard let link, link.connection?.httpVersion != .http2, !link.isQuiet else { return true }
        isOnDeadConnection = true
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
            let reason = authenticationRounds > 0 ? "the handshake continues on it" : "it was idle, or has room"
            emit(.decided(TransportDecision(.reusedConnection(id: connection.id), reason: reason)))
        } else if plan.route.proxy != nil, !plan.origin.isSecure, !plan.route.tunnels(to: plan.origin) {
            emit(.proxyFinished(status: nil))
        }
        // The stream has no identifier before libcurl sends the head.
        if parser.rules.isHTTP2 { unreportedConnection = connection } else { emit(.connectionAcquired(connection)) }
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
        if parser.rules.isHTTP2 { connection.streamID = http2.map { Int($0.number) } }
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

extension UnsafeMutablePointer<curl_sockaddr> {
    /// Turns an IPv6 address that maps an IPv4 address into the latter: see ``AddressLanes``.
    fileprivate func unmap() {
        guard pointee.family == AF_INET6, pointee.addrlen >= UInt32(MemoryLayout<sockaddr_in6>.size) else { return }
        let place = UnsafeMutableRawPointer(self)
            .advanced(by: MemoryLayout<curl_sockaddr>.offset(of: \.addr) ?? 0)
        let six = place.loadUnaligned(as: sockaddr_in6.self)
        let bytes = withUnsafeBytes(of: six.sin6_addr) { Array($0) }
        guard bytes.prefix(10).allSatisfy({ $0 == 0 }), bytes[10] == 0xFF, bytes[11] == 0xFF else { return }
        var four = sockaddr_in()
        four.sin_family = sa_family_t(AF_INET)
        four.sin_port = six.sin6_port
        withUnsafeMutableBytes(of: &four.sin_addr) { $0.copyBytes(from: bytes[12...]) }
        place.storeBytes(of: four, as: sockaddr_in.self)
        pointee.family = AF_INET
        pointee.addrlen = UInt32(MemoryLayout<sockaddr_in>.size)
    }
}
