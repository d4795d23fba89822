internal import AirframeTransport

/// The choice of the HTTP version, and connections that speak HTTP/2.
extension Connector {
    /// Returns whether the connection speaks HTTP/2.
    ///
    /// - Throws: ``TransportError/Code/tlsFailed`` if the request requires HTTP/2 and the server did not choose it, or
    ///   if the connection's cipher is too weak for it.
    func speaksHTTP2(_ tls: TLSDescription?) throws(TransportError) -> Bool {
        let chosen = tls?.applicationProtocol
        switch exchange.offer {
        case .http1: return false
        case .automatic:
            guard chosen == "h2" else { return false }
        case .http2:
            guard chosen == "h2" else {
                let words = chosen.map { "it chose \($0)" } ?? "it chose none"
                throw exchange.plan.error(
                    .tlsFailed, phase: .tls, message: "the server did not choose HTTP/2 by ALPN: \(words)")
            }
        case .http2PriorKnowledge: break
        }
        if let tls, !tls.isStrongEnoughForHTTP2 {
            throw exchange.plan.error(
                .tlsFailed,
                phase: .tls,
                message: "HTTP/2 does not allow \(tls.version) with \(tls.cipherSuite) (RFC 9113 §9.2)"
            )
        }
        return true
    }

    /// Waits for the server's SETTINGS, which declare whether it accepts extended CONNECT (RFC 8441 §3).
    ///
    /// - Throws: ``TransportError/Code/clientIdentityRefused`` if the server refuses the client's certificate instead.
    func waitForSettings(_ carrier: HTTP2Connection) async throws(TransportError) {
        carrier.flush(.immediate)
        let alarm = carrier.bytes.socket.makeAlarm()
        defer { alarm.cancel() }
        while !carrier.hasSettings {
            if !carrier.mayHaveMore { try await wait(carrier.bytes, for: .reading, alarm) }
            _ = carrier.read()
        }
        guard let failure = carrier.failure, let phase = failure.phase else { return }
        throw exchange.plan.error(
            failure.code, phase: phase, message: failure.message, library: failure.libraryMessage)
    }

    func makeHTTP2Connection(_ bytes: ByteStream) throws(TransportError) -> HTTP2Connection {
        let configuration = engine.configuration
        do throws(HTTP2Failure) {
            return try HTTP2Connection(
                bytes,
                limits: HTTP2Limits(
                    connectionWindow: configuration.http2ConnectionWindow,
                    fieldSection: configuration.headSizeLimit,
                    compressedFieldSection: configuration.headSizeLimit,
                    informationalCount: configuration.informationalResponseLimit,
                    assumedStreamCount: entry.streamLimit
                ),
                keepAlive: HTTP2KeepAlive(
                    interval: configuration.http2PingInterval, timeout: configuration.http2PingTimeout),
                engine
            )
        } catch {
            throw exchange.plan.error(error.code, phase: .connect, message: error.message)
        }
    }
}

extension TLSDescription {
    /// Whether RFC 9113 §9.2 allows the version and cipher: TLS 1.2 or later, and with TLS 1.2 an ephemeral key
    /// exchange and authenticated encryption. Appendix A prohibits all others.
    fileprivate var isStrongEnoughForHTTP2: Bool {
        guard version == .tls1_2 else { return version > .tls1_2 }
        let isEphemeral = cipherSuite.hasPrefix("ECDHE-") || cipherSuite.hasPrefix("DHE-")
        let isAuthenticated = ["GCM", "CHACHA20", "CCM"].contains { cipherSuite.contains($0) }
        return isEphemeral && isAuthenticated
    }
}
