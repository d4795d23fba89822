internal import AirframeTransport

/// A name in a certificate's extensions (RFC 5280 §4.2.1.6).
public enum GeneralName: Sendable, Hashable, CustomStringConvertible {
    /// A DNS name, as it is written.
    case dns(String)
    /// An IP address: 4 or 16 bytes; in a constraint, followed by as many bytes of mask.
    case ipAddress([UInt8])
    /// A URI.
    case uri(String)
    /// A mailbox.
    case email(String)
    /// A directory's name.
    case directory(DistinguishedName)
    /// A name of another kind, by the number of its tag (RFC 5280 §4.2.1.6: `otherName` is 0).
    case other(tag: Int)

    package init(_ value: DERReader.Value) throws(DERError) {
        switch value.tag {
        case DERTag.context(1): self = .email(try Self.ascii(value))
        case DERTag.context(2): self = .dns(try Self.ascii(value))
        case DERTag.context(6): self = .uri(try Self.ascii(value))
        case DERTag.context(7): self = .ipAddress(Array(value.contents))
        case DERTag.constructed(4):
            var reader = value.reader
            self = .directory(try DistinguishedName(try reader.next()))
            try reader.finish()
        case 0x80...0xBF where value.tag & 0x1F <= 8: self = .other(tag: Int(value.tag & 0x1F))
        default: throw DERError("a name has the unknown identifier \(value.tag)")
        }
    }

    /// These are IA5Strings: other bytes make them malformed.
    private static func ascii(_ value: DERReader.Value) throws(DERError) -> String {
        guard value.contents.allSatisfy({ $0 < 0x80 }) else { throw DERError("a name has bytes outside ASCII") }
        return String(decoding: value.contents, as: UTF8.self)
    }

    /// The names of a `GeneralNames`.
    package static func list(_ reader: DERReader) throws(DERError) -> [GeneralName] {
        var reader = reader
        var names: [GeneralName] = []
        while !reader.isAtEnd { names.append(try GeneralName(try reader.next())) }
        return names
    }

    /// `DNS:api.test`, `IP:127.0.0.1`, `URI:…`.
    public var description: String {
        switch self {
        case .dns(let name): "DNS:\(Self.shown(name))"
        case .ipAddress(let bytes): "IP:\(AddressText.text(bytes) ?? "\(bytes.count) bytes")"
        case .uri(let uri): "URI:\(Self.shown(uri))"
        case .email(let mailbox): "email:\(Self.shown(mailbox))"
        case .directory(let name): "DirName:\(name)"
        case .other(let tag): "name of kind \(tag)"
        }
    }

    /// Quotes, backslashes and control characters as escapes.
    private static func shown(_ text: String) -> String {
        String(text.debugDescription.dropFirst().dropLast()).printable
    }
}
