public import AirframeTransport
public import FoundationEssentials

/// An X.509 certificate (RFC 5280 §4), the counterpart of `SecCertificate` in Alamofire's API.
///
/// ```swift
/// import AirframeSecurity
///
/// func show(_ pem: String) throws {
///     let certificate = try Certificate(pem: pem)
///     print(certificate.subject, certificate.notAfter, certificate.publicKey.pin)
/// }
/// ```
///
/// Two certificates are equal if their bytes are.
public struct Certificate: Sendable {
    /// The bytes.
    public let der: DER
    // One reference, so that copying a certificate retains one object.
    private let content: CertificateContent
    /// The certificate in OpenSSL's form.
    package let reference: CertificateReference

    /// Reads a certificate.
    ///
    /// - Throws: ``CertificateError`` if the bytes are not strict DER, or OpenSSL refuses them.
    public init(der: DER) throws(CertificateError) {
        guard let reference = CertificateReference(der) else {
            throw CertificateError("OpenSSL reads no certificate in it")
        }
        self.reference = reference
        do {
            content = try CertificateContent(der)
        } catch {
            throw CertificateError(error.description)
        }
        self.der = der
    }

    /// Reads the first certificate of a PEM text.
    ///
    /// - Throws: ``CertificateError`` if there is none.
    public init(pem: String) throws(CertificateError) {
        guard let block = PEM.blocks(in: pem).first(where: { Self.labels.contains($0.label) }) else {
            throw CertificateError("the text holds no certificate in PEM")
        }
        try self.init(der: block.der)
    }

    package static let labels: Set<String> = ["CERTIFICATE", "X509 CERTIFICATE", "TRUSTED CERTIFICATE"]

    /// The PEM text (RFC 7468 §5).
    public var pem: String { PEM.text(of: der, label: "CERTIFICATE") }

    /// The bytes as `Data`.
    public var data: Data { Data(der.bytes) }

    // MARK: Fields

    /// The version: 3 for all that have extensions.
    public var version: Int { content.version }
    /// The serial number's bytes, the highest first.
    public var serialNumber: [UInt8] { content.serialNumber }
    /// The subject's name.
    public var subject: DistinguishedName { content.subject }
    /// The issuer's name.
    public var issuer: DistinguishedName { content.issuer }
    /// The first instant of its validity.
    public var notBefore: Date { content.notBefore.date }
    /// The last instant of its validity.
    public var notAfter: Date { content.notAfter.date }
    /// The subject's public key.
    public var publicKey: PublicKey { PublicKey(unchecked: content.publicKey) }
    /// The object identifier of the signature's algorithm.
    public var signatureAlgorithm: String { content.signatureAlgorithm }
    /// The extensions, in the certificate's order.
    public var extensions: [CertificateExtension] { content.extensions }

    /// The SHA-256 of the bytes, in hexadecimal.
    public var fingerprint: String { Digest.sha256(der.bytes).hexadecimal }

    /// Whether subject and issuer are the same (RFC 5280 §3.2).
    public var isSelfIssued: Bool { subject.encoded == issuer.encoded }

    /// The fields without public properties.
    package var parsed: CertificateContent { content }

    /// Returns the certificates before the first malformed one, so that each has the position that it has in `chain`.
    ///
    /// The handshake proves that the server has the key of its first certificate. A list from which malformed
    /// certificates were removed could begin with a certificate of another server.
    package static func leading(in chain: some Sequence<DER>) -> [Certificate] {
        var certificates: [Certificate] = []
        for der in chain {
            guard let certificate = try? Certificate(der: der) else { break }
            certificates.append(certificate)
        }
        return certificates
    }
}

extension Certificate: Hashable {
    /// Compares bytes.
    public static func == (left: Certificate, right: Certificate) -> Bool { left.der == right.der }

    /// Hashes the bytes.
    public func hash(into hasher: inout Hasher) { hasher.combine(der) }
}

extension Certificate: CustomStringConvertible {
    /// The subject, or the alternative names if there is none, and the end of the validity.
    public var description: String {
        let name = subject.isEmpty ? subjectAlternativeNames.map(\.description).joined(separator: ", ") : "\(subject)"
        return "Certificate (\(name), valid until \(notAfter.timestamp))"
    }
}

/// The error of bytes or text without a valid certificate, key or identity.
public struct CertificateError: Error, Sendable, Hashable, CustomStringConvertible, LocalizedError {
    /// The reason, without a full stop.
    public let description: String

    /// Creates an error.
    public init(_ description: String) { self.description = description }

    /// The same text as ``description``.
    public var errorDescription: String? { description }
}

extension Sequence<UInt8> {
    /// Two digits a byte, in lower case.
    package var hexadecimal: String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}

extension Date {
    /// The whole seconds since 1970, clamped to the calendar's range.
    package var wholeSeconds: Int {
        Int(exactly: timeIntervalSince1970.rounded(.down)) ?? (self < .distantPast ? .min : .max)
    }

    /// `2026-01-31 12:00:00 UTC`.
    package var timestamp: String {
        let style = Date.ISO8601FormatStyle(dateTimeSeparator: .space)
        return formatted(style).replacing("Z", with: " UTC")
    }
}
