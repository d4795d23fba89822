public import AirframeTransport
public import Foundation
internal import Synchronization

/// A server's certificates and the terms of their evaluation. Takes the place of `SecTrust` in Alamofire's API.
///
/// A class, because an evaluator sets anchors and policies before it evaluates, as with `SecTrust`.
public final class ServerTrust: Sendable {
    private struct Terms: Sendable {
        var anchors: [DER]?
        var policies: [ServerTrustPolicy]
        var remark: String?
        var transport: (any Transport)?
    }

    /// The certificates as sent by the server, leaf first.
    public let chain: [DER]
    /// The host of the request, without brackets.
    public let host: String
    /// The port.
    public let port: Int
    /// The OCSP response that the server stapled (RFC 6066 §8).
    public let stapledOCSPResponse: DER?
    /// The encoded list of timestamps that the server sent in a TLS extension (RFC 6962 §3.3.1).
    public let signedCertificateTimestampList: [UInt8]?
    /// The time to evaluate for; `nil` for the time of the evaluation.
    public let evaluationDate: Date?

    // Guards the terms of the evaluation.
    private let terms: Mutex<Terms>

    /// Creates the trust of a server.
    ///
    /// - Parameters:
    ///   - chain: The certificates as sent by the server, leaf first.
    ///   - host: The host of the request.
    ///   - port: The port.
    ///   - stapledOCSPResponse: The OCSP response that the server stapled.
    ///   - signedCertificateTimestampList: The encoded list of timestamps that the server sent in a TLS extension.
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

    /// Creates the trust of a server's presentation in a handshake.
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

    /// The transport of the evaluating session, for requests to responders; `nil` without a session.
    package var transport: (any Transport)? {
        get { terms.withLock { $0.transport } }
        set { terms.withLock { $0.transport = newValue } }
    }

    /// An evaluator's description of the certificates in an error, which Core cannot parse.
    package var remark: String? {
        get { terms.withLock { $0.remark } }
        set { terms.withLock { $0.remark = newValue } }
    }

    /// The rules for the chain; initially that it is for ``host``.
    public var policies: [ServerTrustPolicy] {
        get { terms.withLock { $0.policies } }
        set { terms.withLock { $0.policies = newValue } }
    }
}

extension ServerTrust: AlamofireExtended, CustomStringConvertible {
    /// The host, the port and the length of the chain.
    public var description: String { "ServerTrust (\(host):\(port), \(chain.count) certificates)" }
}

/// A rule for a server's chain. Takes the place of `SecPolicy` in Alamofire's API.
public enum ServerTrustPolicy: Sendable, Hashable, AlamofireExtended {
    /// The chain leads to a trusted root and is valid.
    case basic
    /// As ``basic``, and the server's certificate names the host (RFC 9525).
    case hostname(String)
    /// No certificate of the chain is revoked.
    case revocation(RevocationOptions)
}

/// The result of an evaluation. Takes the place of `SecTrustResultType` in Alamofire's API.
public enum ServerTrustResult: Sendable, Hashable, AlamofireExtended {
    /// Trusted by the user's decision.
    case proceed
    /// Trusted by the rules.
    case unspecified
    /// Rejected by the user's decision.
    case deny
    /// Rejected for a fault that another policy or another time could resolve.
    case recoverableTrustFailure
    /// Rejected for a fault that cannot be resolved: an invalid signature, a revoked or malformed certificate.
    case fatalTrustFailure
    /// The evaluation itself failed.
    case otherError
}

extension AlamofireExtension where ExtendedType == ServerTrustResult {
    /// Whether the server is trusted.
    public var isSuccess: Bool { type == .unspecified || type == .proceed }
}

/// The sources and the requirements of a revocation check. The same options as `RevocationTrustEvaluator.Options`.
public struct RevocationOptions: OptionSet, Sendable, Hashable {
    /// One bit for each option.
    public let rawValue: UInt

    /// Creates a set from bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Use OCSP (RFC 6960).
    public static let ocsp = RevocationOptions(rawValue: 1 << 0)
    /// Use CRLs (RFC 5280 §5).
    public static let crl = RevocationOptions(rawValue: 1 << 1)
    /// Use CRLs before OCSP.
    public static let preferCRL = RevocationOptions(rawValue: 1 << 2)
    /// Hard fail: reject a server whose certificates have no good status.
    public static let requirePositiveResponse = RevocationOptions(rawValue: 1 << 3)
    /// Use only stapled responses, given CRLs and cached responses.
    public static let networkAccessDisabled = RevocationOptions(rawValue: 1 << 4)
    /// OCSP or CRLs, whichever is available.
    public static let any: RevocationOptions = [.ocsp, .crl]
    /// Soft fail: OCSP or CRLs; a certificate of unknown status is accepted. The same as ``any``.
    public static let softFail: RevocationOptions = .any
    /// Hard fail: OCSP or CRLs; a certificate of unknown status is rejected.
    public static let hardFail: RevocationOptions = [.any, .requirePositiveResponse]
}
