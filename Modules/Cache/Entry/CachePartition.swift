internal import AirframeTransport
internal import HTTPTypes

/// The part of a cache key that separates requests for one URI that differ in their server, their trust or their user.
///
/// A URI does not identify the server of a request that names a Unix socket or addresses. A response that arrived under
/// one trust evaluation must not answer a request with another one, and a response for one client identity must not
/// answer a request with another identity. Engines separate the connections of such requests by the same options.
struct CachePartition: Sendable {
    /// The name; `nil` for requests that share the responses of requests without options. It is the same in all
    /// processes, unless there is a ``trust``.
    let name: String?
    /// The identity of the trust evaluation.
    let trust: TrustIdentity?

    /// Returns the partition of a request; `nil` for a request that the cache must not handle.
    ///
    /// The cache does not handle a request whose rules refuse the origin: the engine reports the reason. It does not
    /// handle a request with Negotiate either: the tickets of the process decide its user, and may change.
    init?(_ request: TransportRequest) {
        guard let origin = Origin(request.head) else { return nil }
        let options = request.options
        var parts = Self.place(options, origin)
        var mayUseTLS = origin.isSecure
        // A proxy may itself answer a request in the clear. Over TLS, it forwards the bytes of an authenticated server.
        if !origin.isSecure, options.unixSocketPath == nil,
            case .proxy(let proxy)? = options.proxy?.policy(for: origin)
        {
            let user = proxy.credential?.username ?? ""
            parts.append(Self.part("proxy", "\(proxy.kind.rawValue) \(user)@\(proxy.host.lowercased()):\(proxy.port)"))
            mayUseTLS = proxy.kind == .https
        }
        if let authentication = options.connectionAuthentication, authentication.origin == origin {
            guard authentication.scheme == .ntlm else { return nil }
            parts.append(Self.part("user", authentication.user))
        }
        var trustIdentity: TrustIdentity?
        if mayUseTLS {
            guard let (evaluation, identity) = Self.security(of: request, for: origin) else { return nil }
            switch options.tls.roots {
            case nil, .system?: break
            case .certificates(let roots)?: parts.append(Self.part("roots", Digest.bytes(roots.flatMap(\.bytes))))
            case .pemFile(let path)?: parts.append(Self.part("root file", path))
            }
            // The chain without the key: a digest of the key must not get into file names.
            if let identity { parts.append(Self.part("identity", Digest.bytes(identity.chain.flatMap(\.bytes)))) }
            if let evaluation {
                let known = TrustIdentity.of(evaluation.key)
                parts.append(Self.part("trust", known.name))
                trustIdentity = known
            }
        }
        trust = trustIdentity
        name = parts.isEmpty ? nil : Digest.text(parts.joined(separator: "\u{0}"))
    }

    /// The options that decide which server a connection leads to.
    private static func place(_ options: TransportOptions, _ origin: Origin) -> [String] {
        guard !options.leavesPlaceOpen else { return [] }
        if let path = options.unixSocketPath { return [part("unix socket", path)] }
        var parts: [String] = []
        let addresses = options.resolveOverrides?
            .first { $0.host.lowercased() == origin.host && $0.port == origin.port }?.addresses
        if let addresses { parts.append(part("addresses", addresses.sorted().joined(separator: ","))) }
        // Private and link-local addresses lead to other servers over other networks.
        if let address = options.localAddress { parts.append(part("local address", address)) }
        if let interface = options.networkInterface { parts.append(part("interface", interface)) }
        if let mark = options.socket.mark { parts.append(part("mark", "\(mark)")) }
        return parts
    }

    /// The evaluation and the identity for the request's origin; `nil` if the request's rules refuse the origin.
    private static func security(
        of request: TransportRequest,
        for origin: Origin
    ) -> (trust: (any TrustEvaluation)?, identity: ClientIdentity?)? {
        guard let security = request.security else { return (request.trust, request.identity) }
        do {
            return (try security.trust(for: origin), security.identity(for: origin))
        } catch {
            return nil
        }
    }

    /// A part of the name. Its length keeps a value from being read as several parts.
    private static func part(_ label: String, _ value: String) -> String { "\(label)=\(value.utf8.count):\(value)" }
}

// MARK: Requests without such options

extension CachePartition {
    /// The features that the options of a partition need, as bits.
    private static let features: UInt64 = {
        let features: [TransportFeatures] = [
            .unixSocket, .resolveOverrides, .localAddress, .networkInterface, .packetMark, .httpProxy, .httpsProxy,
            .socksProxy, .customRoots, .connectionAuthentication,
        ]
        return features.reduce(0) { $0 | $1.rawValue }
    }()

    /// Whether a request may be in a partition. Most requests are not, and then nothing else is read of them: a miss
    /// must take no allocation and few instructions (Docs/Decisions/0114).
    @inline(__always)
    static func mayConcern(_ request: TransportRequest, isSecure: Bool) -> Bool {
        // By the bits, because other modules do not specialize the operations of an `OptionSet`.
        if request.options.requiredFeatures.rawValue & features != 0 { return true }
        guard isSecure else { return false }
        let traits = request.traits
        if traits.hasTrust || traits.hasIdentity { return true }
        if case .some = request.security { return true }
        return false
    }
}

extension CacheKey {
    /// Creates the key of a request in its partition; `nil` if the request is one that responses are not stored for.
    @inline(__always)
    init?(_ request: TransportRequest) {
        self.init(request.head)
        guard CachePartition.mayConcern(request, isSecure: isSecure) else { return }
        guard let partition = CachePartition(request) else { return nil }
        self = inPartition(partition)
    }
}
