internal import AirframeTransport
internal import HTTPTypes

/// The role of a field in the framing of its message.
enum HTTP1FieldRole: UInt8, Sendable {
    case none
    case contentLength
    case transferEncoding
    case connection
    /// The field carries a secret, so that its head is not remembered.
    case confidential

    init(_ name: HTTPField.Name) {
        switch name.canonicalName {
        case "content-length": self = .contentLength
        case "transfer-encoding": self = .transferEncoding
        case "connection": self = .connection
        default: self = RedactionPolicy.standard.isSecret(field: name) ? .confidential : .none
        }
    }
}

/// A table of common response field names.
///
/// Creating a name of more than 15 bytes allocates, once for the name and once for its canonical form. The table has
/// each name in its usual spelling and in lower case; names in other spellings are created.
struct HTTP1FieldNames: Sendable {
    static let shared = HTTP1FieldNames()

    /// The length of the longest name in the table: four words.
    private static let longest = 32

    /// A name's bytes, the first in the low bits, padded with zeros.
    private typealias Words = SIMD4<UInt64>

    // Parallel arrays, so that a lookup accesses no string before it has found the name. A slot of zeros is free.
    private var words: [Words]
    private var names: [HTTPField.Name]
    private var roles: [HTTP1FieldRole]
    private let mask: Int

    private init() {
        // The table is at most an eighth full, so that most misses need one probe.
        let size = 1024
        mask = size - 1
        words = Array(repeating: Words(), count: size)
        names = Array(repeating: .date, count: size)
        roles = Array(repeating: .none, count: size)
        for name in Self.common {
            let role = HTTP1FieldRole(name)
            // Names made of literals are not reference-counted.
            for name in [name, HTTPField.Name(name.canonicalName) ?? name] {
                let bytes = Array(name.rawName.utf8)
                guard bytes.count <= Self.longest else { continue }
                let spelling = Self.words(bytes.span.bytes, length: bytes.count)
                var slot = Self.slot(spelling, mask)
                while words[slot] != Words(), words[slot] != spelling { slot = (slot + 1) & mask }
                words[slot] = spelling
                names[slot] = name
                roles[slot] = role
            }
        }
    }

    /// Returns the field name equal to the first `length` bytes of `line`, if the table contains it.
    @inline(__always)
    func find(_ line: RawSpan, length: Int) -> (HTTPField.Name, HTTP1FieldRole)? {
        guard length > 0, length <= Self.longest else { return nil }
        let spelling = Self.words(line, length: length)
        var slot = Self.slot(spelling, mask)
        while words[slot] != Words() {
            if words[slot] == spelling { return (names[slot], roles[slot]) }
            slot = (slot + 1) & mask
        }
        return nil
    }

    @inline(__always)
    private static func words(_ line: RawSpan, length: Int) -> Words {
        Words(
            line.word(at: 0, count: length),
            length > 8 ? line.word(at: 8, count: length - 8) : 0,
            length > 16 ? line.word(at: 16, count: length - 16) : 0,
            length > 24 ? line.word(at: 24, count: length - 24) : 0
        )
    }

    @inline(__always)
    private static func slot(_ words: Words, _ mask: Int) -> Int {
        var hash = words[0] &* 0x9E37_79B9_7F4A_7C15
        hash = (hash ^ words[1]) &* 0xC2B2_AE3D_27D4_EB4F
        hash = (hash ^ words[2] ^ words[3] &* 31) &* 0x1656_67B1_9E37_79F9
        return Int(truncatingIfNeeded: hash >> 40) & mask
    }

    private static let common: [HTTPField.Name] =
        [
            .acceptRanges, .accessControlAllowCredentials, .accessControlAllowHeaders, .accessControlAllowMethods,
            .accessControlAllowOrigin, .accessControlExposeHeaders, .accessControlMaxAge, .age, .allow, .cacheControl,
            .connection, .contentDisposition, .contentEncoding, .contentLanguage, .contentLength, .contentLocation,
            .contentRange, .contentSecurityPolicy, .contentType, .crossOriginResourcePolicy, .date, .eTag, .expires,
            .lastModified, .location, .proxyAuthenticate, .retryAfter, .server, .setCookie, .strictTransportSecurity,
            .trailer, .transferEncoding, .upgrade, .vary, .via, .wwwAuthenticate, .xContentTypeOptions,
            .secWebSocketAccept, .secWebSocketExtensions, .secWebSocketProtocol,
        ]
        + [
            "Alt-Svc", "CF-Cache-Status", "CF-RAY", "Cross-Origin-Opener-Policy", "Etag", "Expect-CT", "Keep-Alive",
            "Link", "NEL", "P3P", "Permissions-Policy", "Pragma", "Proxy-Connection", "Referrer-Policy", "Report-To",
            "Server-Timing", "Status", "Timing-Allow-Origin", "X-Cache", "X-Cache-Hits", "X-Content-Type-Options",
            "X-DNS-Prefetch-Control", "X-Frame-Options", "X-Powered-By", "X-RateLimit-Limit", "X-RateLimit-Remaining",
            "X-RateLimit-Reset", "X-Request-Id", "X-Request-ID", "X-Runtime", "X-Served-By", "X-Timer",
            "X-XSS-Protection",
        ].compactMap { HTTPField.Name($0) }
}
