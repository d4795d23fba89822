internal import FoundationEssentials
internal import Glibc

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

/// A named pipe for the time of a case. It has no writer.
final class ScratchPipe: Sendable {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appending(path: "pipe-\(UInt64.random(in: 0 ... .max))").path
        guard mkfifo(path, 0o600) == 0 else { throw ScriptError.system("mkfifo") }
    }

    deinit { unlink(path) }
}
