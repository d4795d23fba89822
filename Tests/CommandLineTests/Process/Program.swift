import AirframeConformance
import AirframeTestSupport
import Foundation

/// `airframe` as its own process.
struct Program {
    /// The result of a run.
    struct RunResult {
        let status: Int32
        let output: String
        let errors: String
    }

    /// A folder that is removed with the value.
    final class Folder: Sendable {
        let url: URL

        init() throws {
            url = FileManager.default.temporaryDirectory.appending(path: "airframe-cli-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        }

        deinit { try? FileManager.default.removeItem(at: url) }

        /// The path of a file in it.
        func path(_ name: String) -> String { url.appending(path: name).path }

        /// Creates a file.
        func write(_ text: String, _ name: String) throws -> String {
            try Data(text.utf8).write(to: url.appending(path: name))
            return path(name)
        }

        /// The content of a file.
        func text(_ name: String) throws -> String {
            String(decoding: try Data(contentsOf: url.appending(path: name)), as: UTF8.self)
        }
    }

    /// The environment of every run: no proxy, no colours forced or refused.
    static let environment = ["NO_PROXY": "*", "LC_ALL": "C.UTF-8", "TERM": "xterm", "NO_COLOR": ""]

    static var path: String { Command.built("airframe", []).path }

    /// Runs the program with its output in pipes.
    static func run(_ arguments: [String], input: String? = nil, environment: [String: String] = [:]) async throws
        -> RunResult
    {
        var script = #""$0" "$@" 2>"$ERRORS""#
        if input != nil { script = #"printf %s "$INPUT" | "# + script }
        return try await shell(script, arguments, environment.merging(["INPUT": input ?? ""]) { $1 })
    }

    /// Runs a script; `$0` is the program, `$@` the arguments, and what goes to `$ERRORS` are the errors.
    static func shell(
        _ script: String,
        _ arguments: [String] = [],
        _ environment: [String: String] = [:]
    ) async throws -> RunResult {
        let folder = try Folder()
        let errors = try folder.write("", "errors")
        let all = Self.environment.merging(environment) { $1 }.merging(["ERRORS": errors]) { $1 }
        let outcome = try await Command(["/bin/bash", "-c", script, path] + arguments).run(environment: all)
        return RunResult(status: outcome.status, output: outcome.output, errors: try folder.text("errors"))
    }

    /// Runs the program on a terminal, or a script in which `$0` is the program and `$@` are the arguments.
    static func terminal(
        _ arguments: [String],
        columns: Int = 80,
        keys: String = "",
        script: String? = nil,
        environment: [String: String] = [:]
    ) async throws -> RunResult {
        let helper = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "run_on_terminal.py").path
        let shell = script.map { ["/bin/bash", "-c", $0] } ?? []
        let outcome = try await Command(["python3", helper, "\(columns)", keys] + shell + [path] + arguments)
            .run(environment: Self.environment.merging(environment) { $1 })
        return RunResult(status: outcome.status, output: outcome.output, errors: "")
    }
}

/// A server that answers every request with its own text: the head, an empty line and the content, as JSON or plainly.
enum Answers {
    /// Answers with one response.
    static func fixed(_ body: String, type: String = "application/json", status: String = "200 OK") throws
        -> ScriptedServer
    {
        try ScriptedServer { connection in
            while true {
                _ = try connection.readHead()
                try connection.send(
                    "HTTP/1.1 \(status)\r\nContent-Type: \(type)\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
            }
        }
    }

    /// Answers with the request's head and content as text.
    static func echo() throws -> ScriptedServer {
        try ScriptedServer { connection in
            let head = try connection.readHead()
            var content: [UInt8] = []
            let lines = head.split(separator: "\r\n").map { $0.lowercased() }
            if let field = lines.first(where: { $0.hasPrefix("content-length:") }),
                let count = Int(field.dropFirst("content-length:".count).trimmingCharacters(in: .whitespaces))
            {
                content = try connection.read(count)
            } else if lines.contains("transfer-encoding: chunked") {
                content = try connection.readChunkedBody().content
            }
            let text = head.replacing("\r\n", with: "\n") + "\n" + String(decoding: content, as: UTF8.self)
            try connection.send(
                "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: \(text.utf8.count)\r\n\r\n\(text)")
        }
    }
}
