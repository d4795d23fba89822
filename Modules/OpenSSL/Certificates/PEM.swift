public import AirframeTransport
internal import FoundationEssentials

/// The textual encoding of DER (RFC 7468).
public enum PEM {
    /// One block.
    public struct Block: Sendable, Hashable {
        /// The label, such as `CERTIFICATE`.
        public let label: String
        /// The bytes.
        public let der: DER
        /// The block as text, with its boundaries.
        public let text: String
    }

    /// Returns the blocks of `text`. Text between them, and blocks that are not Base64, are skipped.
    public static func blocks(in text: String) -> [Block] {
        var blocks: [Block] = []
        var label: String?
        var lines: [Substring] = []
        for line in text.split(whereSeparator: \.isNewline) {
            let line = line.drop { $0 == " " || $0 == "\t" }
            if let begun = Self.boundary("BEGIN", line) {
                label = begun
                lines = []
            } else if let ended = Self.boundary("END", line) {
                defer { label = nil }
                guard ended == label else { continue }
                let content = lines.filter { !$0.contains(":") }.joined().filter { !$0.isWhitespace }
                guard let data = Data(base64Encoded: content) else { continue }
                let whole = (["-----BEGIN \(ended)-----"] + lines.map(String.init) + ["-----END \(ended)-----", ""])
                blocks.append(Block(label: ended, der: DER(Array(data)), text: whole.joined(separator: "\n")))
            } else if label != nil {
                lines.append(line)
            }
        }
        return blocks
    }

    /// Returns the text of a block.
    ///
    /// - Parameters:
    ///   - der: The bytes.
    ///   - label: The label, such as `CERTIFICATE`.
    public static func text(of der: DER, label: String) -> String {
        let base64 = Array(Data(der.bytes).base64EncodedString().utf8)
        let lines = stride(from: 0, to: base64.count, by: 64).map {
            String(decoding: base64[$0..<min($0 + 64, base64.count)], as: UTF8.self)
        }
        return (["-----BEGIN \(label)-----"] + lines + ["-----END \(label)-----", ""]).joined(separator: "\n")
    }

    private static func boundary(_ word: String, _ line: Substring) -> String? {
        guard let end = line.lastIndex(where: { !$0.isWhitespace }) else { return nil }
        let line = line[...end]
        guard line.hasPrefix("-----\(word) "), line.hasSuffix("-----"), line.count > word.count + 11 else { return nil }
        return String(line.dropFirst(word.count + 6).dropLast(5))
    }
}
