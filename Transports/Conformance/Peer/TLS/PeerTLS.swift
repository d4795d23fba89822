public import AirframeTransport

/// The TLS settings of a peer, part of a ``PeerScenario``.
public struct PeerTLS: Sendable, Hashable {
    /// The certificate of the peer. All but ``stranger`` are issued by an authority below ``TestCertificates/root``.
    public enum Certificate: String, Sendable, Hashable, CaseIterable {
        /// A valid certificate with its intermediates.
        case sound
        /// A valid certificate without its intermediates.
        case incomplete
        /// A certificate for another host.
        case otherHost
        /// An expired certificate.
        case expired
        /// A certificate of an unknown issuer.
        case stranger
    }

    /// The peer's request for a client certificate.
    public enum ClientCertificate: Sendable, Hashable {
        /// Nothing.
        case unasked
        /// The peer asks for a certificate and accepts none.
        case optional
        /// The peer requires a certificate that leads to the root.
        case required
    }

    /// The certificate of the peer.
    public var certificate: Certificate
    /// The peer's request for a client certificate.
    public var clientCertificate: ClientCertificate
    /// The oldest and the newest TLS version: 1.2 or 1.3.
    public var versions: ClosedRange<TLSVersion>
    /// The protocols that the peer accepts by ALPN (RFC 7301). With none it ignores the offer.
    public var protocols: [String]
    /// Whether the peer staples an OCSP response (RFC 6066 §8).
    public var staples: Bool
    /// Whether the second connection can resume the TLS session of the first. Such a peer accepts two connections, one
    /// after the other.
    public var resumes: Bool

    /// Creates the TLS settings of a peer.
    ///
    /// - Parameters:
    ///   - certificate: The certificate of the peer.
    ///   - clientCertificate: The peer's request for a client certificate.
    ///   - versions: The oldest and the newest TLS version: 1.2 or 1.3.
    ///   - protocols: The protocols that the peer accepts by ALPN (RFC 7301). With none it ignores the offer.
    ///   - staples: Whether the peer staples an OCSP response (RFC 6066 §8).
    ///   - resumes: Whether the second connection can resume the TLS session of the first.
    public init(
        _ certificate: Certificate = .sound,
        clientCertificate: ClientCertificate = .unasked,
        versions: ClosedRange<TLSVersion> = .tls1_2 ... .tls1_3,
        protocols: [String] = [],
        staples: Bool = false,
        resumes: Bool = false
    ) {
        self.certificate = certificate
        self.clientCertificate = clientCertificate
        self.versions = versions
        self.protocols = protocols
        self.staples = staples
        self.resumes = resumes
    }
}
