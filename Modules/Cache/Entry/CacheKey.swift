internal import AirframeTransport
public import HTTPTypes

/// What responses are stored under: the target URI of a request, with scheme and host in lower case and without a default
/// port (RFC 9111 §2; RFC 9110 §4.2.3).
///
/// The method is no part of it: only `GET` responses are stored, and they answer `HEAD` as well.
public struct CacheKey: Sendable {
    /// The URI.
    public let uri: String
    /// Worked out once: a miss looks the key up three times.
    private let hash: UInt64

    /// The key of a URI that was normalized before.
    public init(uri: String) {
        self.uri = uri
        hash = Self.hash(of: uri)
    }

    /// The key of a request, or `nil` when it is not for `http` or `https`, or its target is no path.
    public init?(_ head: HTTPRequest) {
        guard let scheme = head.scheme, let authority = head.authority, let path = head.path,
            path.utf8.first == UInt8(ascii: "/") || path.isEmpty
        else { return nil }
        var uri: String
        if Self.isPlain(scheme: scheme, authority: authority) {
            uri = scheme
            uri.reserveCapacity(scheme.utf8.count + 3 + authority.utf8.count + path.utf8.count + 1)
            uri += "://"
            uri += authority
        } else {
            guard let origin = Origin(scheme: scheme, authority: authority),
                origin.scheme == "http" || origin.scheme == "https"
            else { return nil }
            uri = Self.text(origin)
        }
        uri += path.isEmpty ? "/" : path
        self.init(uri: uri)
    }

    /// The key of the path in this key's origin that a field names (RFC 9111 §4.4), or `nil` for one of another origin.
    func resolving(_ reference: String) -> CacheKey? {
        let withoutFragment = reference.prefix { $0 != "#" }
        guard !withoutFragment.isEmpty else { return self }
        let (origin, path) = parts
        if withoutFragment.hasPrefix("//") || withoutFragment.contains("://") {
            let scheme = origin.prefix { $0 != ":" }
            let absolute = withoutFragment.hasPrefix("//") ? "\(scheme):\(withoutFragment)" : String(withoutFragment)
            guard let marker = absolute.range(of: "://") else { return nil }
            let rest = absolute[marker.upperBound...]
            let authority = rest.prefix { $0 != "/" && $0 != "?" }
            var target = String(rest[authority.endIndex...])
            if target.first != "/" { target = "/" + target }
            let head = HTTPRequest(
                method: .get, scheme: String(absolute[..<marker.lowerBound]).lowercased(),
                authority: String(authority), path: target)
            guard let key = CacheKey(head), key.parts.origin == origin else { return nil }
            return key
        }
        if withoutFragment.first == "/" { return CacheKey(uri: origin + Self.withoutDots(withoutFragment)) }
        let pathOnly = path.prefix { $0 != "?" }
        if withoutFragment.first == "?" { return CacheKey(uri: "\(origin)\(pathOnly)\(withoutFragment)") }
        let folder = pathOnly.lastIndex(of: "/").map { pathOnly[...$0] } ?? "/"
        return CacheKey(uri: origin + Self.withoutDots("\(folder)\(withoutFragment)"))
    }

    /// The URI without its query, and the query.
    var withoutQuery: (CacheKey, query: Substring?) {
        guard let mark = uri.utf8.firstIndex(of: UInt8(ascii: "?")) else { return (self, nil) }
        return (CacheKey(uri: String(uri[..<mark])), uri[uri.utf8.index(after: mark)...])
    }

    /// What responses with `No-Vary-Search` are stored under, for all queries of a path. No URI of a request has a
    /// fragment, so the key meets no other.
    var withoutSearch: CacheKey { CacheKey(uri: withoutQuery.0.uri + "#") }

    private var parts: (origin: Substring, path: Substring) {
        guard let marker = uri.range(of: "://"), let slash = uri[marker.upperBound...].firstIndex(of: "/") else {
            return (uri[...], "/")
        }
        return (uri[..<slash], uri[slash...])
    }

    /// Most requests need no normalization: finding that out costs less than taking the authority apart.
    private static func isPlain(scheme: String, authority: String) -> Bool {
        guard scheme == "https" || scheme == "http" else { return false }
        var authority = authority
        return authority.withUTF8 { bytes in
            var port: Int?
            for byte in bytes {
                switch byte {
                case UInt8(ascii: "0")...UInt8(ascii: "9"):
                    guard let digits = port else { continue }
                    // Leading zeros, and the default ports, are left out of a key.
                    guard digits > 0 || byte != UInt8(ascii: "0"), digits < 65_536 else { return false }
                    port = digits * 10 + Int(byte & 0xF)
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "."), UInt8(ascii: "-"):
                    if port != nil { return false }
                case UInt8(ascii: ":"):
                    if port != nil { return false }
                    port = 0
                default: return false
                }
            }
            guard let first = bytes.first, first != UInt8(ascii: ":") else { return false }
            return port.map { (1...65_535).contains($0) && $0 != 80 && $0 != 443 } ?? true
        }
    }

    private static func text(_ origin: Origin) -> String {
        let host = origin.host.contains(":") ? "[\(origin.host)]" : origin.host
        let isDefault = origin.port == (origin.scheme == "https" ? 443 : 80)
        return "\(origin.scheme)://\(host)" + (isDefault ? "" : ":\(origin.port)")
    }

    /// A path without `.` and `..` segments (RFC 3986 §5.2.4).
    private static func withoutDots(_ path: Substring) -> String {
        let (plain, query) = path.firstIndex(of: "?").map { (path[..<$0], path[$0...]) } ?? (path, "")
        guard plain.contains("/.") else { return String(path) }
        var segments: [Substring] = []
        let all = plain.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        for (index, segment) in all.enumerated() {
            let isLast = index == all.count - 1
            switch segment {
            case ".": if isLast { segments.append("") }
            case "..":
                if !segments.isEmpty { segments.removeLast() }
                if isLast { segments.append("") }
            default: segments.append(segment)
            }
        }
        return "/" + segments.joined(separator: "/") + query
    }
}

extension CacheKey: Hashable {
    /// Differs between processes, so that no server can choose URIs that meet.
    private static let seed = UInt64.random(in: 0 ... .max)

    private static func hash(of uri: String) -> UInt64 {
        var checksum = Checksum(seed: seed)
        checksum.update(uri.utf8)
        return checksum.value
    }

    /// Whether two keys are for the same URI.
    public static func == (one: CacheKey, other: CacheKey) -> Bool { one.hash == other.hash && one.uri == other.uri }

    /// Hashes the URI.
    public func hash(into hasher: inout Hasher) { hasher.combine(hash) }
}

extension StringProtocol {
    /// The first place of `text`.
    func range(of text: String) -> Range<Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
            start = index(after: start)
        }
        return nil
    }
}
