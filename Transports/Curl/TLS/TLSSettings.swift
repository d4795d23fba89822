internal import AirframeOpenSSL
internal import AirframeTransport
internal import AirframeWire
internal import COpenSSL

/// The TLS settings that all connections of one context share.
final class TLSSettings {
    private let options: TLSOptions
    private let httpVersion: HTTPVersionPolicy
    private let identity: IdentityMaterial?
    private let asksForStaple: Bool
    // Only the holder of the loop's turn uses the verification and the verdicts.
    /// The engine's own verification; `nil` without TLS.
    @exclusivity(unchecked) private var verification: ServerVerification?
    /// The state of its file of roots before it was read; `nil` for other roots.
    @exclusivity(unchecked) private var rootsFile: RootStores.FileState?
    /// The verdicts on the chains of sessions, by host.
    @exclusivity(unchecked) private var verdicts: [String: SessionVerdict] = [:]

    /// - Throws: The reason why the roots or the identity are unusable.
    init(_ key: ContextKey) throws(TransportError) {
        options = key.tls
        httpVersion = key.httpVersion
        asksForStaple = key.trust != nil
        if let roots = key.tls.roots {
            rootsFile = RootStores.fileState(of: roots)
            verification = ServerVerification(roots: roots, store: try RootStores.shared.store(for: roots))
        }
        if let identity = key.identity { self.identity = try IdentityMaterial(identity) } else { identity = nil }
    }

    /// Returns the engine's own verification, with the roots as they are now: a file of roots may have changed.
    ///
    /// - Throws: The reason why the roots are unusable.
    func currentVerification() throws(TransportError) -> ServerVerification? {
        guard let roots = options.roots, case .pemFile = roots else { return verification }
        let state = RootStores.fileState(of: roots)
        if let state, state == rootsFile { return verification }
        let current = ServerVerification(roots: roots, store: try RootStores.shared.store(for: roots))
        (verification, rootsFile) = (current, state)
        verdicts = [:]
        return current
    }

    /// Prepares the TLS context of a new connection.
    ///
    /// - Parameters:
    ///   - context: An `SSL_CTX` that libcurl has made for this connection alone.
    ///   - isProxy: Whether the peer is the proxy, which gets no client identity and is not asked for an OCSP staple.
    /// - Returns: The setting that OpenSSL rejected, whose error queue has the reason; `nil` if it accepted all.
    func install(in context: OpaquePointer, isProxy: Bool) -> String? {
        // In a renegotiation of TLS 1.2 the server could present other certificates, after the evaluation has trusted
        // the first ones. Sockets refuse it too.
        airframe_ctx_refuse_renegotiation(context)
        let minimum = options.minimumVersion ?? .tls1_2
        if minimum < .tls1_2 {
            // OpenSSL 3 allows the hashes of TLS 1.0 and 1.1 at security level 0 only.
            SSL_CTX_set_security_level(context, 0)
        }
        guard airframe_ctx_set_minimum_version(context, Int32(minimum.rawValue)) == 1,
            airframe_ctx_set_maximum_version(context, Int32(options.maximumVersion?.rawValue ?? 0)) == 1
        else { return "the bounds on the TLS version" }
        if let refused = TLSAlgorithms.install(options, in: context) { return refused }
        guard !isProxy else { return nil }
        if asksForStaple, !HandshakeEvidence.request(in: context) { return "the request for OCSP responses" }
        if httpVersion == .http2Only || httpVersion == .http2PriorKnowledge {
            let offer: [UInt8] = [2, UInt8(ascii: "h"), UInt8(ascii: "2")]
            guard SSL_CTX_set_alpn_protos(context, offer, UInt32(offer.count)) == 0 else {
                return "the ALPN protocols"
            }
        }
        return identity?.install(in: context) == false ? "the client identity" : nil
    }

    // MARK: Sessions

    /// The maximum number of hosts with a verdict. A transport that connects to more hosts within a minute verifies
    /// again.
    private static let verdictLimit = 64

    /// Returns whether the session that `connection` is about to offer belongs to a server that is trusted: its chain
    /// was verified a short while ago, or is verified now.
    func trustsSession(of connection: OpaquePointer, host: String) -> Bool {
        guard let verification else { return false }
        let chain = ServerVerification.chainOfSession(connection)
        let now = Monotonic.now
        if let verdict = verdicts[host], verdict.holds(for: chain, at: now) { return true }
        guard verification.stillTrustsSession(with: chain, of: connection, host: host) else { return false }
        if verdicts.count >= Self.verdictLimit { verdicts = [:] }
        verdicts[host] = SessionVerdict(trusting: chain, at: now)
        return true
    }
}
