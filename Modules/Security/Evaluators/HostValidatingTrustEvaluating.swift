internal import AirframeCore

/// An evaluator that can validate the chain and the host besides its own requirements.
protocol HostValidatingTrustEvaluating: ServerTrustEvaluating {
    /// Whether the chain is valid, and valid for the host, if the evaluator returns or throws an error about pinning,
    /// transparency or revocation.
    var validateHost: Bool { get }
}

extension CertificateTransparencyTrustEvaluator: HostValidatingTrustEvaluating {}
extension DefaultTrustEvaluator: HostValidatingTrustEvaluating {}
extension PinnedCertificatesTrustEvaluator: HostValidatingTrustEvaluating {}
extension PinSetTrustEvaluator: HostValidatingTrustEvaluating {}
extension PublicKeysTrustEvaluator: HostValidatingTrustEvaluating {}
extension RevocationTrustEvaluator: HostValidatingTrustEvaluating {}
extension TrustOnFirstUseEvaluator: HostValidatingTrustEvaluating {}

extension ServerTrustEvaluating {
    /// The property of an evaluator of this module; `false` for other evaluators, which may validate nothing.
    var isHostValidated: Bool { (self as? any HostValidatingTrustEvaluating)?.validateHost ?? false }
}
