internal import Foundation

/// A file name that cannot leave its directory: one path component, visible, without control characters, and within the
/// length limit of file systems.
struct SafeFilename {
    let name: String

    private static let largest = 255

    /// Takes the last component of a server's file name, by the separators of Unix and Windows. Returns `nil` if it is
    /// empty or names a directory.
    init?(_ name: String) {
        // By scalars: a slash followed by a combining mark is another `Character`, and still a slash to the file
        // system.
        let visible = name.unicodeScalars.filter { !Self.isHidden($0) }
        let component = visible.split { $0 == "/" || $0 == "\\" }.last ?? []
        var trimmed = String(String.UnicodeScalarView(component)).trimmingBlanks().unicodeScalars
        guard let first = trimmed.first, trimmed.contains(where: { $0 != "." && $0 != " " }) else { return nil }
        if first == "." {
            // A server must not create hidden files: programs read some of them without being told to.
            trimmed.removeFirst()
            trimmed.insert("_", at: trimmed.startIndex)
        } else if first.properties.isGraphemeExtend {
            // A combining mark would change the slash before the name.
            trimmed.insert("_", at: trimmed.startIndex)
        }
        self.name = Self.shortened(String(trimmed))
    }

    /// Shortens a name that is too long before its extension.
    private static func shortened(_ name: String) -> String {
        guard name.utf8.count > largest else { return name }
        let scalars = name.unicodeScalars
        let suffix = scalars.lastIndex(of: ".").map { scalars[$0...] }.flatMap { $0.utf8Count <= 32 ? $0 : nil }
        var stem = scalars[..<(suffix?.startIndex ?? scalars.endIndex)]
        var excess = name.utf8.count - largest
        while excess > 0, let last = stem.popLast() { excess -= UTF8.width(last) }
        return String(String.UnicodeScalarView(stem)) + (suffix.map { String(String.UnicodeScalarView($0)) } ?? "")
    }

    /// Whether a scalar is a control character, or changes how a name is displayed.
    private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: true
        default: scalar.properties.isBidiControl || scalar == "\u{FEFF}"
        }
    }
}

extension Substring.UnicodeScalarView {
    fileprivate var utf8Count: Int { reduce(0) { $0 + UTF8.width($1) } }
}
