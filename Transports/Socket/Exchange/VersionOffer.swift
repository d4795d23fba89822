internal import AirframeTransport

/// The HTTP versions that a request allows on its connection, and how they are negotiated.
enum VersionOffer: Sendable, Hashable {
    /// Depends on the origin's scheme: `h2` or `http/1.1` by ALPN over TLS, HTTP/1.1 without TLS.
    case automatic
    /// HTTP/1.1 only.
    case http1
    /// HTTP/2 only, which the server must choose by ALPN.
    case http2
    /// HTTP/2 without negotiation (RFC 9113 §3.3).
    case http2PriorKnowledge

    /// - Throws: ``TransportError/Code/unsupportedOption`` if the policy is impossible on the route to the origin.
    init(
        _ request: borrowing TransportRequest,
        _ traits: RequestTraits,
        _ destination: Destination,
        isForwarded: Bool
    ) throws(TransportError) {
        if !traits.choosesVersion, !traits.hasUpgrade {
            self = .automatic
            return
        }
        let policy = request.options.httpVersion ?? .automatic
        switch policy {
        case .automatic:
            // Whether a server accepts extended CONNECT (RFC 8441) is known too late to fall back to `Upgrade`.
            self = traits.hasUpgrade ? .http1 : .automatic
        case .http1Only:
            self = .http1
        case .http2Only, .http2PriorKnowledge:
            guard !isForwarded else {
                throw Self.unsupported(
                    "the proxy forwards over HTTP/1.1 only, and the request requires HTTP/2", destination.origin)
            }
            if destination.isSecure {
                self = policy == .http2Only ? .http2 : .http2PriorKnowledge
            } else {
                guard policy == .http2PriorKnowledge else {
                    throw Self.unsupported(
                        "HTTP/2 is negotiated during TLS; for \(destination.origin) use .http2PriorKnowledge",
                        destination.origin)
                }
                self = .http2PriorKnowledge
            }
        }
    }

    private static func unsupported(_ message: String, _ origin: Origin) -> TransportError {
        TransportError(.unsupportedOption, phase: .options, processing: .notSent, message: message, origin: origin)
    }

    /// Returns whether a connection may carry several concurrent exchanges.
    func mayMultiplex(isSecure: Bool) -> Bool {
        switch self {
        case .automatic: isSecure
        case .http1: false
        case .http2, .http2PriorKnowledge: true
        }
    }

    /// The protocols offered by ALPN (RFC 7301), the preferred one first.
    var applicationProtocols: [String] {
        switch self {
        case .automatic: ["h2", "http/1.1"]
        case .http1: ["http/1.1"]
        case .http2, .http2PriorKnowledge: ["h2"]
        }
    }
}
