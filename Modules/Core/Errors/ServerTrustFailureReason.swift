public import AirframeTransport

extension AFError {
    /// Why a server is not trusted.
    ///
    /// Certificates and keys are held in DER, so that naming a failure needs no cryptographic library;
    /// AirframeSecurity turns them into its types.
    public enum ServerTrustFailureReason: Error, Sendable {
        /// What an evaluation looked at, and its verdict.
        public struct Output: Sendable, Hashable {
            /// The host that was meant.
            public let host: String
            /// The certificates that the server sent, its own first.
            public let chain: [DER]
            /// The verdict in the cryptographic library's words.
            public let reason: String

            /// Describes an evaluation.
            public init(host: String, chain: [DER], reason: String) {
                self.host = host
                self.chain = chain
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
        case policyApplicationFailed(chain: [DER], policy: String, reason: String)
        /// The anchors could not be set.
        case settingAnchorCertificatesFailed(reason: String, certificates: [DER])
        /// The policy for a revocation check could not be made.
        case revocationPolicyCreationFailed
        /// The evaluation of the chain failed.
        case trustEvaluationFailed(error: (any Error)?)
        /// The chain does not lead to a trusted root, or one of its certificates is not valid.
        case defaultEvaluationFailed(output: Output)
        /// The certificate is not for this host.
        case hostValidationFailed(output: Output)
        /// A certificate is revoked, or whether it is could not be found out; the options' raw value tells what was
        /// asked for.
        case revocationCheckFailed(output: Output, options: UInt)
        /// The server's certificates are none of the pinned ones.
        case certificatePinningFailed(host: String, pinnedCertificates: [DER], serverCertificates: [DER])
        /// The server's public keys are none of the pinned ones. Keys are in the form of SubjectPublicKeyInfo.
        case publicKeyPinningFailed(host: String, pinnedKeys: [DER], serverKeys: [DER])
        /// An evaluator of the user's threw.
        case customEvaluationFailed(error: any Error)
    }
}
