internal import Foundation

/// A file name that stays where it is put: one path component, visible, without control characters, and no longer than
/// file systems allow.
struct SafeFilename {
    let name: String

    private static let largest = 255

    /// Takes the last component of what a server calls a file, by either system's separator; `nil` when that leaves
    /// nothing, or a name that stands for a directory.
    init?(_ name: String) {
        let visible = String(String.UnicodeScalarView(name.unicodeScalars.filter { !Self.isHidden($0) }))
        let component = visible.split { $0 == "/" || $0 == "\\" }.last.map(String.init) ?? ""
        var trimmed = component.trimmingBlanks()
        guard trimmed.contains(where: { $0 != "." && $0 != " " }) else { return nil }
        // A file that a server names must not be one that programs read on their own and `ls` does not show.
        if trimmed.hasPrefix(".") { trimmed = "_" + trimmed.dropFirst() }
        self.name = Self.shortened(trimmed)
    }

    /// Cuts a name that is too long before its extension.
    private static func shortened(_ name: String) -> String {
        guard name.utf8.count > largest else { return name }
        let dot = name.lastIndex(of: ".")
        let suffix = dot.map { name[$0...] }.flatMap { $0.utf8.count <= 32 ? $0 : nil } ?? ""
        var stem = name[..<(suffix.isEmpty ? name.endIndex : suffix.startIndex)]
        while stem.utf8.count + suffix.utf8.count > largest { stem.removeLast() }
        return String(stem + suffix)
    }

    /// Control characters, and those that make a name read other than it is.
    private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: true
        default: scalar.properties.isBidiControl || scalar == "\u{FEFF}"
        }
    }
}
