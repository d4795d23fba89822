internal import AirframeTransport

/// The name of a certificate's subject or issuer (RFC 5280 §4.1.2.4).
public struct DistinguishedName: Sendable, Hashable, CustomStringConvertible {
    /// One part of a name.
    public struct Attribute: Sendable, Hashable {
        /// The object identifier of its type, such as `2.5.4.3`.
        public let type: String
        /// Its text.
        public let value: String
    }

    /// The parts, in the order of the certificate.
    public let attributes: [Attribute]
    /// The name in DER.
    package let encoded: [UInt8]

    package init(_ value: DERReader.Value) throws(DERError) {
        guard value.tag == DERTag.sequence else { throw DERError("a name is malformed") }
        var attributes: [Attribute] = []
        var sets = value.reader
        while !sets.isAtEnd {
            var set = try sets.next(DERTag.set).reader
            guard !set.isAtEnd else { throw DERError("a part of a name is empty") }
            while !set.isAtEnd {
                var pair = try set.next(DERTag.sequence).reader
                let type = try pair.next().objectIdentifier()
                let text = try pair.next().text
                try pair.finish()
                attributes.append(Attribute(type: type, value: text))
            }
        }
        self.attributes = attributes
        encoded = Array(value.encoded)
    }

    /// Whether there are no parts.
    public var isEmpty: Bool { attributes.isEmpty }

    /// The common name, which is not a host name (RFC 9525 §2).
    public var commonName: String? { attributes.last { $0.type == "2.5.4.3" }?.value }

    /// The organization.
    public var organization: String? { attributes.last { $0.type == "2.5.4.10" }?.value }

    /// The parts in the notation of RFC 4514, the last first: `CN=api.test, O=Example, C=DE`.
    public var description: String {
        guard !attributes.isEmpty else { return "(empty)" }
        return attributes.reversed().map { "\(Self.names[$0.type] ?? $0.type)=\(Self.escaped($0.value))" }
            .joined(separator: ", ")
    }

    private static let names = [
        "2.5.4.3": "CN", "2.5.4.5": "serialNumber", "2.5.4.6": "C", "2.5.4.7": "L", "2.5.4.8": "ST", "2.5.4.10": "O",
        "2.5.4.11": "OU", "0.9.2342.19200300.100.1.25": "DC", "1.2.840.113549.1.9.1": "emailAddress",
    ]

    /// Escapes a value, so that it cannot imitate another part or contain terminal commands.
    private static func escaped(_ value: String) -> String {
        var text = ""
        for scalar in value.unicodeScalars {
            switch scalar {
            case ",", "+", "\"", "\\", "<", ">", ";", "=": text += "\\\(scalar)"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text.printable
    }
}
