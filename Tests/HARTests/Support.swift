import AirframeHAR
import AirframeTestSupport
import Foundation
import Testing

/// Other people's readers of archives.
enum Reader {
    private static let repository = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// Runs one of the scripts in Readers on an archive.
    static func run(_ script: String, _ archive: URL) async throws -> String {
        let folder = repository.appending(path: "Tests/HARTests/Readers")
        let outcome = try await Command([
            repository.appending(path: ".build/peers/venv/bin/python").path,
            folder.appending(path: script).path, archive.path,
        ]).run()
        try #require(outcome.status == 0, "\(outcome.output)")
        return outcome.output
    }

    /// Checks an archive against the schema of HAR 1.2; what is wrong with it, a line each.
    static func faults(of archive: URL) async throws -> [String] {
        try await run("check_har.py", archive).split(separator: "\n").map(String.init)
    }
}

extension HAR.Entry {
    /// The value of a response's field.
    func responseHeader(_ name: String) -> String? {
        response.headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    /// The value of a request's field.
    func requestHeader(_ name: String) -> String? {
        request.headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }
}

extension Reader {
    /// Whether readers are to be asked: where they are installed, and on CI, where their absence is a failure.
    static let isExpected: Bool = {
        let python = repository.appending(path: ".build/peers/venv/bin/python").path
        return FileManager.default.isExecutableFile(atPath: python)
            || ProcessInfo.processInfo.environment["CI"] == "true"
    }()
}
