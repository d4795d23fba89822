public import AirframeCore
public import AirframeSecurity
public import Foundation

/// The evaluation of a host's servers, as in Alamofire 4.
@available(*, deprecated, message: "use an evaluator, such as DefaultTrustEvaluator")
public enum ServerTrustPolicy: Sendable {
    /// The chain must be valid: `DefaultTrustEvaluator`.
    case performDefaultEvaluation(validateHost: Bool)
    /// The chain must be valid and not revoked: `RevocationTrustEvaluator`. The flags are Apple's, with the values of
    /// `RevocationOptions`.
    case performRevokedEvaluation(validateHost: Bool, revocationFlags: UInt)
    /// The server must show a pinned certificate, or with a validated chain lead to one:
    /// `PinnedCertificatesTrustEvaluator`.
    case pinCertificates(certificates: [Certificate], validateCertificateChain: Bool, validateHost: Bool)
    /// The server must show a certificate with a pinned key: `PublicKeysTrustEvaluator`.
    case pinPublicKeys(publicKeys: [PublicKey], validateCertificateChain: Bool, validateHost: Bool)
    /// Every server is trusted: `DisabledTrustEvaluator`.
    case disableEvaluation
    /// A closure decides whether the server is trusted.
    case customEvaluation(@Sendable (_ serverTrust: ServerTrust, _ host: String) -> Bool)

    /// Returns the certificates of a bundle's files.
    public static func certificates(in bundle: Bundle = .main) -> [Certificate] { bundle.af.certificates }

    /// Returns the keys of the certificates of a bundle's files.
    public static func publicKeys(in bundle: Bundle = .main) -> [PublicKey] { bundle.af.publicKeys }

    fileprivate var evaluator: any ServerTrustEvaluating {
        switch self {
        case .performDefaultEvaluation(let validateHost):
            DefaultTrustEvaluator(validateHost: validateHost)
        case .performRevokedEvaluation(let validateHost, let flags):
            RevocationTrustEvaluator(validateHost: validateHost, options: RevocationOptions(rawValue: flags))
        case .pinCertificates(let certificates, let validateChain, let validateHost):
            // In Alamofire 4 the pinned certificates are the only roots, and the host is validated with the chain.
            PinnedCertificatesTrustEvaluator(
                certificates: certificates,
                acceptSelfSignedCertificates: validateChain,
                performDefaultValidation: validateChain,
                validateHost: validateChain && validateHost
            )
        case .pinPublicKeys(let keys, let validateChain, let validateHost):
            PublicKeysTrustEvaluator(
                keys: keys,
                performDefaultValidation: validateChain,
                validateHost: validateChain && validateHost
            )
        case .disableEvaluation: DisabledTrustEvaluator()
        case .customEvaluation(let isTrusted): PolicyEvaluator(isTrusted: isTrusted)
        }
    }
}

@available(*, deprecated)
extension ServerTrustManager {
    /// Creates a manager with Alamofire 4's policies. The engine evaluates hosts without a policy.
    ///
    /// - Parameter policies: The policies by host.
    public convenience init(policies: [String: ServerTrustPolicy]) {
        self.init(allHostsMustBeEvaluated: false, evaluators: policies.mapValues { $0.evaluator })
    }
}

/// The evaluator of a policy that is a closure.
private struct PolicyEvaluator: ServerTrustEvaluating {
    let isTrusted: @Sendable (ServerTrust, String) -> Bool

    func evaluate(_ trust: ServerTrust, forHost host: String) throws {
        guard isTrusted(trust, host) else { throw PolicyRefusal(host: host) }
    }
}

/// A policy's closure rejected a server.
private struct PolicyRefusal: LocalizedError {
    let host: String

    var errorDescription: String? { "the custom evaluation rejected the server of \(host)" }
}
