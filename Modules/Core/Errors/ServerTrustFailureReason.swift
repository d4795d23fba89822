public import AirframeTransport

extension AFError {
    /// The reasons why a server is not trusted.
    ///
    /// Certificates and keys are in DER, so that naming a failure needs no cryptographic library; AirframeSecurity
    /// converts them to its types.
    public enum ServerTrustFailureReason: Error, Sendable {
        /// The input of an evaluation and its verdict.
        public struct Output: Sendable {
            /// The host of the connection.
            public let host: String
            /// The server's certificates and stapled response.
            public let trust: ServerTrust
            /// The cryptographic library's number for the verdict; 0 where it has none.
            public let status: Int32
            /// The result of the evaluation.
            public let result: ServerTrustResult
            /// The verdict in words: which certificate, which rule, which dates or names.
            public let reason: String

            /// Describes an evaluation.
            ///
            /// - Parameters:
            ///   - host: The host of the connection.
            ///   - trust: The server's certificates and stapled response.
            ///   - status: The cryptographic library's number for the verdict.
            ///   - result: The result of the evaluation.
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
        /// A certificate is revoked, or its status could not be determined.
        case revocationCheckFailed(output: Output, options: RevocationOptions)
        /// None of the server's certificates is pinned.
        case certificatePinningFailed(
            host: String, trust: ServerTrust, pinnedCertificates: [DER], serverCertificates: [DER])
        /// None of the server's public keys is pinned. Keys are encoded as SubjectPublicKeyInfo.
        case publicKeyPinningFailed(host: String, trust: ServerTrust, pinnedKeys: [DER], serverKeys: [DER])
        /// A custom evaluator threw an error.
        case customEvaluationFailed(error: any Error)

        /// The rule that was broken: the reason beneath ``trustEvaluationFailed(error:)``, or this one.
        public var cause: ServerTrustFailureReason {
            guard case .trustEvaluationFailed(let error as ServerTrustFailureReason) = self else { return self }
            return error.cause
        }
    }

    /// Returns the error of a failed evaluation, as Alamofire's evaluators throw it.
    package static func evaluationFailed(_ cause: ServerTrustFailureReason) -> AFError {
        .serverTrustEvaluationFailed(reason: .trustEvaluationFailed(error: cause))
    }
}
