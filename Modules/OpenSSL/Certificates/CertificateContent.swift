package import AirframeTransport
package import FoundationEssentials

/// The fields of a certificate, read once.
package final class CertificateContent: Sendable {
    package typealias Moment = (date: Date, isCanonical: Bool)

    package let version: Int
    package let serialNumber: [UInt8]
    /// The algorithm named in the signed part and in the signature, which must be the same (RFC 5280 §4.1.1.2).
    package let innerAlgorithm: [UInt8]
    package let outerAlgorithm: [UInt8]
    package let signatureAlgorithm: String
    package let issuer: DistinguishedName
    package let subject: DistinguishedName
    package let notBefore: Moment
    package let notAfter: Moment
    package let publicKey: DER
    package let extensions: [CertificateExtension]
    /// The signed part.
    package let signedBytes: [UInt8]

    package init(_ der: DER) throws(DERError) {
        var outer = DERReader(der.bytes[...])
        var certificate = try outer.next(DERTag.sequence).reader
        try outer.finish()
        let signed = try certificate.next(DERTag.sequence)
        let algorithm = try certificate.next(DERTag.sequence)
        _ = try certificate.next(DERTag.bitString)
        try certificate.finish()
        signedBytes = Array(signed.encoded)
        outerAlgorithm = Array(algorithm.encoded)
        var names = algorithm.reader
        signatureAlgorithm = try names.next().objectIdentifier()

        var fields = signed.reader
        if let tagged = try fields.nextIf(DERTag.constructed(0)) {
            var reader = tagged.reader
            version = try reader.next(DERTag.integer).integer() + 1
            try reader.finish()
        } else {
            version = 1
        }
        serialNumber = Array(try fields.next(DERTag.integer).contents)
        innerAlgorithm = Array(try fields.next(DERTag.sequence).encoded)
        issuer = try DistinguishedName(try fields.next())
        var validity = try fields.next(DERTag.sequence).reader
        notBefore = try validity.next().date()
        notAfter = try validity.next().date()
        try validity.finish()
        subject = try DistinguishedName(try fields.next())
        publicKey = DER(Array(try fields.next(DERTag.sequence).encoded))
        // The unique identifiers of version 2, which are obsolete.
        _ = try fields.nextIf(DERTag.context(1))
        _ = try fields.nextIf(DERTag.context(2))
        var extensions: [CertificateExtension] = []
        if let tagged = try fields.nextIf(DERTag.constructed(3)) {
            var reader = tagged.reader
            var list = try reader.next(DERTag.sequence).reader
            try reader.finish()
            while !list.isAtEnd { extensions.append(try CertificateExtension(try list.next(DERTag.sequence))) }
        }
        try fields.finish()
        self.extensions = extensions
    }
}

/// An extension of a certificate (RFC 5280 §4.2), unread.
public struct CertificateExtension: Sendable, Hashable {
    /// Its object identifier, such as `2.5.29.17`.
    public let identifier: String
    /// Whether a recipient that does not support the extension must refuse the certificate.
    public let isCritical: Bool
    /// Its value in DER.
    public let value: [UInt8]

    package init(_ encoded: DERReader.Value) throws(DERError) {
        var reader = encoded.reader
        identifier = try reader.next().objectIdentifier()
        isCritical = try reader.nextIf(DERTag.boolean)?.boolean() ?? false
        value = Array(try reader.next(DERTag.octetString).contents)
        try reader.finish()
    }
}
