package import AirframeTransport
internal import COpenSSL

/// The verdict that the chain of a server's TLS sessions is trusted. It holds for a minute at most, and never beyond
/// the instant at which the first certificate of the chain expires.
///
/// A resumed handshake has no certificates, so that the engines verify the chain of a session before they offer it.
/// That takes 12 million instructions, five times as many as the rest of a new connection (decision 112).
package struct SessionVerdict: Sendable {
    /// How long a verdict holds at most, in nanoseconds.
    private static let age: Int64 = 60_000_000_000

    private let chain: [DER]
    /// An instant of the monotonic clock, in nanoseconds.
    private let end: Int64

    /// Creates a verdict on a chain that has just been verified; `nil` if a certificate is about to expire.
    ///
    /// - Parameters:
    ///   - chain: The certificates of the session.
    ///   - now: The monotonic clock, in nanoseconds.
    package init?(trusting chain: [DER], at now: Int64) {
        guard !chain.isEmpty else { return nil }
        var rest = Self.age
        for der in chain {
            guard let certificate = CertificateReference(der),
                let expiry = CertificateText.seconds(X509_get0_notAfter(certificate.pointer))
            else { return nil }
            // OpenSSL's clock counts whole seconds. Centuries before or after now would overflow as nanoseconds.
            rest = min(rest, Int64(max(0, min(expiry - currentTime() - 1, 60))) * 1_000_000_000)
        }
        guard rest > 0 else { return nil }
        self.chain = chain
        end = now + rest
    }

    /// Returns whether `chain` is the chain of the verdict, which still holds.
    package func holds(for chain: [DER], at now: Int64) -> Bool { now < end && self.chain == chain }
}
