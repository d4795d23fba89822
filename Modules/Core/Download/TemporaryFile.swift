internal import Foundation

/// The names of files that downloads are written to before they have a place.
enum TemporaryFile {
    private static let prefix = "download-"
    private static let suffix = ".tmp"

    static func newURL() -> URL { url(named: prefix + UUID().uuidString + suffix) }

    /// The file of that name, or `nil` when no name of ours looks like it.
    static func existingURL(named name: String) -> URL? {
        guard name.hasPrefix(prefix), name.hasSuffix(suffix),
            UUID(uuidString: String(name.dropFirst(prefix.count).dropLast(suffix.count))) != nil
        else { return nil }
        return url(named: name)
    }

    static func remove(_ url: URL) {
        try? FileManager.default.removeItem(at: url)
    }

    private static func url(named name: String) -> URL {
        FileManager.default.temporaryDirectory.appendingPathComponent(name)
    }
}
