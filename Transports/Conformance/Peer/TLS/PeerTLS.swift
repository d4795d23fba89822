public import AirframeTransport

/// How a peer does TLS: part of a ``PeerScenario``.
public struct PeerTLS: Sendable, Hashable {
    /// What certificate it shows. All of them but ``stranger`` come from an authority below ``TestCertificates/root``.
    public enum Certificate: String, Sendable, Hashable, CaseIterable {
        /// One that is sound, with all that leads to the root.
        case sound
        /// The same, without what leads to the root.
        case incomplete
        /// One for another host.
        case otherHost
        /// One whose time is over.
        case expired
        /// One that nobody vouches for.
        case stranger
    }

    /// What it wants to know of the client.
    public enum ClientCertificate: Sendable, Hashable {
        /// Nothing.
        case unasked
        /// It asks for a certificate, and takes none for an answer.
        case optional
        /// It wants a certificate that leads to the root.
        case required
    }

    /// What certificate it shows.
    public var certificate: Certificate
    /// What it wants to know of the client.
    public var clientCertificate: ClientCertificate
    /// The oldest and the newest version that it speaks: TLS 1.2 or 1.3.
    public var versions: ClosedRange<TLSVersion>
    /// What it chooses from by ALPN (RFC 7301); with nothing it does not answer the offer.
    public var protocols: [String]
    /// Whether it staples an OCSP response (RFC 6066 §8).
    public var staples: Bool
    /// Whether its second connection can resume the TLS session of the first. Such a peer takes two connections, one
    /// after the other.
    public var resumes: Bool

    /// Describes a peer's TLS.
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
