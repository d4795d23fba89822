internal import Glibc
internal import HTTPTypes

/// A table of common response field names, with those that have a meaning to HTTP/2.
///
/// Creating a name of more than 15 bytes allocates, once for the name and once for its canonical form.
struct HTTP2FieldNames: Sendable {
    /// The meaning of a field to the framing of its message.
    enum Role: Sendable {
        case none
        case contentLength
        /// The field belongs to a connection of HTTP/1.1 (RFC 9113 §8.2.2).
        case connectionSpecific
    }

    /// A name in the table.
    struct Entry: Sendable {
        let name: HTTPField.Name
        let role: Role
    }

    static let shared = HTTP2FieldNames()

    private static let size = 512
    // Parallel arrays, so that a lookup counts no references before it has found the name.
    private var texts: [StaticString?]
    private var entries: [Entry?]

    private init() {
        texts = [StaticString?](repeating: nil, count: Self.size)
        entries = [Entry?](repeating: nil, count: Self.size)
        for text in Self.common { insert(text, .none) }
        for text in Self.connectionSpecific { insert(text, .connectionSpecific) }
        insert("content-length", .contentLength)
    }

    private mutating func insert(_ text: StaticString, _ role: Role) {
        guard let name = HTTPField.Name("\(text)") else { return }
        var slot = Self.hash(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
        while texts[slot] != nil { slot = (slot + 1) % Self.size }
        texts[slot] = text
        entries[slot] = Entry(name: name, role: role)
    }

    /// Returns the entry of the name equal to `bytes`, if the table contains it.
    func find(_ bytes: UnsafeBufferPointer<UInt8>) -> Entry? {
        guard let start = bytes.baseAddress, !bytes.isEmpty else { return nil }
        var slot = Self.hash(bytes)
        while let text = texts[slot] {
            if text.utf8CodeUnitCount == bytes.count, memcmp(text.utf8Start, start, bytes.count) == 0 {
                return entries[slot]
            }
            slot = (slot + 1) % Self.size
        }
        return nil
    }

    private static func hash(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
        var hash = UInt32(truncatingIfNeeded: bytes.count) &* 31
        for byte in bytes { hash = (hash ^ UInt32(byte)) &* 0x0100_0193 }
        return Int((hash ^ (hash >> 15)) % UInt32(size))
    }

    private static let connectionSpecific: [StaticString] = [
        "connection", "keep-alive", "proxy-connection", "te", "transfer-encoding", "upgrade",
    ]

    private static let common: [StaticString] = [
        "accept-ranges", "access-control-allow-credentials", "access-control-allow-headers",
        "access-control-allow-methods", "access-control-allow-origin", "access-control-expose-headers",
        "access-control-max-age", "age", "allow", "alt-svc", "cache-control", "cf-cache-status", "cf-ray",
        "content-disposition", "content-encoding", "content-language", "content-location",
        "content-range", "content-security-policy", "content-type", "cross-origin-opener-policy",
        "cross-origin-resource-policy", "date", "etag", "expect-ct", "expires", "grpc-message", "grpc-status",
        "last-modified", "link", "location", "nel", "permissions-policy", "pragma", "priority", "referrer-policy",
        "report-to", "retry-after", "server", "server-timing", "set-cookie", "strict-transport-security", "trailer",
        "vary", "via", "www-authenticate", "x-cache", "x-cache-hits", "x-content-type-options", "x-frame-options",
        "x-powered-by", "x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset", "x-request-id",
        "x-served-by", "x-timer", "x-xss-protection",
    ]
}
