internal import HTTPTypes

/// Field names that servers send often, ready made in lower case.
///
/// A name of more than 15 bytes needs memory, and its canonical form more.
struct HTTP2FieldNames: Sendable {
    static let shared = HTTP2FieldNames()

    private static let size = 512
    private var slots: [HTTPField.Name?]

    private init() {
        var slots = [HTTPField.Name?](repeating: nil, count: Self.size)
        for text in Self.common {
            guard let name = HTTPField.Name(text) else { continue }
            var bytes = text
            var slot = bytes.withUTF8 { Self.hash($0) }
            while slots[slot] != nil { slot = (slot + 1) % Self.size }
            slots[slot] = name
        }
        self.slots = slots
    }

    /// Returns the name that `bytes` spell, if it is a common one.
    func find(_ bytes: UnsafeBufferPointer<UInt8>) -> HTTPField.Name? {
        guard !bytes.isEmpty else { return nil }
        var slot = Self.hash(bytes)
        while let name = slots[slot] {
            if name.rawName.utf8.elementsEqual(bytes) { return name }
            slot = (slot + 1) % Self.size
        }
        return nil
    }

    private static func hash(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
        var hash = UInt32(truncatingIfNeeded: bytes.count) &* 31
        for byte in bytes { hash = (hash ^ UInt32(byte)) &* 0x0100_0193 }
        return Int((hash ^ (hash >> 15)) % UInt32(size))
    }

    private static let common = [
        "accept-ranges", "access-control-allow-credentials", "access-control-allow-headers",
        "access-control-allow-methods", "access-control-allow-origin", "access-control-expose-headers",
        "access-control-max-age", "age", "allow", "alt-svc", "cache-control", "cf-cache-status", "cf-ray",
        "content-disposition", "content-encoding", "content-language", "content-length", "content-location",
        "content-range", "content-security-policy", "content-type", "cross-origin-opener-policy",
        "cross-origin-resource-policy", "date", "etag", "expect-ct", "expires", "grpc-message", "grpc-status",
        "last-modified", "link", "location", "nel", "permissions-policy", "pragma", "priority", "referrer-policy",
        "report-to", "retry-after", "server", "server-timing", "set-cookie", "strict-transport-security", "trailer",
        "vary", "via", "www-authenticate", "x-cache", "x-cache-hits", "x-content-type-options", "x-frame-options",
        "x-powered-by", "x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset", "x-request-id",
        "x-served-by", "x-timer", "x-xss-protection",
    ]
}
