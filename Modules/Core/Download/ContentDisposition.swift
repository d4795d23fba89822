internal import Foundation

/// The value of `Content-Disposition` (RFC 6266 §4.1). One that breaks the grammar counts for nothing: whoever guesses
/// what it means can be led to guess wrong.
struct ContentDisposition {
    /// The type in lower case, such as `attachment`.
    let type: String
    /// The parameters, their names in lower case, in order.
    let parameters: [(name: String, value: String)]
    /// The parameters by their names.
    private let values: [String: String]

    /// Reads a value; `nil` when it breaks the grammar or has a parameter twice.
    init?(_ text: String) {
        var reader = DispositionReader(text)
        guard let type = reader.token(), reader.isAtEndOfPart else { return nil }
        var parameters: [(name: String, value: String)] = []
        var values: [String: String] = [:]
        while reader.skipSemicolon() {
            // A semicolon may be the last character.
            guard !reader.isAtEnd else { break }
            guard let name = reader.token()?.lowercased(), reader.skipEquals(), let value = reader.value(),
                reader.isAtEndOfPart, values.updateValue(value, forKey: name) == nil
            else { return nil }
            parameters.append((name, value))
        }
        guard reader.isAtEnd else { return nil }
        self.type = type.lowercased()
        self.parameters = parameters
        self.values = values
    }

    /// The file's name as the server says it, which may be no name to use: `filename*` before `filename` (RFC 6266
    /// §4.3), and between them a name in pieces (RFC 2231 §3).
    var filename: String? {
        let inPieces = pieces
        if let extended = self["filename*"] {
            // Two names that are both more than the plain one: nobody knows which is meant.
            return inPieces == nil ? ExtendedValue(extended)?.text ?? self["filename"] : self["filename"]
        }
        return inPieces ?? self["filename"]
    }

    /// The file's name, safe to use inside a directory, or `nil` when there is none.
    static func filename(_ value: String) -> String? {
        guard let disposition = ContentDisposition(value) else { return nil }
        return disposition.filename.flatMap(SafeFilename.init)?.name
            ?? disposition["filename"].flatMap(SafeFilename.init)?.name
    }

    private subscript(name: String) -> String? { values[name] }

    /// `filename*0`, `filename*1` and so on, put together up to the first that is missing. Those whose name ends in `*`
    /// are percent-encoded, and the first of these says in which character set.
    private var pieces: String? {
        var bytes: [UInt8] = []
        var charset: ExtendedValue.Charset?
        var index = 0
        while true {
            if let plain = self["filename*\(index)"] {
                bytes +=
                    charset == .latin1
                    ? Array(plain.unicodeScalars.map { UInt8(clamping: $0.value) }) : Array(plain.utf8)
            } else if let coded = self["filename*\(index)*"] {
                if index == 0 {
                    // A name that nobody can read is a name all the same.
                    guard let value = ExtendedValue(coded) else { return "" }
                    charset = value.charset
                    bytes += value.bytes
                } else {
                    guard let decoded = ExtendedValue.decode(coded[...]) else { break }
                    bytes += decoded
                }
            } else {
                break
            }
            index += 1
        }
        guard index > 0 else { return nil }
        return ExtendedValue(charset: charset ?? .utf8, bytes: bytes).text
    }
}

/// A value with a character set, `UTF-8'en'a%20b` (RFC 8187 §3.2).
private struct ExtendedValue {
    enum Charset {
        case utf8
        /// What RFC 5987 asked for besides, and servers still send.
        case latin1
    }

    let charset: Charset
    let bytes: [UInt8]

    init(charset: Charset, bytes: [UInt8]) {
        self.charset = charset
        self.bytes = bytes
    }

    /// Reads a value; `nil` when it breaks the rules or is in another character set.
    init?(_ value: String) {
        let parts = value.utf8.split(separator: UInt8(ascii: "'"), maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let bytes = Self.decode(Substring(parts[2])) else { return nil }
        switch Substring(parts[0]).lowercased() {
        case "utf-8", "us-ascii": charset = .utf8
        case "iso-8859-1": charset = .latin1
        default: return nil
        }
        self.bytes = bytes
    }

    /// The text; `nil` when the bytes are none in the character set.
    var text: String? {
        switch charset {
        case .utf8: String(validating: bytes, as: UTF8.self)
        case .latin1: String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
        }
    }

    /// The bytes that percent-encoded text stands for.
    static func decode(_ text: Substring) -> [UInt8]? {
        var bytes: [UInt8] = []
        var rest = text.utf8
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst()?.hexDigit, let low = rest.popFirst()?.hexDigit else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }
}

extension UInt8 {
    fileprivate var hexDigit: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
