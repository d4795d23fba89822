public import Foundation

/// A folder for the archives of a test. It is removed with the value.
public final class ArchiveFolder: Sendable {
    /// The folder.
    public let folder: URL

    /// Creates an empty folder.
    public init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("har-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// A file for an archive.
    public var archive: URL { folder.appendingPathComponent("session.har") }
}
