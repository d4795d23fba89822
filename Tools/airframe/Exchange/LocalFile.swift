import AirframeCommandLine
import Foundation

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

    /// A text, or the content of the file behind an `@`, without its line ends.
    static func text(_ argument: String) throws -> String {
        guard argument.hasPrefix("@") else { return argument }
        let content = String(decoding: try read(String(argument.dropFirst())), as: UTF8.self)
        return String(String.UnicodeScalarView(content.unicodeScalars.filter { $0 != "\n" && $0 != "\r" }))
    }

    /// Whether a path is something that must be written to and not replaced, such as `/dev/null` or a pipe.
    static func isSpecial(_ path: String) -> Bool {
        let attributes = try? FileManager.default.attributesOfItem(atPath: url(path).path)
        guard let type = attributes?[.type] as? FileAttributeType else { return false }
        return type != .typeRegular && type != .typeSymbolicLink
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
