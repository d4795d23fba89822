internal import AirframeTransport
public import HTTPTypes

/// The key that responses are stored under: the target URI of a request, with scheme and host in lower case and without
/// a default port (RFC 9111 §2; RFC 9110 §4.2.3).
///
/// The method is not part of the key: only responses to `GET` are stored, and they answer `HEAD` as well.
///
/// Requests whose options choose another server, other trust or another user have other keys: a fragment names their
/// `CachePartition`.
public struct CacheKey: Sendable {
    /// The schemes that responses are stored for. `none` marks a URI of another form, which is all in the path.
    private enum Scheme: UInt64 {
        case none, http, https

        init?(_ name: String) {
            // By length first, because only a comparison of unequal strings is a function call (Docs/Decisions/0114).
            switch name.utf8.count {
            case 4 where name == "http": self = .http
            case 5 where name == "https": self = .https
            default: return nil
            }
        }

        var prefix: String {
            switch self {
            case .none: ""
            case .http: "http://"
            case .https: "https://"
            }
        }
    }

    // The parts of the URI, because the request's head has them: a miss then copies no text (Docs/Decisions/0114).
    private let scheme: Scheme
    private let authority: String
    /// The target. In a partition, it is followed by `#` and the partition's name.
    private let path: String
    /// The trust evaluation of the partition. It is not compared, because the partition's name represents it. The key
    /// retains it: see ``TrustIdentity``.
    private let trust: TrustIdentity?
    /// The hash of the parts, computed once: a miss uses it in three look-ups.
    let hash: UInt64

    /// The URI.
    public var uri: String { "\(scheme.prefix)\(authority)\(path)" }

    private init(
        _ scheme: Scheme,
        _ authority: consuming String,
        _ path: consuming String,
        _ trust: TrustIdentity? = nil
    ) {
        var hash = Self.seed ^ scheme.rawValue
        authority.withUTF8 { Self.mix($0, into: &hash) }
        path.withUTF8 { Self.mix($0, into: &hash) }
        self.scheme = scheme
        self.authority = authority
        self.path = path
        self.trust = trust
        self.hash = hash
    }

    /// Creates the key of a URI that was normalized before.
    public init(uri: String) {
        for scheme in [Scheme.https, .http] where uri.hasPrefix(scheme.prefix) {
            let rest = uri.utf8.dropFirst(scheme.prefix.utf8.count)
            let slash = rest.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
            self.init(scheme, String(uri[rest.startIndex..<slash]), String(uri[slash...]))
            return
        }
        self.init(.none, "", uri)
    }

    /// Creates the key of a request, or `nil` if the request is not for `http` or `https`, or its target is not a path.
    public init?(_ head: HTTPRequest) {
        guard let scheme = head.scheme, var authority = head.authority, var target = head.path else { return nil }
        if target.isEmpty { target = "/" }
        guard target.withUTF8({ $0.first == UInt8(ascii: "/") }) else { return nil }
        if let known = Scheme(scheme), authority.withUTF8(Self.isNormal) {
            self.init(known, consume authority, consume target)
        } else {
            guard let origin = Origin(scheme: scheme, authority: authority), let known = Scheme(origin.scheme) else {
                return nil
            }
            self.init(known, Self.authority(of: origin), target)
        }
    }

    /// Returns the key of the path in this key's origin that a field names (RFC 9111 §4.4), in the same partition, or
    /// `nil` for one of another origin.
    func resolving(_ reference: String) -> CacheKey? {
        let withoutFragment = reference.prefix { $0 != "#" }
        guard !withoutFragment.isEmpty else { return self }
        guard let key = resolvingPath(withoutFragment) else { return nil }
        let partition = target.partition
        return partition.isEmpty ? key : CacheKey(key.scheme, key.authority, "\(key.path)\(partition)", trust)
    }

