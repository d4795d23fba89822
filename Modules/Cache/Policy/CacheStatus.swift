/// The value of a `Cache-Status` field, which describes how a cache handled a request (RFC 9211).
public struct CacheStatus: Sendable, Hashable {
    /// The reason to send a request to the server (RFC 9211 §2.2).
    public enum Forward: String, Sendable, Hashable {
        /// The cache was configured not to handle the request.
        case bypass
        /// The method's semantics require it.
        case method
        /// Nothing is stored for the URI.
        case uriMiss = "uri-miss"
        /// The stored responses answer requests with other fields.
        case varyMiss = "vary-miss"
        /// No stored response can be used.
        case miss
        /// The request demands it.
        case request
        /// The stored response is stale.
        case stale
        /// The stored response contains a part of the requested content.
        case partial
    }

    /// The reason to send the request to the server; `nil` for a hit.
    public var forward: Forward?
    /// The server's status, if it differs from the response's (RFC 9211 §2.3).
    public var forwardStatus: Int?
    /// The remaining freshness in seconds; negative for a stale response (RFC 9211 §2.4).
    public var timeToLive: Int?
    /// Whether the response was stored (RFC 9211 §2.5).
    public var isStored = false
    /// Whether the request shared the response to another one (RFC 9211 §2.6).
    public var isCollapsed = false
    /// Details for people (RFC 9211 §2.8).
    public var detail: String?

    /// Describes a hit, or the reason to send the request to the server.
    public init(forward: Forward? = nil) { self.forward = forward }

    /// The field's value, under the cache's name.
    public func value(from cache: String) -> String {
        var text = Self.isToken(cache) ? cache : Self.quoted(cache)
        if let forward { text += "; fwd=\(forward.rawValue)" } else { text += "; hit" }
        if let forwardStatus { text += "; fwd-status=\(forwardStatus)" }
        if let timeToLive { text += "; ttl=\(timeToLive)" }
        if isStored { text += "; stored" }
        if isCollapsed { text += "; collapsed" }
        if let detail { text += "; detail=\(Self.quoted(detail))" }
        return text
    }

    private static func isToken(_ text: String) -> Bool {
        guard let first = text.utf8.first, first | 0x20 >= UInt8(ascii: "a"), first | 0x20 <= UInt8(ascii: "z") else {
            return false
        }
        return text.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || "-._*:/".utf8.contains(byte)
        }
    }

    /// A string of structured fields (RFC 8941 §3.3.3).
    private static func quoted(_ text: String) -> String {
        let printable = text.unicodeScalars.filter { (0x20...0x7E).contains($0.value) }.map(String.init).joined()
        let escaped = printable.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : "\($0)" }.joined()
        return "\"\(escaped)\""
    }
}
