internal import AirframeTransport
internal import FoundationEssentials
internal import HTTPTypes

/// The one form of a request that client and server both derive for signing.
struct AWSCanonicalRequest {
    /// The placeholder for the hash of content that is not covered.
    static let unsignedContent = "UNSIGNED-PAYLOAD"

    /// The names of the fields that are covered, in order, separated by semicolons.
    let signedFields: String
    /// The canonical form.
    let text: String

    init(_ head: HTTPRequest, contentHash: String, encodesPathTwice: Bool) {
        let target = (head.path ?? "/").split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let fields = Self.fields(of: head)
        signedFields = Self.names(fields)
        text = [
            head.method.rawValue,
            Self.path(target.first ?? "/", isNormalized: encodesPathTwice),
            Self.query(target.count > 1 ? target[1] : ""),
            fields.map { "\($0.name):\($0.value)\n" }.joined(),
            signedFields,
            contentHash,
        ]
        .joined(separator: "\n")
    }

    /// The names of the fields of `head` that a signature covers.
    static func signedFields(of head: HTTPRequest) -> String { names(fields(of: head)) }

    private static func names(_ fields: [(name: String, value: String)]) -> String {
        fields.map(\.name).joined(separator: ";")
    }

    // MARK: Path

    private static func path(_ path: Substring, isNormalized: Bool) -> String {
        guard isNormalized else { return path.isEmpty ? "/" : String(path) }
        var segments: [Substring] = []
        for segment in path.split(separator: "/") where segment != "." {
            if segment == ".." { _ = segments.popLast() } else { segments.append(segment) }
        }
        // A slash at the end stays, and so does one that a dot segment leaves.
        let isFolder = path.hasSuffix("/") || path.hasSuffix("/.") || path.hasSuffix("/..")
        let end = isFolder && !segments.isEmpty ? "/" : ""
        return "/" + segments.map { encode($0) }.joined(separator: "/") + end
    }

    // MARK: Query

    private static func query(_ query: Substring) -> String {
        var pairs: [(name: String, value: String)] = query.split(separator: "&").map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (encodeAgain(parts[0]), parts.count > 1 ? encodeAgain(parts[1]) : "")
        }
        pairs.sort { $0.name == $1.name ? $0.value.precedes($1.value) : $0.name.precedes($1.name) }
        return pairs.map { $0.name + "=" + $0.value }.joined(separator: "&")
    }

    /// Percent-encodes all but unreserved characters (RFC 3986 §2.3), with upper-case digits.
    static func encode(_ text: some StringProtocol) -> String { PercentEncoding.unreserved.encode(bytes: text.utf8) }

    /// Returns a part of a query as signatures cover it: decoded, and encoded again.
    private static func encodeAgain(_ text: Substring) -> String {
        PercentEncoding.unreserved.encode(bytes: PercentEncoding.decode(text))
    }

    // MARK: Fields

    /// Fields that intermediaries or engines change, and the signature itself.
    private static let uncovered: Set<String> = [
        "authorization", "connection", "expect", "keep-alive", "te", "trailer", "transfer-encoding", "upgrade",
        "user-agent", "x-amzn-trace-id",
    ]

    /// Lower-case names in order, each once; values without surrounding and repeated spaces.
    private static func fields(of head: HTTPRequest) -> [(name: String, value: String)] {
        var values: [String: [String]] = ["host": [head.sentAuthority ?? ""]]
        for field in head.headerFields {
            let name = field.name.canonicalName
            guard !uncovered.contains(name), name != "host" else { continue }
            let words = field.value.split(whereSeparator: { $0 == " " || $0 == "\t" || $0.isNewline })
            values[name, default: []].append(words.joined(separator: " "))
        }
        return values.map { ($0.key, $0.value.joined(separator: ",")) }.sorted { $0.name.precedes($1.name) }
    }
}

extension String {
    /// Whether the text's bytes come first: signatures compare bytes, not characters.
    fileprivate func precedes(_ other: String) -> Bool { utf8.lexicographicallyPrecedes(other.utf8) }
}
