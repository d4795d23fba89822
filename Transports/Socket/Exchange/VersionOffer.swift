internal import AirframeTransport

/// Which versions of HTTP a request allows on its connection, and how they are agreed on.
enum VersionOffer: Sendable, Hashable {
    /// What the origin's scheme suggests: `h2` and `http/1.1` by ALPN over TLS, HTTP/1.1 in the clear.
    case automatic
    /// HTTP/1.1.
    case http1
    /// HTTP/2, which the server has to choose by ALPN.
    case http2
    /// HTTP/2 without an agreement (RFC 9113 §3.3).
    case http2PriorKnowledge

    /// - Throws: ``TransportError/Code/unsupportedOption`` if the policy cannot be kept on the way to the origin.
    init(_ request: borrowing TransportRequest, _ origin: Origin, isForwarded: Bool) throws(TransportError) {
        let policy = request.options.httpVersion ?? .automatic
        switch policy {
        case .automatic:
            // Whether a server accepts extended CONNECT (RFC 8441) is known too late to go back to `Upgrade`.
            self = request.upgrade == nil ? .automatic : .http1
        case .http1Only:
            self = .http1
        case .http2Only, .http2PriorKnowledge:
            guard !isForwarded else {
                throw Self.unsupported("a proxy forwards requests over HTTP/1.1, and HTTP/2 was asked for", origin)
            }
            if origin.isSecure {
                self = policy == .http2Only ? .http2 : .http2PriorKnowledge
            } else {
                guard policy == .http2PriorKnowledge else {
                    throw Self.unsupported(
                        "HTTP/2 is agreed on during TLS; for \(origin) use .http2PriorKnowledge", origin)
                }
                self = .http2PriorKnowledge
            }
        }
    }

    private static func unsupported(_ message: String, _ origin: Origin) -> TransportError {
        TransportError(.unsupportedOption, phase: .options, processing: .notSent, message: message, origin: origin)
    }

    /// Whether a connection may carry several exchanges at once.
    func mayMultiplex(isSecure: Bool) -> Bool {
        switch self {
        case .automatic: isSecure
        case .http1: false
        case .http2, .http2PriorKnowledge: true
        }
    }

    /// The protocols that a TLS handshake offers by ALPN (RFC 7301), the preferred one first.
    var applicationProtocols: [String] {
        switch self {
        case .automatic: ["h2", "http/1.1"]
        case .http1: ["http/1.1"]
        case .http2, .http2PriorKnowledge: ["h2"]
        }
    }
}
