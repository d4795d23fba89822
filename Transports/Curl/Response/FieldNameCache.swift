internal import HTTPTypes

/// The names of fields that came lately: servers send the same ones again and again, and making one costs two strings
/// and a check of each character.
///
/// A class, because the responses of a transport share it.
final class FieldNameCache {
    private struct Entry {
        let bytes: [UInt8]
        let name: HTTPField.Name
    }

    private static let capacity = 128
    private var entries = [Entry?](repeating: nil, count: capacity)

    /// The name that `bytes` spell, or `nil` when they are not a token (RFC 9110 §5.1).
    func name(_ bytes: UnsafeBufferPointer<UInt8>) -> HTTPField.Name? {
        guard let first = bytes.first, let last = bytes.last else { return nil }
        let hash = bytes.count &* 31 &+ Int(first) &* 7 &+ Int(last) &* 3 &+ Int(bytes[bytes.count / 2])
        let slot = hash & (Self.capacity - 1)
        if let entry = entries[slot], entry.bytes.elementsEqual(bytes) { return entry.name }
        guard let name = HTTPField.Name(String(decoding: bytes, as: UTF8.self)) else { return nil }
        entries[slot] = Entry(bytes: Array(bytes), name: name)
        return name
    }
}
