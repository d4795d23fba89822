public import AirframeTransport
internal import FoundationEssentials

/// A fault in an exchange.
public struct Fault: Sendable {
    enum Kind: Sendable {
        /// The exchange fails in the fault's phase.
        case failure(TransportError.Code, message: String, libraryMessage: String? = nil)
        /// The server shows certificates.
        case certificates(ServerCertificates)
        /// The server asks for a client certificate.
        case clientIdentity
        /// The exchange stalls.
        case stall
        /// The connection breaks.
        case reset
        /// The connection is closed too early, without an error.
        case close
    }

    let kind: Kind
    let phase: TransportPhase
    /// The number of bytes of the body before the fault.
    let byteCount: Int64

    private init(_ kind: Kind, in phase: TransportPhase, after byteCount: Int64 = 0) {
        self.kind = kind
        self.phase = phase
        self.byteCount = max(0, byteCount)
    }

    /// A recorded failure, in a phase or after a number of bytes of the response's body.
    init(
        _ code: TransportError.Code,
        message: String,
        libraryMessage: String?,
        in phase: TransportPhase,
        afterBytes count: Int64
    ) {
        self.init(.failure(code, message: message, libraryMessage: libraryMessage), in: phase, after: count)
    }

    // MARK: Connecting

    /// The host has no address.
    public static let dnsFailure = Fault(
        .failure(.nameResolutionFailed, message: "the host has no address"),
        in: .resolve
    )

    /// The connection is refused.
    public static let connectionRefused = Fault(
        .failure(.connectFailed, message: "connection refused"),
        in: .connect
    )

    /// The network is unreachable.
    public static let networkUnreachable = Fault(
        .failure(.networkUnreachable, message: "the network is unreachable"),
        in: .connect
    )

    /// The proxy refuses the connection. It affects requests through a proxy only.
    public static func proxyRefused(status: Int = 407) -> Fault {
        Fault(.failure(.proxyFailed, message: "the proxy refused with status \(status)"), in: .proxy)
    }

    /// The TLS handshake fails. It affects requests over `https` only.
    ///
    /// - Parameter message: The reason, as a TLS library would state it.
    public static func tlsFailure(_ message: String = "handshake failure") -> Fault {
        Fault(.failure(.tlsFailed, message: "the handshake failed", libraryMessage: message), in: .tls)
    }

    /// The server presents certificates that no system trusts.
    ///
    /// The request's ``TrustEvaluation`` evaluates the chain. Its error underlies ``TransportError/Code/trustRefused``.
    /// If it trusts the chain, the exchange continues. Without an evaluation the server is refused.
    public static func untrusted(chain: [DER] = [], stapledOCSPResponse: DER? = nil) -> Fault {
        let certificates = ServerCertificates(
            chain: chain,
            stapledOCSPResponse: stapledOCSPResponse,
            isTrusted: false
        )
        return Fault(.certificates(certificates), in: .tls)
    }

    /// The server requires a client certificate, and refuses a request without a ``ClientIdentity``.
    public static let clientIdentityRequired = Fault(.clientIdentity, in: .tls)

    // MARK: The exchange

    /// The connection breaks after the request, before a byte of the response.
    public static let resetBeforeHead = Fault(.reset, in: .responseHead)

    /// The connection breaks in the middle of the response's head.
    public static let resetInHead = Fault(.reset, in: .responseHead, after: 1)

    /// The connection breaks after that many bytes of the response's body.
    public static func reset(afterBytes count: Int64) -> Fault {
        Fault(.reset, in: .responseBody, after: count)
    }

    /// The server closes the connection after that many bytes of the response's body, before its end.
    public static func close(afterBytes count: Int64) -> Fault {
        Fault(.close, in: .responseBody, after: count)
    }

    /// The connection breaks after that many bytes of the request's body.
    public static func reset(afterSending count: Int64) -> Fault {
        Fault(.reset, in: .requestBody, after: count)
    }

    /// The response is not HTTP.
    public static let malformedHead = Fault(
        .failure(.malformedResponse, message: "the response does not begin with a status line"),
        in: .responseHead
    )

    // MARK: Nothing

    /// The exchange stalls from `phase` on, until the limit of the phase or the deadline is exceeded or the request is
    /// cancelled. Phases that the exchange does not have, such as TLS over `http`, do not stall.
    public static func stall(in phase: TransportPhase) -> Fault {
        Fault(.stall, in: phase)
    }

    /// The response stalls after that many bytes of its body.
    public static func stall(afterBytes count: Int64) -> Fault {
        Fault(.stall, in: .responseBody, after: count)
    }

    /// The server takes no more after that many bytes of the request's body.
    public static func stall(afterSending count: Int64) -> Fault {
        Fault(.stall, in: .requestBody, after: count)
    }

    // MARK: Questions

    /// Whether the fault precedes the connection.
    var isInConnecting: Bool { [.resolve, .connect, .proxy, .tls].contains(phase) }

    /// Whether the server closes the connection without an error.
    var isClosing: Bool {
        if case .close = kind { true } else { false }
    }

    /// Returns the bytes before the fault.
    var filler: Data {
        phase == .responseBody ? Data(count: Int(clamping: min(byteCount, 1 << 30))) : Data()
    }
}

extension Fault: CustomStringConvertible {
    /// The fault and its phase.
    public var description: String {
        let place = byteCount > 0 ? "\(phase), after \(byteCount) bytes" : "\(phase)"
        return switch kind {
        case .failure(_, let message, _): "\(message) (\(place))"
        case .certificates: "untrusted certificates (\(place))"
        case .clientIdentity: "a client identity is required (\(place))"
        case .stall: "stall (\(place))"
        case .reset: "reset (\(place))"
        case .close: "close (\(place))"
        }
    }
}
