internal import Foundation

/// The name of a file in `Content-Disposition` (RFC 6266 §4.3).
enum ContentDisposition {
    /// The file's name, safe to use inside a directory, or `nil` when there is none.
    static func filename(_ value: String) -> String? {
        guard let disposition = ParameterizedValue(value) else { return nil }
        // `filename*` can hold any character and goes before `filename` (RFC 6266 §4.3).
        let extended = disposition["filename*"].flatMap(decodeExtended)
        let names = [extended, disposition["filename"]].compactMap { $0 }
        return names.lazy.compactMap { SafeFilename($0)?.name }.first
    }

    /// `UTF-8'en'a%20b` decoded (RFC 8187 §3.2), `nil` when it breaks the rules.
    private static func decodeExtended(_ value: String) -> String? {
        let parts = value.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3 else { return nil }
        if parts[0].equalsIgnoringASCIICase("UTF-8") { return parts[2].removingPercentEncoding }
        guard parts[0].equalsIgnoringASCIICase("ISO-8859-1") else { return nil }
        return decodeLatin1(parts[2])
    }

    private static func decodeLatin1(_ text: Substring) -> String? {
        var result = ""
        var bytes = text.utf8[...]
        while let byte = bytes.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                result.unicodeScalars.append(Unicode.Scalar(byte))
                continue
            }
            guard let code = UInt8(String(Substring(bytes.prefix(2))), radix: 16) else { return nil }
            result.unicodeScalars.append(Unicode.Scalar(code))
            bytes = bytes.dropFirst(2)
        }
        return result
    }
}

/// A file name that stays where it is put: one path component, without control characters.
struct SafeFilename {
    let name: String

    /// Takes the last component of what a server calls a file, by either system's separator; `nil` when that leaves
    /// nothing, or a name that stands for a directory.
    init?(_ name: String) {
        let visible = String(String.UnicodeScalarView(name.unicodeScalars.filter { !Self.isControl($0) }))
        let component = visible.split { $0 == "/" || $0 == "\\" }.last.map(String.init) ?? ""
        let trimmed = component.trimmingBlanks()
        guard !trimmed.isEmpty, trimmed != ".", trimmed != ".." else { return nil }
        self.name = trimmed
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory == .control || scalar.properties.isBidiControl
    }
}
