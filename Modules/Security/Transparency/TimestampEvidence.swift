public import AirframeCore
internal import AirframeOpenSSL
internal import AirframeTransport
internal import Foundation

/// The timestamps that speak for a server's certificate, by the three ways on which they come (RFC 6962 §3.3): embedded
/// in it, in an extension of TLS, and in a stapled OCSP response.
///
/// The sender does not matter, because each timestamp is signed by its log.
struct TimestampEvidence {
    /// A timestamp, and the entry that its log signed.
    struct Item {
        let timestamp: SignedCertificateTimestamp
        let verification: TimestampVerification
    }

    let items: [Item]

    /// Collects the timestamps of the first certificate of `chain`. Malformed lists are ignored.
    init(_ chain: [Certificate], _ trust: ServerTrust, at date: Date) {
        guard let certificate = chain.first else {
            items = []
            return
        }
        var found: [Item] = []
        let delivered = trust.handshakeTimestamps + Self.stapled(chain, trust, at: date)
        found += delivered.map { Item(timestamp: $0, verification: TimestampVerification(of: certificate)) }
        if let issuer = chain.dropFirst().first {
            let verification = TimestampVerification(of: certificate, issuedBy: issuer)
            found += certificate.signedCertificateTimestamps.map { Item(timestamp: $0, verification: verification) }
        }
        items = found
    }

    private static func stapled(
        _ chain: [Certificate],
        _ trust: ServerTrust,
        at date: Date
    ) -> [SignedCertificateTimestamp] {
        guard let response = trust.stapledOCSPResponse, chain.count > 1,
            let answer = try? OCSPExchange(chain[0], issuer: chain[1]).read(response, time: date.wholeSeconds),
            let bytes = answer.timestamps
        else { return [] }
        return (try? ExtensionReader.timestamps.read(bytes)) ?? []
    }
}

extension ServerTrust {
    /// The timestamps that the server sent as an extension of TLS.
    fileprivate var handshakeTimestamps: [SignedCertificateTimestamp] {
        signedCertificateTimestampList.flatMap { try? SignedCertificateTimestamp.list($0[...]) } ?? []
    }

    /// The certificate timestamps that are embedded in the server's certificate or were sent in a TLS extension (RFC
    /// 6962 §3.3). Their signatures have not been verified; ``CertificateTransparencyTrustEvaluator`` verifies them.
    public var signedCertificateTimestamps: [SignedCertificateTimestamp] {
        let embedded = chain.first.flatMap { try? Certificate(der: $0) }?.signedCertificateTimestamps ?? []
        return embedded + handshakeTimestamps
    }
}
