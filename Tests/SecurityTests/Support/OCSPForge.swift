import AirframeOpenSSL
import AirframeSecurity
import AirframeTransport
import Foundation
import Testing

/// Writes OCSP responses (RFC 6960 §4.2) that no responder would, and signs them.
struct OCSPForge {
    /// One answer.
    enum Status {
        case good
        case revoked
        case unknown

        fileprivate var encoded: [UInt8] {
            switch self {
            case .good: [0x80, 0]
            case .revoked: DERWriter.value(0xA1, OCSPForge.time(Date(timeIntervalSinceNow: -86_400)))
            case .unknown: [0x82, 0]
            }
        }
    }

    /// One answer.
    struct Single {
        var status: Status
        var digest = "1.3.14.3.2.26"
        var thisUpdate = Date(timeIntervalSinceNow: -3600)
        var nextUpdate: Date? = Date(timeIntervalSinceNow: 86_400)
        /// The identifiers of critical extensions.
        var criticalExtensions: [String] = []
        var serialNumber: [UInt8]?
    }

    let pki: PKI
    var certificate = "valid"
    var issuer = "intermediate"
    var signer = "responder"
    var singles: [Single]
    var producedAt = Date(timeIntervalSinceNow: -3600)
    var criticalExtensions: [String] = []

    init(_ pki: PKI, _ singles: Single...) {
        self.pki = pki
        self.singles = singles
    }

    /// The response in DER.
    func response() throws -> DER {
        let responder = try pki.certificate(signer)
        var data = DERWriter.value(0xA2, DERWriter.octets(Digest.sha1(try Self.keyBits(responder))))
        data += Self.time(producedAt)
        data += DERWriter.sequence(try singles.flatMap { try encoded($0) })
        if !criticalExtensions.isEmpty { data += DERWriter.value(0xA1, Self.extensions(criticalExtensions)) }
        let signed = DERWriter.sequence(data)
        // ECDSA with SHA-256.
        let algorithm = DERWriter.sequence(DERWriter.identifier("1.2.840.10045.4.3.2"))
        let certificates = DERWriter.value(0xA0, DERWriter.sequence(responder.der.bytes))
        let basic = DERWriter.sequence(signed + algorithm + DERWriter.bits(try signature(of: signed)) + certificates)
        let content = DERWriter.sequence(DERWriter.identifier("1.3.6.1.5.5.7.48.1.1") + DERWriter.octets(basic))
        return DER(DERWriter.sequence([0x0A, 1, 0] + DERWriter.value(0xA0, content)))
    }

    private func encoded(_ single: Single) throws -> [UInt8] {
        let subject = try pki.certificate(certificate)
        let issuer = try pki.certificate(issuer)
        func digest(_ bytes: [UInt8]) -> [UInt8] {
            single.digest == "1.3.14.3.2.26" ? Digest.sha1(bytes) : Digest.sha256(bytes)
        }
        let identifier = DERWriter.sequence(
            DERWriter.sequence(DERWriter.identifier(single.digest) + [5, 0])
                + DERWriter.octets(digest(issuer.subject.encoded)) + DERWriter.octets(digest(try Self.keyBits(issuer)))
                + DERWriter.value(0x02, single.serialNumber ?? subject.serialNumber)
        )
        var fields = identifier + single.status.encoded + Self.time(single.thisUpdate)
        if let end = single.nextUpdate { fields += DERWriter.value(0xA0, Self.time(end)) }
        if !single.criticalExtensions.isEmpty {
            fields += DERWriter.value(0xA1, Self.extensions(single.criticalExtensions))
        }
        return DERWriter.sequence(fields)
    }

    private static func extensions(_ identifiers: [String]) -> [UInt8] {
        DERWriter.sequence(
            identifiers.flatMap {
                DERWriter.sequence(DERWriter.identifier($0) + [0x01, 1, 0xFF] + DERWriter.octets([5, 0]))
            }
        )
    }

    fileprivate static func time(_ date: Date) -> [UInt8] {
        let digits = date.formatted(.iso8601).filter(\.isNumber)
        return DERWriter.value(0x18, Array("\(digits)Z".utf8))
    }

    /// The bits of a public key, which identifiers of keys are made of.
    private static func keyBits(_ certificate: Certificate) throws -> [UInt8] {
        var outer = DERReader(certificate.publicKey.der.bytes[...])
        var info = try outer.next(DERTag.sequence).reader
        _ = try info.next(DERTag.sequence)
        return Array(try info.next(DERTag.bitString).contents.dropFirst())
    }

    private func signature(of bytes: [UInt8]) throws -> [UInt8] {
        let name = UUID().uuidString
        try Data(bytes).write(to: URL(filePath: pki.path(name)))
        try pki.run("openssl dgst -sha256 -sign '\(signer).key' -out '\(name).sig' '\(name)'")
        return Array(try pki.data("\(name).sig"))
    }
}

/// Writes DER.
enum DERWriter {
    static func value(_ tag: UInt8, _ contents: [UInt8]) -> [UInt8] {
        let count = contents.count
        let length: [UInt8] =
            switch count {
            case ..<0x80: [UInt8(count)]
            case ..<0x100: [0x81, UInt8(count)]
            default: [0x82, UInt8(truncatingIfNeeded: count >> 8), UInt8(truncatingIfNeeded: count)]
            }
        return [tag] + length + contents
    }

    static func sequence(_ contents: [UInt8]) -> [UInt8] { value(0x30, contents) }
    static func octets(_ contents: [UInt8]) -> [UInt8] { value(0x04, contents) }
    static func bits(_ contents: [UInt8]) -> [UInt8] { value(0x03, [0] + contents) }

    static func identifier(_ text: String) -> [UInt8] {
        let arcs = text.split(separator: ".").compactMap { Int($0) }
        let first = arcs[0] * 40 + arcs[1]
        let octets = ([first] + arcs.dropFirst(2)).flatMap { arc -> [UInt8] in
            var rest = arc
            var octets = [UInt8(rest & 0x7F)]
            rest >>= 7
            while rest > 0 {
                octets.insert(UInt8(rest & 0x7F) | 0x80, at: 0)
                rest >>= 7
            }
            return octets
        }
        return value(0x06, octets)
    }
}
