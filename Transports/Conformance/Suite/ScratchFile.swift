internal import FoundationEssentials

/// A file for the time of a case.
final class ScratchFile: Sendable {
    let path: String

    init(_ data: Data) throws {
        let folder = FileManager.default.temporaryDirectory
        let url = folder.appending(path: "conformance-\(UInt64.random(in: 0 ... .max))")
        try data.write(to: url)
        path = url.path
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
