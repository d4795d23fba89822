public import AirframeTransport
public import Foundation
internal import Synchronization

/// What a server showed of itself, and what it is to be judged by. It stands where Alamofire has `SecTrust`.
///
/// A class, because an evaluator amends it before it evaluates, as `SecTrust` is amended: with anchors and policies.
public final class ServerTrust: Sendable {
    private struct Terms: Sendable {
        var anchors: [DER]?
        var policies: [ServerTrustPolicy]
        var remark: String?
        var transport: (any Transport)?
    }

    /// The certificates as the server sent them, its own first.
    public let chain: [DER]
    /// The host that was asked for, without brackets.
    public let host: String
    /// The port.
    public let port: Int
    /// The OCSP response that the server stapled (RFC 6066 §8).
    public let stapledOCSPResponse: DER?
    /// The list of timestamps that the server sent as an extension of TLS (RFC 6962 §3.3.1), as it was sent.
    public let signedCertificateTimestampList: [UInt8]?
    /// The time to evaluate for; `nil` for the time of the evaluation.
    public let evaluationDate: Date?

    // Guards what the trust is judged by.
    private let terms: Mutex<Terms>

    /// Describes a server.
    ///
    /// - Parameters:
    ///   - chain: The certificates as the server sent them, its own first.
    ///   - host: The host that was asked for.
    ///   - port: The port.
    ///   - stapledOCSPResponse: The OCSP response that the server stapled.
    ///   - signedCertificateTimestampList: The list of timestamps that the server sent as an extension of TLS.
    ///   - evaluationDate: The time to evaluate for; `nil` for the time of the evaluation.
    public init(
        chain: [DER],
        host: String,
        port: Int = 443,
        stapledOCSPResponse: DER? = nil,
        signedCertificateTimestampList: [UInt8]? = nil,
        evaluationDate: Date? = nil
    ) {
        self.chain = chain
        self.host = host
        self.port = port
        self.stapledOCSPResponse = stapledOCSPResponse
        self.signedCertificateTimestampList = signedCertificateTimestampList
        self.evaluationDate = evaluationDate
        terms = Mutex(Terms(policies: [.hostname(host)]))
    }

    /// Describes what a server showed in a handshake.
    public convenience init(_ presentation: ServerPresentation) {
        self.init(
            chain: presentation.chain,
            host: presentation.host,
            port: presentation.port,
            stapledOCSPResponse: presentation.stapledOCSPResponse,
            signedCertificateTimestampList: presentation.signedCertificateTimestamps
        )
    }

    /// The certificates that the chain must lead to; `nil` for the system's roots.
    public var anchorCertificates: [DER]? {
        get { terms.withLock { $0.anchors } }
        set { terms.withLock { $0.anchors = newValue } }
    }

    /// The transport of the session that evaluates, for questions to responders; `nil` outside of a session.
    package var transport: (any Transport)? {
        get { terms.withLock { $0.transport } }
        set { terms.withLock { $0.transport = newValue } }
    }

    /// What an evaluator has to say of the certificates that an error names by their bytes, which Core cannot read.
    package var remark: String? {
        get { terms.withLock { $0.remark } }
        set { terms.withLock { $0.remark = newValue } }
    }

    /// What the chain must hold to. At first, that it is for ``host``.
    public var policies: [ServerTrustPolicy] {
        get { terms.withLock { $0.policies } }
        set { terms.withLock { $0.policies = newValue } }
    }
}

extension ServerTrust: AlamofireExtended, CustomStringConvertible {
    /// The host, the port and the length of the chain.
    public var description: String { "ServerTrust (\(host):\(port), \(chain.count) certificates)" }
}

/// A rule that a server's chain is held to. It stands where Alamofire has `SecPolicy`.
public enum ServerTrustPolicy: Sendable, Hashable, AlamofireExtended {
    /// The chain leads to a trusted root and is valid.
    case basic
    /// As ``basic``, and the server's certificate names the host (RFC 9525).
    case hostname(String)
    /// No certificate of the chain is revoked.
    case revocation(RevocationOptions)
}

/// How an evaluation ended. It stands where Alamofire has `SecTrustResultType`.
public enum ServerTrustResult: Sendable, Hashable, AlamofireExtended {
    /// Trusted, because a user said so.
    case proceed
    /// Trusted: nothing speaks against it.
    case unspecified
    /// Refused, because a user said so.
    case deny
    /// Refused for a fault that another policy or another time could take away.
    case recoverableTrustFailure
    /// Refused for good: a signature is wrong, or a certificate is revoked or malformed.
    case fatalTrustFailure
    /// The evaluation itself failed.
    case otherError
}

extension AlamofireExtension where ExtendedType == ServerTrustResult {
    /// Whether the server is trusted.
    public var isSuccess: Bool { type == .unspecified || type == .proceed }
}

/// What a revocation check may use and must find. The same options as `RevocationTrustEvaluator.Options`.
public struct RevocationOptions: OptionSet, Sendable, Hashable {
    /// One bit an option.
    public let rawValue: UInt

    /// Makes a set from its bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Ask by OCSP (RFC 6960).
    public static let ocsp = RevocationOptions(rawValue: 1 << 0)
    /// Look in CRLs (RFC 5280 §5).
    public static let crl = RevocationOptions(rawValue: 1 << 1)
    /// Look in CRLs before asking by OCSP.
    public static let preferCRL = RevocationOptions(rawValue: 1 << 2)
    /// Hard fail: refuse a server of which nobody says that it is not revoked.
    public static let requirePositiveResponse = RevocationOptions(rawValue: 1 << 3)
    /// Use only what is at hand: what the server stapled, given CRLs, and what was fetched before.
    public static let networkAccessDisabled = RevocationOptions(rawValue: 1 << 4)
    /// OCSP or CRLs, whichever is there.
    public static let any: RevocationOptions = [.ocsp, .crl]
    /// Soft fail: OCSP or CRLs, and a certificate of which nobody says anything passes. The same as ``any``.
    public static let softFail: RevocationOptions = .any
    /// Hard fail: OCSP or CRLs, and a certificate of which nobody says anything is refused.
    public static let hardFail: RevocationOptions = [.any, .requirePositiveResponse]
}
