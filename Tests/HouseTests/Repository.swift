import Foundation

/// The repository that this test was built from.
enum Repository {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The folder in which these tests build; not `.build` itself, which the running `swift test` has locked.
    static let scratch = root.appending(path: ".build/house")

    /// Whether the sources are a git checkout, and not an archive of one.
    static let isCheckout = FileManager.default.fileExists(atPath: root.appending(path: ".git").path)

    /// The Swift files below a folder, hidden folders left out.
    static func swiftFiles(in folder: String) throws -> [SwiftSource] {
        try allSwiftFiles.get().filter { $0.path.hasPrefix(folder + "/") }
    }

    /// Read once for all tests.
    private static let allSwiftFiles = Result {
        try ["Modules", "Transports", "Tests", "Tools", "Examples"].flatMap { folder in
            try files(in: folder) { $0.pathExtension == "swift" }.map { try SwiftSource(contentsOf: $0) }
        }
    }

    /// The files below a folder that `isWanted` picks, in order.
    static func files(in folder: String, _ isWanted: (URL) -> Bool) throws -> [URL] {
        let start = root.appending(path: folder)
        let keys: [URLResourceKey] = [.isRegularFileKey]
        guard let entries = FileManager.default.enumerator(at: start, includingPropertiesForKeys: keys) else {
            throw CocoaError(.fileNoSuchFile, userInfo: [NSFilePathErrorKey: start.path])
        }
        var found: [URL] = []
        for case let url as URL in entries {
            if url.lastPathComponent.hasPrefix(".") {
                entries.skipDescendants()
            } else if isWanted(url), try url.resourceValues(forKeys: Set(keys)).isRegularFile == true {
                found.append(url)
            }
        }
        return found.sorted { $0.path < $1.path }
    }

    /// The text of a file.
    ///
    /// - Parameter path: The path from the root of the repository.
    static func text(of path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    /// The path of a file from the root of the repository.
    static func path(of url: URL) -> String {
        let prefix = root.path + "/"
        return url.path.hasPrefix(prefix) ? String(url.path.dropFirst(prefix.count)) : url.path
    }
}
