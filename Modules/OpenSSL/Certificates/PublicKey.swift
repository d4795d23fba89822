public import AirframeTransport
internal import FoundationEssentials

/// A public key as in certificates, the counterpart of `SecKey` in Alamofire's API.
public struct PublicKey: Sendable, Hashable, CustomStringConvertible {
    /// The key with the name of its algorithm: a SubjectPublicKeyInfo (RFC 5280 §4.1.2.7).
    public let der: DER

    /// Reads a key from the DER of a SubjectPublicKeyInfo.
    ///
    /// - Throws: ``CertificateError`` if it is malformed.
    public init(der: DER) throws(CertificateError) {
        guard PublicKeyReference(der) != nil else { throw CertificateError("it is not a public key") }
        self.der = der
    }

    /// Reads a key from PEM text: the first `PUBLIC KEY`, or the key of the first `CERTIFICATE`.
    ///
    /// - Throws: ``CertificateError`` if there is none.
    public init(pem: String) throws(CertificateError) {
        for block in PEM.blocks(in: pem) {
            if block.label == "PUBLIC KEY" {
                try self.init(der: block.der)
                return
            }
            if block.label == "CERTIFICATE" {
                self = try Certificate(der: block.der).publicKey
                return
            }
        }
        throw CertificateError("the text holds no public key and no certificate in PEM")
    }

    package init(unchecked der: DER) { self.der = der }

    /// The SHA-256 of ``der``, as pins are written (RFC 7469 §2.4): `sha256/` and 44 characters of Base64.
    public var pin: String { "sha256/\(Data(Digest.sha256(der.bytes)).base64EncodedString())" }

    /// The kind of key, such as `RSA`, `EC` or `ED25519`.
    public var algorithm: String { PublicKeyReference(der)?.kind ?? "unknown" }

    /// The size of the key in bits.
    public var bitCount: Int { PublicKeyReference(der)?.bitCount ?? 0 }

    /// The PEM text.
    public var pem: String { PEM.text(of: der, label: "PUBLIC KEY") }

    /// `EC 256 sha256/…`.
    public var description: String { "\(algorithm) \(bitCount) \(pin)" }
}
