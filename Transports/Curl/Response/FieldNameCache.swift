internal import AirframeTransport
internal import Glibc
internal import HTTPTypes

/// A cache of recent field names. Servers repeat them, and creating a name costs two strings and a check of each
/// character.
///
/// A class, because the responses of a transport share it. Only the holder of the loop's turn accesses it.
final class FieldNameCache {
    private struct Entry {
        let bytes: [UInt8]
        let name: HTTPField.Name
        let isSecret: Bool

        func spells(_ other: UnsafeBufferPointer<UInt8>) -> Bool {
            guard bytes.count == other.count, let address = other.baseAddress else { return false }
            return bytes.withUnsafeBufferPointer { bytes in
                bytes.baseAddress.map { memcmp($0, address, other.count) == 0 } ?? false
            }
        }
    }

    private static let capacity = 128
    @exclusivity(unchecked) private var entries = [Entry?](repeating: nil, count: capacity)

    /// Returns the name that `bytes` spell, and whether its fields carry secrets, or `nil` if they are not a token
    /// (RFC 9110 §5.1).
    func name(_ bytes: UnsafeBufferPointer<UInt8>) -> (HTTPField.Name, isSecret: Bool)? {
        guard let first = bytes.first, let last = bytes.last else { return nil }
        let hash = bytes.count &* 31 &+ Int(first) &* 7 &+ Int(last) &* 3 &+ Int(bytes[bytes.count / 2])
        let slot = hash & (Self.capacity - 1)
        if let entry = entries[slot], entry.spells(bytes) { return (entry.name, entry.isSecret) }
        guard let name = HTTPField.Name(String(decoding: bytes, as: UTF8.self)) else { return nil }
        let isSecret = RedactionPolicy.standard.isSecret(field: name)
        entries[slot] = Entry(bytes: Array(bytes), name: name, isSecret: isSecret)
        return (name, isSecret)
    }
}