    private func resolvingPath(_ withoutFragment: Substring) -> CacheKey? {
        let (origin, path) = parts
        if withoutFragment.hasPrefix("//") || Self.isAbsolute(withoutFragment) {
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

    /// Whether a reference has a scheme and an authority. A scheme ends before the path and the query, which may
    /// contain other URIs (RFC 3986 §4.2).
    private static func isAbsolute(_ reference: Substring) -> Bool {
        guard let mark = reference.utf8.firstIndex(where: { ":/?".utf8.contains($0) }) else { return false }
        return reference[mark...].hasPrefix("://")
    }

    /// The key without the URI's query, and the query.
    var withoutQuery: (CacheKey, query: Substring?) {
        let (target, partition) = self.target
        guard let mark = target.utf8.firstIndex(of: UInt8(ascii: "?")) else { return (self, nil) }
        let key = CacheKey(scheme, authority, "\(target[..<mark])\(partition)", trust)
        return (key, target[target.utf8.index(after: mark)...])
    }

    /// The key that responses with `No-Vary-Search` are stored under, for all queries of a path. It cannot equal the
    /// key of a request, because a request's target has no fragment, and the name of a partition has no `#`.
    var withoutSearch: CacheKey {
        let key = withoutQuery.0
        let (target, partition) = key.target
        return CacheKey(key.scheme, key.authority, "\(target)#\(partition)", trust)
    }

    private var parts: (origin: String, path: Substring) {
        guard scheme != .none else { return (path, "/") }
        let path = target.path
        return (scheme.prefix + authority, path.isEmpty ? "/" : path)
    }

    // MARK: Partitions

    /// Whether requests with this key use TLS.
    var isSecure: Bool { scheme == .https }

    /// Whether the key has a meaning in this process only, so that responses under it must not be written to disk.
    var isTransient: Bool { trust != nil }

    /// Returns this key for the requests in a partition.
    func inPartition(_ partition: CachePartition) -> CacheKey {
        guard let name = partition.name else { return self }
        return CacheKey(scheme, authority, "\(path)#\(name)", partition.trust)
    }

    /// The path with its query, and the partition's name with the `#` before it; empty for a key without a partition.
    private var target: (path: Substring, partition: Substring) {
        let mark = path.utf8.firstIndex(of: UInt8(ascii: "#")) ?? path.endIndex
        return (path[..<mark], path[mark...])
    }

    /// Whether an authority is as it stands in a key: a name or IPv4 address in lower case, and no port or one that is
    /// not the default of a scheme.
    private static func isNormal(_ authority: UnsafeBufferPointer<UInt8>) -> Bool {
        var position = 0
        while position < authority.count, isOfHost(authority[position]) { position += 1 }
        guard position > 0 else { return false }
        guard position < authority.count else { return true }
        guard authority[position] == UInt8(ascii: ":"), (1...5).contains(authority.count - position - 1),
            authority[position + 1] != UInt8(ascii: "0")
        else { return false }
        var port = 0
        for position in (position + 1)..<authority.count {
            let digit = authority[position] &- UInt8(ascii: "0")
            guard digit <= 9 else { return false }
            port = port * 10 + Int(digit)
        }
        return port <= 65_535 && port != 80 && port != 443
    }

    private static func isOfHost(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-")...UInt8(ascii: "."),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }

    private static func authority(of origin: Origin) -> String {
        let host = origin.host.contains(":") ? "[\(origin.host)]" : origin.host
        let isDefault = origin.port == (origin.scheme == "https" ? 443 : 80)
        return isDefault ? host : "\(host):\(origin.port)"
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
    /// Differs between processes, so that a server cannot choose URIs whose hashes collide.
    private static let seed = UInt64.random(in: 0 ... .max)

    private static func mix(_ text: UnsafeBufferPointer<UInt8>, into hash: inout UInt64) {
        let bytes = UnsafeRawBufferPointer(text)
        var last: UInt64 = 0
        if bytes.count >= 8 {
            var position = 0
            while bytes.count - position > 8 {
                hash = Checksum.mixed(hash, bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self))
                position += 8
            }
            // The last eight bytes, which may overlap those before.
            last = bytes.loadUnaligned(fromByteOffset: bytes.count - 8, as: UInt64.self)
        } else {
            for byte in bytes { last = last << 8 | UInt64(byte) }
        }
        hash = Checksum.mixed(hash ^ UInt64(bytes.count), last)
    }

    /// Whether two keys are for the same URI.
    public static func == (one: CacheKey, other: CacheKey) -> Bool {
        one.hash == other.hash && one.scheme == other.scheme && one.path == other.path
            && one.authority == other.authority
    }

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
