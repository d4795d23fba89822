internal import AirframeOpenSSL
internal import AirframeTransport

/// Verifies the signature of a log on a timestamp for a certificate (RFC 6962 §3.2).
struct TimestampVerification {
    private let certificate: Certificate
    /// For timestamps that are embedded in the certificate; `nil` for those that are sent separately.
    private let issuer: Certificate?

    /// Of timestamps that are embedded: the log has seen the certificate before it was issued.
    init(of certificate: Certificate, issuedBy issuer: Certificate) {
        self.certificate = certificate
        self.issuer = issuer
    }

    /// Of timestamps that are sent separately from the certificate: the log has seen it as it is.
    init(of certificate: Certificate) {
        self.certificate = certificate
        issuer = nil
    }

    func isValid(_ timestamp: SignedCertificateTimestamp, by log: TransparencyLog) -> Bool {
        // Logs may use SHA-256 with RSA or ECDSA (RFC 6962 §2.1.4).
        guard timestamp.logID == log.identifier, timestamp.algorithm.hash == 4,
            timestamp.algorithm.signature == 1 || timestamp.algorithm.signature == 3,
            let signed = try? signedBytes(timestamp), let key = PublicKeyReference(log.key.der)
        else { return false }
        return key.verifies(timestamp.signature, over: signed)
    }

    /// Returns the bytes that the log signed: for embedded timestamps, the certificate without them.
    private func signedBytes(_ timestamp: SignedCertificateTimestamp) throws(DERError) -> [UInt8] {
        var bytes: [UInt8] = [0, 0]  // version 1; a certificate's timestamp
        bytes += Self.number(timestamp.milliseconds, octets: 8)
        let entry: [UInt8]
        if let issuer {
            entry = try Self.withoutTimestamps(certificate.parsed.signedBytes)
            bytes += [0, 1]  // an entry before issuance
            bytes += issuer.publicKey.digest
        } else {
            entry = certificate.der.bytes
            bytes += [0, 0]  // an entry of what was issued
        }
        bytes += Self.number(UInt64(entry.count), octets: 3) + entry
        bytes += Self.number(UInt64(timestamp.extensions.count), octets: 2) + timestamp.extensions
        return bytes
    }

    private static func withoutTimestamps(_ signed: [UInt8]) throws(DERError) -> [UInt8] {
        var outer = DERReader(signed[...])
        var fields = try outer.next(DERTag.sequence).reader
        var kept: [UInt8] = []
        while !fields.isAtEnd {
            let field = try fields.next()
            guard field.tag == DERTag.constructed(3) else {
                kept += field.encoded
                continue
            }
            var tagged = field.reader
            var list = try tagged.next(DERTag.sequence).reader
            var extensions: [UInt8] = []
            while !list.isAtEnd {
                let value = try list.next(DERTag.sequence)
                guard try CertificateExtension(value).identifier != ExtensionReader.timestamps.identifier else {
                    continue
                }
                extensions += value.encoded
            }
            kept += encode(DERTag.constructed(3), encode(DERTag.sequence, extensions))
        }
        return encode(DERTag.sequence, kept)
    }

    private static func encode(_ tag: UInt8, _ contents: [UInt8]) -> [UInt8] {
        guard contents.count >= 0x80 else { return [tag, UInt8(contents.count)] + contents }
        let length = number(UInt64(contents.count), octets: 8).drop { $0 == 0 }
        return [tag, 0x80 | UInt8(length.count)] + length + contents
    }

    private static func number(_ value: UInt64, octets: Int) -> [UInt8] {
        (0..<octets).reversed().map { UInt8(truncatingIfNeeded: value >> UInt64($0 * 8)) }
    }
}

extension PublicKey {
    /// The SHA-256 of the key with the name of its algorithm.
    var digest: [UInt8] { Digest.sha256(der.bytes) }
}
