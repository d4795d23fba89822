internal import HTTPTypes
internal import Synchronization

/// Field names that layers ask every message for.
package enum WellKnownField: UInt8, CaseIterable, Sendable {
    /// `Accept-Encoding` (RFC 9110 §12.5.3).
    case acceptEncoding = 0x01
    /// `Authorization` (RFC 9110 §11.6.2).
    case authorization = 0x02
    /// `Content-Encoding` (RFC 9110 §8.4).
    case contentEncoding = 0x04
    /// `Range` (RFC 9110 §14.2).
    case range = 0x08
    /// `Set-Cookie` (RFC 6265).
    case setCookie = 0x10
    /// `Strict-Transport-Security` (RFC 6797).
    case strictTransportSecurity = 0x20
    /// `Host` (RFC 9110 §7.2).
    case host = 0x40

    private static let hostName = HTTPField.Name("Host")

    /// The field's name.
    fileprivate var name: HTTPField.Name? {
        switch self {
        case .acceptEncoding: .acceptEncoding
        case .authorization: .authorization
        case .contentEncoding: .contentEncoding
        case .range: .range
        case .setCookie: .setCookie
        case .strictTransportSecurity: .strictTransportSecurity
        case .host: Self.hostName
        }
    }

    /// Returns the only well-known field whose name has this length in bytes.
    fileprivate init?(nameLength: Int) {
        switch nameLength {
        case 4: self = .host
        case 5: self = .range
        case 10: self = .setCookie
        case 13: self = .authorization
        case 15: self = .acceptEncoding
        case 16: self = .contentEncoding
        case 25: self = .strictTransportSecurity
        default: return nil
        }
    }
}

/// The well-known fields of a head, determined in one pass when a layer first asks. A head is shared by the requests
/// for a URL or the responses of a connection, and five layers ask for a field each, which took 130 instructions per
/// layer.
struct FieldPresence: ~Copyable, Sendable {
    private static let determined: UInt8 = 0x80

    private let bits: Atomic<UInt8>

    /// Creates an undetermined set.
    init() { bits = Atomic(0) }

    /// Copies a set.
    init(_ other: borrowing FieldPresence) { bits = Atomic(other.bits.load(ordering: .relaxed)) }

    /// Returns whether `fields`, which must be the same in all calls, has the field.
    func has(_ field: WellKnownField, in fields: @autoclosure () -> HTTPFields) -> Bool {
        var known = bits.load(ordering: .relaxed)
        if known == 0 {
            known = Self.bits(of: fields())
            bits.store(known, ordering: .relaxed)
        }
        return known & field.rawValue != 0
    }

    /// Forgets the fields, before they change.
    func reset() { bits.store(0, ordering: .relaxed) }

    private static func bits(of fields: HTTPFields) -> UInt8 {
        var bits = determined
        for field in fields {
            let name = field.name.canonicalName
            guard let known = WellKnownField(nameLength: name.utf8.count), known.name?.canonicalName == name else {
                continue
            }
            bits |= known.rawValue
        }
        return bits
    }
}
