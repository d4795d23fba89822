import AirframeConformance
import AirframeTestSupport
import Foundation
import Glibc
import Testing

@Suite("airframe download and upload with state on the disk", .timeLimit(.minutes(3)))
struct ResumableTransferProcessTests {
    private static let content = Data((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7 ^ $0 >> 8) })

    private func run(_ folder: Program.Folder, _ arguments: [String]) async throws -> Program.RunResult {
        try await Program.run(arguments, environment: ["XDG_STATE_HOME": folder.path("state")])
    }

    private func states(_ folder: Program.Folder) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder.path("state/airframe/transfers"))) ?? []
    }

    private func file(_ folder: Program.Folder, _ name: String) throws -> Data {
        try Data(contentsOf: folder.url.appending(path: name))
    }

    @Test(
        "--segments fetches parts concurrently, --checksum checks the file, and no state is left",
        arguments: ["sockets", "curl"])
    func segments(engine: String) async throws {
        let folder = try Program.Folder()
        let server = try RangeAnswers(Self.content, rate: 4 << 20, authorization: "Bearer t0ken")
        try Self.content.write(to: folder.url.appending(path: "original"))
        let expected = try await Program.shell("sha256sum \(folder.path("original"))").output.prefix(64)
        let outcome = try await run(
            folder,
            [
                "download", "--engine", engine, "--segments", "3", "--checksum", "sha-256:\(expected)", "--bearer",
                "t0ken", "-o", folder.path("f"), server.url,
            ])
        #expect(outcome.status == 0 && outcome.output.contains("3.0 MB"), "\(outcome.output) \(outcome.errors)")
        #expect(try file(folder, "f") == Self.content)
        #expect(server.ranges.filter { !$0.isEmpty }.count >= 2, "\(server.ranges)")
        #expect(states(folder).isEmpty)
        let wrong = try await run(
            folder,
            [
                "download", "--checksum", "sha-256:\(String(expected.reversed()))", "--retry", "0", "--bearer", "t0ken",
                "-o", folder.path("g"), server.url,
            ])
        #expect(wrong.status == 1 && wrong.errors.contains("hash"), "\(wrong.errors)")
        #expect(!FileManager.default.fileExists(atPath: folder.path("g")))
    }

    @Test("--resume continues after the process was killed, and fetches no byte again that is on the disk")
    func killed() async throws {
        let folder = try Program.Folder()
        let server = try RangeAnswers(Self.content, rate: 500 << 10)
        let process = Process()
        process.executableURL = URL(filePath: Program.path)
        process.arguments = ["download", "--resume", "-o", folder.path("f"), server.url]
        process.environment = Program.environment.merging(["XDG_STATE_HOME": folder.path("state")]) { $1 }
        process.standardError = FileHandle.nullDevice
        try process.run()
        // The state is a queue, which is written every second.
        var stored = 0
        while stored < 500_000 {
            try await Task.sleep(for: .milliseconds(100))
            guard let state = states(folder).first(where: { $0.hasSuffix(".db") }) else { continue }
            let listed = try await Program.run(["queue", "ls", folder.path("state/airframe/transfers/\(state)")])
            let bytes = listed.output.split(separator: "\t").dropFirst(2).first?.split(separator: "/").first
            stored = bytes.flatMap { Int($0) } ?? 0
        }
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        #expect(!states(folder).isEmpty)
        #expect(!FileManager.default.fileExists(atPath: folder.path("f")))
        let outcome = try await run(folder, ["download", "--resume", "-o", folder.path("f"), server.url])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try file(folder, "f") == Self.content)
        let start = try #require(server.ranges.last?.split(separator: "=").last?.split(separator: "-").first)
        #expect(try #require(Int(start)) >= stored, "\(server.ranges)")
        #expect(states(folder).isEmpty)
    }

    @Test("a broken connection is retried where it stopped, and --limit-rate slows the transfer")
    func limited() async throws {
        let folder = try Program.Folder()
        let server = try RangeAnswers(Self.content, cut: 1_000_000)
        let time = try await ContinuousClock().measure {
            let outcome = try await run(
                folder, ["download", "--limit-rate", "2M", "-q", "-o", folder.path("f"), server.url])
            #expect(outcome.status == 0 && outcome.output.isEmpty, "\(outcome.output) \(outcome.errors)")
        }
        #expect(try file(folder, "f") == Self.content)
        #expect(server.ranges.count == 2 && server.ranges[0].isEmpty, "\(server.ranges)")
        #expect(time > .seconds(1.2), "3 MB at 2 MiB/s: \(time)")
    }

    @Test("--retry takes any number", arguments: ["9223372036854775807", "18446744073709551615"])
    func unlimitedRetries(count: String) async throws {
        let folder = try Program.Folder()
        let server = try RangeAnswers(Data("content".utf8))
        let outcome = try await run(
            folder, ["download", "--resume", "--retry", count, "-o", folder.path("f"), server.url])
        #expect(outcome.status == 0, "\(outcome)")
        #expect(try folder.text("f") == "content")
    }

    @Test("cookies are saved if a transfer fails", arguments: ["download", "upload"])
    func cookiesAfterFailure(command: String) async throws {
        let server = try ScriptedServer { connection in
            while true {
                try connection.readRequest()
                try connection.respond("403 Forbidden", fields: ["Set-Cookie: a=1; Max-Age=1000"])
            }
        }
        defer { server.stop() }
        let folder = try Program.Folder()
        let file = try folder.write("content", "up")
        let words = command == "download" ? ["-o", folder.path("f"), server.origin] : [file, server.origin]
        let outcome = try await run(
            folder, [command, "--resume", "--retry", "0", "--cookie-jar", folder.path("jar.txt")] + words)
        #expect(outcome.status != 0, "\(outcome)")
        #expect(try folder.text("jar.txt").contains("\ta\t1"))
    }

    @Test("the exit status is that of the exchange that failed", arguments: ["download", "upload"])
    func statuses(command: String) async throws {
        let folder = try Program.Folder()
        let file = try folder.write("content", "up")
        let words = command == "download" ? ["-o", folder.path("f")] : [file]
        let silent = try ScriptedServer { connection in
            try connection.readRequest()
            _ = connection.peerCloses(within: .seconds(20))
        }
        defer { silent.stop() }
        let refusing = try ScriptedServer { connection in
            try connection.readRequest()
            try connection.respond("403 Forbidden", fields: [])
        }
        defer { refusing.stop() }
        let closed = try ScriptedServer { _ in }
        closed.stop()
        let cases: [(origin: String, options: [String], status: Int32)] = [
            ("http://name.invalid", [], 6), (closed.origin, [], 7), (refusing.origin, [], 22),
            (silent.origin, ["--first-byte-timeout", "0.3"], 28), (closed.origin, ["--proxy", closed.origin], 5),
        ]
        for (origin, options, status) in cases {
            let outcome = try await run(
                folder, [command, "--resume", "--retry", "0"] + options + words + ["\(origin)/f"])
            #expect(outcome.status == status, "\(origin): \(outcome)")
            #expect(outcome.errors.contains("hint: "), "\(outcome)")
        }
    }

    @Test("a file that exists is named with the option that replaces it")
    func existingFile() async throws {
        let folder = try Program.Folder()
        let server = try RangeAnswers(Self.content)
        let file = try folder.write("old", "f")
        let outcome = try await run(folder, ["download", "--resume", "-o", file, server.url])
        #expect(outcome.status == 23 && outcome.errors.contains("hint: --force replaces it"), "\(outcome)")
        #expect(try folder.text("f") == "old")
    }

    @Test("the name of a URL does not lead out of the directory", arguments: [["download"], ["download", "--resume"]])
    func names(command: [String]) async throws {
        let folder = try Program.Folder()
        // Of a plain download only FILE.resume has the name of the URL, so that one is broken off.
        let count = command == ["download"] ? 10 : 3
        let server = try ScriptedServer { connection in
            try connection.readHead()
            try connection.send("HTTP/1.1 200 OK\r\nETag: \"v1\"\r\nContent-Length: \(count)\r\n\r\n012")
            connection.close()
        }
        defer { server.stop() }
        try FileManager.default.createDirectory(atPath: folder.path("a/b"), withIntermediateDirectories: true)
        _ = try await run(folder, command + ["--directory", folder.path("a/b"), "\(server.origin)/..%2F..%2Fx"])
        let name = command == ["download"] ? "download.resume" : "download"
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("a/b")) == [name])
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("a")) == ["b"])
        #expect(!FileManager.default.fileExists(atPath: folder.path("x")))
    }

    @Test("--max-time bounds all attempts together, and the state is kept")
    func maximumTime() async throws {
        let folder = try Program.Folder()
        let server = try RangeAnswers(Self.content, rate: 100 << 10)
        let outcome = try await run(
            folder, ["download", "--resume", "--max-time", "1", "-o", folder.path("f"), server.url])
        #expect(outcome.status == 28 && outcome.errors.contains("--resume continues it"), "\(outcome)")
        #expect(!states(folder).isEmpty && !FileManager.default.fileExists(atPath: folder.path("f")))
    }

    @Test("a transfer that another process pauses ends")
    func paused() async throws {
        let folder = try Program.Folder()
        let server = try RangeAnswers(Self.content, rate: 100 << 10)
        let script = #"""
            "$0" "$@" 2>"$ERRORS" & pid=$!
            for i in $(seq 300); do
                state=$(ls "$XDG_STATE_HOME"/airframe/transfers/*.db 2>/dev/null)
                [ "$state" ] && "$0" queue ls "$state" 2>/dev/null | grep -q running && break
                sleep 0.1
            done
            "$0" queue pause "$state" --all
            for i in $(seq 300); do kill -0 $pid 2>/dev/null || break; sleep 0.1; done
            kill -KILL $pid 2>/dev/null; wait $pid; echo "status $?"
            """#
        let outcome = try await Program.shell(
            script, ["download", "--resume", "-o", folder.path("f"), server.url],
            ["XDG_STATE_HOME": folder.path("state")])
        #expect(outcome.output == "status 1\n" && outcome.errors.contains("paused"), "\(outcome)")
    }

    @Test(
        "arguments that a transfer cannot use are refused",
        arguments: [
            ["download", "--segments", "0", "URL"], ["download", "--checksum", "x", "URL"],
            ["download", "--segments", "2", "--continue", "URL"], ["download", "--resume", "URL", "field=value"],
            ["upload", "--resume", "-", "URL"], ["upload", "--segments", "2", "FILE", "URL"],
            ["upload", "--resume", "/dev/null", "URL"],
            ["download", "--resume", "--auth", "digest", "--user", "ada:pw", "URL"],
        ])
    func refused(arguments: [String]) async throws {
        let folder = try Program.Folder()
        let file = try folder.write("content", "up")
        let outcome = try await run(
            folder, arguments.map { $0 == "URL" ? "http://127.0.0.1:1/f" : $0 == "FILE" ? file : $0 })
        #expect(outcome.status == 64, "\(outcome.output) \(outcome.errors)")
        #expect(states(folder).isEmpty)
    }

    @Test("an upload is resumed by the draft after a failure of the server, and its state is removed")
    func upload() async throws {
        let folder = try Program.Folder()
        let server = try UploadAnswers(receiving: 1_000_000)
        let path = folder.path("up")
        try Self.content.write(to: URL(filePath: path))
        let outcome = try await run(folder, ["upload", "--resume", "--checksum", path, server.url])
        #expect(outcome.status == 0 && outcome.output.contains("3.0 MB"), "\(outcome.output) \(outcome.errors)")
        #expect(server.content == Self.content)
        #expect(server.methods == ["PUT", "HEAD", "PATCH"])
        #expect(states(folder).isEmpty)
    }

    @Test("a failed upload keeps its state: --resume continues at the server's offset")
    func uploadResumed() async throws {
        let folder = try Program.Folder()
        let server = try UploadAnswers(receiving: 1_000_000)
        let path = folder.path("up")
        try Self.content.write(to: URL(filePath: path))
        let first = try await run(folder, ["upload", "--resume", "--retry", "0", path, server.url])
        #expect(first.status != 0 && first.errors.contains("--resume"), "\(first.errors)")
        #expect(!states(folder).isEmpty)
        let second = try await run(folder, ["upload", "--resume", path, server.url])
        #expect(second.status == 0, "\(second.errors)")
        #expect(server.content == Self.content)
        #expect(server.methods == ["PUT", "HEAD", "PATCH"])
    }
}
