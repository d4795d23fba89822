public import AirframeTransport

extension AFError {
    /// Why a server is not trusted.
    ///
    /// Certificates and keys are held in DER, so that naming a failure needs no cryptographic library;
    /// AirframeSecurity turns them into its types.
    public enum ServerTrustFailureReason: Error, Sendable {
        /// What an evaluation looked at, and its verdict.
        public struct Output: Sendable {
            /// The host that was meant.
            public let host: String
            /// What the server showed.
            public let trust: ServerTrust
            /// The cryptographic library's number for the verdict; 0 where it has none.
            public let status: Int32
            /// How the evaluation ended.
            public let result: ServerTrustResult
            /// The verdict in words: which certificate, which rule, which dates or names.
            public let reason: String

            /// Describes an evaluation.
            ///
            /// - Parameters:
            ///   - host: The host that was meant.
            ///   - trust: What the server showed.
            ///   - status: The cryptographic library's number for the verdict.
            ///   - result: How the evaluation ended.
            ///   - reason: The verdict in words, without a full stop.
            public init(
                host: String,
                trust: ServerTrust,
                status: Int32,
                result: ServerTrustResult,
                reason: String = "the chain was refused"
            ) {
                self.host = host
                self.trust = trust
                self.status = status
                self.result = result
                self.reason = reason
            }
        }

        /// No evaluator is set for the host, and the session's manager demands one for every host.
        case noRequiredEvaluator(host: String)
        /// There is no certificate to pin to.
        case noCertificatesFound
        /// There is no public key to pin to.
        case noPublicKeysFound
        /// A policy could not be applied to the chain.
        case policyApplicationFailed(trust: ServerTrust, policy: ServerTrustPolicy, status: Int32)
        /// The anchors could not be set.
        case settingAnchorCertificatesFailed(status: Int32, certificates: [DER])
        /// The policy for a revocation check could not be made.
        case revocationPolicyCreationFailed
        /// The evaluation of the chain failed. The evaluators of AirframeSecurity throw it with the rule that was
        /// broken beneath: see ``cause``.
        case trustEvaluationFailed(error: (any Error)?)
        /// The chain does not lead to a trusted root, or one of its certificates is not valid.
        case defaultEvaluationFailed(output: Output)
        /// The certificate is not for this host.
        case hostValidationFailed(output: Output)
        /// A certificate is revoked, or whether it is could not be found out.
        case revocationCheckFailed(output: Output, options: RevocationOptions)
        /// The server's certificates are none of the pinned ones.
        case certificatePinningFailed(
            host: String, trust: ServerTrust, pinnedCertificates: [DER], serverCertificates: [DER])
        /// The server's public keys are none of the pinned ones. Keys are in the form of SubjectPublicKeyInfo.
        case publicKeyPinningFailed(host: String, trust: ServerTrust, pinnedKeys: [DER], serverKeys: [DER])
        /// An evaluator of the user's threw.
        case customEvaluationFailed(error: any Error)

        /// The rule that was broken: the reason beneath ``trustEvaluationFailed(error:)``, or this one.
        public var cause: ServerTrustFailureReason {
            guard case .trustEvaluationFailed(let error as ServerTrustFailureReason) = self else { return self }
            return error.cause
        }
    }

    /// The error of an evaluation that broke a rule, as Alamofire's evaluators throw it.
    package static func evaluationFailed(_ cause: ServerTrustFailureReason) -> AFError {
        .serverTrustEvaluationFailed(reason: .trustEvaluationFailed(error: cause))
    }
}
