/// Whether a logger writes bodies, and how much of them.
public struct BodyLogging: Sendable, Hashable {
    /// The largest number of bytes of a body that is written; 0 for none.
    public let limit: Int

    /// Bodies are not written. The default.
    public static let none = BodyLogging(limit: 0)

    /// Text is written up to a number of bytes of each body; of binary content its size.
    public static func upTo(bytes: Int) -> BodyLogging { BodyLogging(limit: max(0, bytes)) }
}

/// The beginning of a body, as far as a log wants it.
struct BodyExcerpt: Sendable {
    /// How many bytes went by.
    private(set) var total: Int64 = 0
    private var beginning: [UInt8] = []

    /// Takes the next piece.
    mutating func take(_ bytes: some Collection<UInt8>, limit: Int) {
        total += Int64(bytes.count)
        beginning.append(contentsOf: bytes.prefix(max(0, limit - beginning.count)))
    }

    /// The text of what is there, or `nil` when it is binary.
    ///
    /// - Parameter mediaType: The `Content-Type`. What has none is judged by its bytes.
    func text(mediaType: String?) -> String? {
        if let mediaType, !Self.isText(mediaType) { return nil }
        let text = String(decoding: whole, as: UTF8.self)
        // Other encodings and mislabelled bytes are binary to a log.
        let isText = text.unicodeScalars.allSatisfy {
            $0 != "\u{FFFD}" && ($0.value >= 0x20 || $0 == "\n" || $0 == "\r" || $0 == "\t")
        }
        return isText ? text : nil
    }

    /// Whether there was more than the excerpt has.
    var isCutOff: Bool { total > Int64(beginning.count) }

    /// The beginning without a character that was cut in two.
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
