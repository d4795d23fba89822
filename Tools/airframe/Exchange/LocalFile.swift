import AirframeCommandLine
import Foundation
import Glibc

/// Files that arguments name.
enum LocalFile {
    /// The file at a path, which may begin with `~`.
    static func url(_ path: String) -> URL { URL(filePath: (path as NSString).expandingTildeInPath) }

    /// The content of a file; of standard input for `-`.
    ///
    /// - Throws: ``CommandFailure`` when it cannot be read.
    static func read(_ path: String) throws -> Data {
        if path == "-" { return try FileHandle.standardInput.readToEnd() ?? Data() }
        do {
            return try Data(contentsOf: url(path))
        } catch {
            throw CommandFailure("\(path) cannot be read", hint: "check the path and its mode", status: .read)
        }
    }

    /// The content of a regular file of at most 1 MiB; `nil` for any other file, and for one that cannot be read.
    static func smallContent(_ file: URL) -> Data? {
        var status = stat()
        guard stat(file.path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= 1 << 20 else {
            return nil
        }
        return try? Data(contentsOf: file)
    }

    /// The bytes of an argument, or of the file behind an `@`, without its line ends.
    static func data(_ argument: String) throws -> Data {
        guard argument.hasPrefix("@") else { return Data(argument.utf8) }
        let content = try read(String(argument.dropFirst()))
        return content.filter { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
    }

    /// The file to write at a path: a link to a file stays, and the file that it leads to is written.
    static func target(_ path: String) -> URL {
        let url = url(path)
        let attributes = try? FileManager.default.attributesOfItem(atPath: url.path)
        guard attributes?[.type] as? FileAttributeType == .typeSymbolicLink else { return url }
        return url.resolvingSymlinksInPath()
    }

    /// Whether a path leads to something that must be written to and not replaced, such as `/dev/null`, a pipe, or an
    /// open descriptor, which may be a file that others write to as well.
    static func isSpecial(_ path: String) -> Bool {
        let path = url(path).path
        if path.hasPrefix("/dev/std") || path.hasPrefix("/dev/fd/") || path.hasPrefix("/proc/") { return true }
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
    }
}

/// Standard input in pieces, read on a queue: reading blocks.
enum StandardInput {
    static func chunks() -> AsyncThrowingStream<Data, any Error> {
        let queue = DispatchQueue(label: "airframe.standardInput")
        return AsyncThrowingStream {
            try await withCheckedThrowingContinuation { continuation in
                queue.async {
                    continuation.resume(with: Result { try FileHandle.standardInput.read(upToCount: 1 << 16) })
                }
            }
        }
    }
}
