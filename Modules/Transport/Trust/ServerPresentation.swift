/// The evidence that a server presents in a TLS handshake.
///
/// A struct, so that new kinds of evidence do not change the signature of every evaluator.
public struct ServerPresentation: Sendable, Hashable {
    /// The certificates as the server sent them, its own first.
    public var chain: [DER]
    /// The host that the request names, without brackets.
    public var host: String
    /// The port.
    public var port: Int
    /// The OCSP response that the server stapled (RFC 6066 §8).
    public var stapledOCSPResponse: DER?
    /// The encoded `SignedCertificateTimestampList` of the server's TLS extension (RFC 6962 §3.3.1).
    public var signedCertificateTimestamps: [UInt8]?

    /// Describes a server.
    ///
    /// - Parameters:
    ///   - chain: The certificates as the server sent them, its own first.
    ///   - host: The host that the request names, without brackets.
    ///   - port: The port.
    ///   - stapledOCSPResponse: The OCSP response that the server stapled, in DER.
    ///   - signedCertificateTimestamps: The list of timestamps that the server sent as an extension of TLS.
    public init(
        chain: [DER],
        host: String,
        port: Int,
        stapledOCSPResponse: DER? = nil,
        signedCertificateTimestamps: [UInt8]? = nil
    ) {
        self.chain = chain
        self.host = host
        self.port = port
        self.stapledOCSPResponse = stapledOCSPResponse
        self.signedCertificateTimestamps = signedCertificateTimestamps
    }
}
