import Foundation

/// A program that a test runs. No thread blocks on it.
struct Program {
    /// The failure of a program.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private let name: String
    private let arguments: [String]

    /// - Parameters:
    ///   - name: Its name on the `PATH`, or its path.
    ///   - arguments: Its arguments.
    init(_ name: String, _ arguments: [String]) {
        self.name = name
        self.arguments = arguments
    }

    /// Runs the program with the lowest priority, so that it does not disturb tests that measure time.
    ///
    /// - Returns: Its standard output.
    /// - Throws: ``Failure`` with the end of its output, unless it exits with 0.
    func run() async throws -> String {
        let folder = FileManager.default.temporaryDirectory.appending(path: "airframe-house-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let output = folder.appending(path: "output")
        let errors = folder.appending(path: "errors")
        let status = try await status(output: output, errors: errors)
        let text = try String(contentsOf: output, encoding: .utf8)
        guard status == 0 else {
            let end = try (String(contentsOf: errors, encoding: .utf8) + text).suffix(8_000)
            // A test may pass the name of every file.
            let command = "\(name) \(arguments.joined(separator: " "))".prefix(500)
            throw Failure(description: "\(command) ended with \(status):\n\(end)")
        }
        return text
    }

    private func status(output: URL, errors: URL) async throws -> Int32 {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["nice", "-n", "19", name] + arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try Self.emptyFile(output)
        process.standardError = try Self.emptyFile(errors)
        // Set before the start, so that a program that ends immediately is not missed.
        let ended = AsyncStream<Int32> { continuation in
            process.terminationHandler = { process in
                continuation.yield(process.terminationStatus)
                continuation.finish()
            }
        }
        try process.run()
        let identifier = process.processIdentifier
        return try await withTaskCancellationHandler {
            for await status in ended { return status }
            throw CancellationError()
        } onCancel: {
            kill(identifier, SIGTERM)
        }
    }

    private static func emptyFile(_ url: URL) throws -> FileHandle {
        guard FileManager.default.createFile(atPath: url.path, contents: nil) else {
            throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: url.path])
        }
        return try FileHandle(forWritingTo: url)
    }
}
