/// Whether a logger writes bodies, and up to which length.
public struct BodyLogging: Sendable, Hashable {
    /// The maximum number of bytes of a body to write; 0 for none.
    public let limit: Int

    /// Bodies are not written. The default.
    public static let none = BodyLogging(limit: 0)

    /// Text is written up to a number of bytes of each body; of binary content only the size.
    public static func upTo(bytes: Int) -> BodyLogging { BodyLogging(limit: max(0, bytes)) }
}

/// The beginning of a body, up to the limit of a log.
struct BodyExcerpt: Sendable {
    /// The number of bytes of the whole body so far.
    private(set) var total: Int64 = 0
    private var beginning: [UInt8] = []

    /// Appends the next bytes.
    mutating func take(_ bytes: some Collection<UInt8>, limit: Int) {
        total += Int64(bytes.count)
        beginning.append(contentsOf: bytes.prefix(max(0, limit - beginning.count)))
    }

    /// Returns the text of the excerpt; `nil` if it is binary.
    ///
    /// - Parameter mediaType: The `Content-Type`. Without one, the bytes decide.
    func text(mediaType: String?) -> String? {
        if let mediaType, !Self.isText(mediaType) { return nil }
        let text = String(decoding: whole, as: UTF8.self)
        // A log treats other encodings and mislabelled bytes as binary.
        let isText = text.unicodeScalars.allSatisfy {
            $0 != "\u{FFFD}" && ($0.value >= 0x20 || $0 == "\n" || $0 == "\r" || $0 == "\t")
        }
        return isText ? text : nil
    }

    /// Whether the body is longer than the excerpt.
    var isCutOff: Bool { total > Int64(beginning.count) }

    /// The excerpt without a character that the limit cut.
    private var whole: ArraySlice<UInt8> {
        guard isCutOff else { return beginning[...] }
        let isContinuation = { (byte: UInt8) in byte & 0xC0 == 0x80 }
        let tail = beginning.suffix(4).reversed().prefix { isContinuation($0) }.count
        guard let lead = beginning.dropLast(tail).last, lead >= 0xC0 else { return beginning[...] }
        let length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2
        return tail + 1 < length ? beginning.dropLast(tail + 1) : beginning[...]
    }

    private static func isText(_ mediaType: String) -> Bool {
        let type = mediaType.prefix { $0 != ";" }.lowercased().filter { !$0.isWhitespace }
        guard !type.isEmpty else { return true }
        let subtype = type.drop { $0 != "/" }.dropFirst()
        return type.hasPrefix("text/") || subtype.hasSuffix("json") || subtype.hasSuffix("xml")
            || ["x-www-form-urlencoded", "x-ndjson", "json-seq", "javascript", "graphql", "yaml", "x-yaml"]
                .contains(String(subtype))
    }
}
