internal import AirframeOpenSSL
internal import AirframeTransport
internal import COpenSSL
internal import Synchronization

/// The context of all TLS connections with the same options: an OpenSSL `SSL_CTX`.
///
/// `@unchecked Sendable`: an `SSL_CTX` counts its references atomically, and is immutable after its creation.
final class TLSContext: @unchecked Sendable {
    /// The properties in which contexts differ.
    struct Profile: Sendable, Hashable {
        var options: TLSOptions
        var identity: ClientIdentity?
        /// The HTTP versions that ALPN offers.
        var offer: VersionOffer
        /// Whether to request an OCSP response and certificate timestamps, which only evaluators use.
        var asksForStaple: Bool
    }

    let pointer: OpaquePointer
    private let roots: TrustRoots
    /// The state of the file of roots before it was read; `nil` for other roots.
    fileprivate let rootsFile: RootStores.FileState?
    // Keeps objects alive to which the context holds uncounted references.
    private let store: TrustStore
    /// The engine's own evaluation of servers.
    let verification: ServerVerification
    private let identity: IdentityMaterial?

    /// - Throws: A ``TransportError`` if the roots, the identity or the version bounds are unusable.
    init(_ profile: Profile) throws(TransportError) {
        roots = profile.options.roots ?? .system
        rootsFile = RootStores.fileState(of: roots)
        store = try RootStores.shared.store(for: roots)
        verification = ServerVerification(roots: roots, store: store)
        if let identity = profile.identity {
            self.identity = try IdentityMaterial(identity)
        } else {
            identity = nil
        }
        guard let pointer = SSL_CTX_new(TLS_client_method()) else {
            throw Self.failure("OpenSSL could not create a TLS context")
        }
        self.pointer = pointer
        try configure(profile)
    }

    deinit { SSL_CTX_free(pointer) }

    /// Whether the context has the roots as they are now: a file of roots may have changed.
    fileprivate var hasCurrentRoots: Bool {
        guard case .pemFile = roots else { return true }
        return rootsFile != nil && RootStores.fileState(of: roots) == rootsFile
    }

    private func configure(_ profile: Profile) throws(TransportError) {
        airframe_ctx_set_modes(pointer)
        let minimum = profile.options.minimumVersion ?? .tls1_2
        if minimum < .tls1_2 {
            // OpenSSL 3 allows the hashes of TLS 1.0 and 1.1 only at security level 0.
            SSL_CTX_set_security_level(pointer, 0)
        }
        let maximum = profile.options.maximumVersion?.rawValue ?? 0
        guard airframe_ctx_set_minimum_version(pointer, Int32(minimum.rawValue)) == 1,
            airframe_ctx_set_maximum_version(pointer, Int32(maximum)) == 1
        else { throw Self.failure("OpenSSL rejected the bounds on the TLS version") }
        if let refused = TLSAlgorithms.install(profile.options, in: pointer) {
            throw Self.failure("OpenSSL rejected \(refused)")
        }
        guard !profile.asksForStaple || HandshakeEvidence.request(in: pointer) else {
            throw Self.failure("OpenSSL could not request OCSP responses and timestamps")
        }
        let offer = profile.offer.applicationProtocols.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) }
        guard SSL_CTX_set_alpn_protos(pointer, offer, UInt32(offer.count)) == 0 else {
            throw Self.failure("OpenSSL rejected the ALPN protocols")
        }
        guard identity?.install(in: pointer) ?? true else {
            throw Self.failure("OpenSSL rejected the client identity")
        }
        SSL_CTX_set1_cert_store(pointer, store.pointer)
        SSL_CTX_set_verify(pointer, SSL_VERIFY_PEER, nil)
        TLSPeer.install(in: pointer)
        guard KeyLog.shared != nil else { return }
        SSL_CTX_set_keylog_callback(pointer) { _, line in
            if let line { KeyLog.shared?.write(line) }
        }
    }

    private static func failure(_ message: String) -> TransportError {
        TransportError(
            .tlsFailed,
            phase: .tls,
            processing: .notSent,
            message: message,
            libraryMessage: OpenSSLError.takeMessage().map { "OpenSSL: \($0)" }
        )
    }
}

/// A cache of recently used contexts.
final class TLSContextCache: Sendable {
    private static let capacity = 32

    // Guards the contexts.
    private let contexts = Mutex<[TLSContext.Profile: TLSContext]>([:])

    /// Returns the context for `profile`. Creates it on first use, and after its file of roots has changed.
    func context(for profile: TLSContext.Profile) throws(TransportError) -> TLSContext {
        if let known = contexts.withLock({ $0[profile] }), known.hasCurrentRoots { return known }
        let made = try TLSContext(profile)
        return contexts.withLock { contexts in
            if let known = contexts[profile], known.rootsFile == made.rootsFile { return known }
            if contexts.count >= Self.capacity { contexts.removeAll() }
            contexts[profile] = made
            return made
        }
    }
}
