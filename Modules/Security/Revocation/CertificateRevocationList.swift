internal import AirframeOpenSSL
public import AirframeTransport
public import Foundation

/// A list of revoked certificates (RFC 5280 §5).
public struct CertificateRevocationList: Sendable, CustomStringConvertible {
    /// The bytes.
    public let der: DER
    /// The issuer's name.
    public let issuer: DistinguishedName
    /// When it was issued.
    public let thisUpdate: Date
    /// The date by which a newer list is issued; `nil` if the list has none, which OpenSSL accepts at any time.
    public let nextUpdate: Date?
    /// The list in OpenSSL's form.
    let reference: CRLReference
    /// Extensions of the list.
    let extensions: [CertificateExtension]

    /// Reads a list.
    ///
    /// - Throws: ``CertificateError`` if it is malformed.
    public init(der: DER) throws(CertificateError) {
        guard let reference = CRLReference(der) else { throw CertificateError("OpenSSL reads no CRL in it") }
        self.reference = reference
        do throws(DERError) {
            var outer = DERReader(der.bytes[...])
            var list = try outer.next(DERTag.sequence).reader
            var fields = try list.next(DERTag.sequence).reader
            _ = try fields.nextIf(DERTag.integer)
            _ = try fields.next(DERTag.sequence)
            issuer = try DistinguishedName(try fields.next())
            thisUpdate = try fields.next().date().date
            let isDated = fields.nextTag == DERTag.utcTime || fields.nextTag == DERTag.generalizedTime
            nextUpdate = isDated ? try fields.next().date().date : nil
            _ = try fields.nextIf(DERTag.sequence)
            var extensions: [CertificateExtension] = []
            if let tagged = try fields.nextIf(DERTag.constructed(0)) {
                var reader = tagged.reader
                var entries = try reader.next(DERTag.sequence).reader
                while !entries.isAtEnd { extensions.append(try CertificateExtension(try entries.next())) }
            }
            self.extensions = extensions
        } catch {
            throw CertificateError("the CRL is malformed: \(error.description)")
        }
        self.der = der
    }

    /// Returns the lists in bytes: one in DER, or any number in PEM; none if the bytes are neither.
    public static func lists(in data: Data) -> [CertificateRevocationList] {
        if let list = try? CertificateRevocationList(der: DER(Array(data))) { return [list] }
        return PEM.blocks(in: String(decoding: data, as: UTF8.self)).filter { $0.label == "X509 CRL" }
            .compactMap { try? CertificateRevocationList(der: $0.der) }
    }

    /// Returns the lists of a file.
    ///
    /// - Throws: ``CertificateError`` that names the file, if it cannot be read or contains none.
    public static func lists(inFile path: String) throws(CertificateError) -> [CertificateRevocationList] {
        let found = FileManager.default.contents(atPath: path).map { lists(in: $0) } ?? []
        guard !found.isEmpty else { throw CertificateError("the file \(path) holds no CRLs") }
        return found
    }

    /// The issuer and the dates.
    public var description: String {
        "CRL (\(issuer), from \(thisUpdate.timestamp) to \(nextUpdate?.timestamp ?? "any time"))"
    }

    /// Returns whether the key of `issuer` signed the list.
    func isSigned(by issuer: Certificate) -> Bool { reference.isSigned(by: issuer.reference) }

    /// Returns the violation of RFC 5280 §5.2.3: a number that is missing, or critical.
    var fault: String? {
        guard let number = extensions.first(where: { $0.identifier == "2.5.29.20" }) else {
            return "it has no CRL number (RFC 5280 §5.2.3)"
        }
        return number.isCritical ? "its CRL number is critical (RFC 5280 §5.2.3)" : nil
    }
}

extension CertificateRevocationList: Hashable {
    /// Compares bytes.
    public static func == (left: CertificateRevocationList, right: CertificateRevocationList) -> Bool {
        left.der == right.der
    }

    /// Hashes the bytes.
    public func hash(into hasher: inout Hasher) { hasher.combine(der) }
}
