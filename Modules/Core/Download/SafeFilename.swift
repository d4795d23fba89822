internal import Foundation

/// A file name that stays where it is put: one path component, visible, without control characters, and no longer than
/// file systems allow.
struct SafeFilename {
    let name: String

    private static let largest = 255

    /// Takes the last component of what a server calls a file, by either system's separator; `nil` when that leaves
    /// nothing, or a name that stands for a directory.
    init?(_ name: String) {
        // By scalars: a slash followed by a combining mark is another `Character`, but still a slash to the file
        // system.
        let visible = name.unicodeScalars.filter { !Self.isHidden($0) }
        let component = visible.split { $0 == "/" || $0 == "\\" }.last ?? []
        var trimmed = String(String.UnicodeScalarView(component)).trimmingBlanks().unicodeScalars
        guard let first = trimmed.first, trimmed.contains(where: { $0 != "." && $0 != " " }) else { return nil }
        if first == "." {
            // A server must not be able to create a hidden file: programs read some of them by themselves.
            trimmed.removeFirst()
            trimmed.insert("_", at: trimmed.startIndex)
        } else if first.properties.isGraphemeExtend {
            // Behind the slash of a directory it would make another character of that.
            trimmed.insert("_", at: trimmed.startIndex)
        }
        self.name = Self.shortened(String(trimmed))
    }

    /// Cuts a name that is too long before its extension.
    private static func shortened(_ name: String) -> String {
        guard name.utf8.count > largest else { return name }
        let scalars = name.unicodeScalars
        let suffix = scalars.lastIndex(of: ".").map { scalars[$0...] }.flatMap { $0.utf8Count <= 32 ? $0 : nil }
        var stem = scalars[..<(suffix?.startIndex ?? scalars.endIndex)]
        var excess = name.utf8.count - largest
        while excess > 0, let last = stem.popLast() { excess -= UTF8.width(last) }
        return String(String.UnicodeScalarView(stem)) + (suffix.map { String(String.UnicodeScalarView($0)) } ?? "")
    }

    /// Control characters, and those that make a name read other than it is.
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
