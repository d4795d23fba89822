internal import Foundation

/// The value of `Content-Disposition` (RFC 6266 §4.1). A value with a syntax error is ignored: a guess at its meaning
/// could be exploited.
struct ContentDisposition {
    /// The type in lower case, such as `attachment`.
    let type: String
    /// The parameters, their names in lower case, in order.
    let parameters: [(name: String, value: String)]
    /// The parameters by their names.
    private let values: [String: String]

    /// Parses a value. Returns `nil` if it has a syntax error or a repeated parameter.
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

    /// The file's name as the server sent it, which is not safe to use: `filename*` before `filename` (RFC 6266 §4.3),
    /// and between them a name in pieces (RFC 2231 §3).
    var filename: String? {
        let inPieces = pieces
        if let extended = self["filename*"] {
            // With two extended names it is unknown which is meant.
            return inPieces == nil ? ExtendedValue(extended)?.text ?? self["filename"] : self["filename"]
        }
        return inPieces ?? self["filename"]
    }

    /// Returns the file's name, safe to use inside a directory, or `nil` if there is none.
    static func filename(_ value: String) -> String? {
        guard let disposition = ContentDisposition(value) else { return nil }
        return disposition.filename.flatMap(SafeFilename.init)?.name
            ?? disposition["filename"].flatMap(SafeFilename.init)?.name
    }

    private subscript(name: String) -> String? { values[name] }

    /// The pieces `filename*0`, `filename*1` and so on, joined up to the first gap. Pieces whose name ends in `*` are
    /// percent-encoded, and the first of them names the character set.
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
                    // A name that cannot be decoded is still a name.
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
        /// Required by RFC 5987 as well, and still sent by servers.
        case latin1
    }

    let charset: Charset
    let bytes: [UInt8]

    init(charset: Charset, bytes: [UInt8]) {
        self.charset = charset
        self.bytes = bytes
    }

    /// Parses a value. Returns `nil` if it has a syntax error or another character set.
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

    /// The text; `nil` if the bytes are invalid in the character set.
    var text: String? {
        switch charset {
        case .utf8: String(validating: bytes, as: UTF8.self)
        case .latin1: String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
        }
    }

    /// Returns the bytes of percent-encoded text.
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
