import AirframeTestSupport
import Foundation
import Testing

@Suite("airframe queue", .timeLimit(.minutes(2)))
struct QueueCommandTests {
    private func airframe(_ arguments: String...) async throws -> Command.RunResult {
        try await Command.built("airframe", ["queue"] + arguments).run(environment: ["NO_PROXY": "*"])
    }

    @Test("transfers are added, listed, run and removed; a pipe gets no bars")
    func workflow() async throws {
        let folder = try ScratchFolder()
        let content = pseudorandom(200_000, seed: 2)
        let server = try RangeServer(["/f": ServedFile(content: content)])
        let uploads = try UploadServer(.tus)
        let queue = folder.file("queue.db").path
        let file = try folder.file("up", content)
        let url = server.url("/f").absoluteString
        let first = try await airframe("add", queue, url, "-o", folder.file("f").path, "--segments", "2", "--tag", "t")
        #expect(first.output == "1\n")
        let second = try await airframe(
            "add", queue, uploads.url.absoluteString, "--upload", file.path, "--tus", "--after", "1")
        #expect(second.output == "2\n")
        let waiting = try await airframe("ls", queue)
        #expect(waiting.output.split(separator: "\n").map { $0.split(separator: "\t")[1] } == ["waiting", "waiting"])
        let run = try await airframe("run", queue)
        #expect(run.status == 0 && run.output.isEmpty, "\(run.output)")
        #expect(try Data(contentsOf: folder.file("f")) == content)
        #expect(uploads.contents == [content])
        let completed = try await airframe("ls", queue, "--tag", "t")
        #expect(completed.output.hasPrefix("1\tcompleted\t200000/200000\tdown\t"))
        #expect(try await airframe("watch", queue).output.contains("2/2"))
        #expect(try await airframe("rm", queue, "--all").status == 0)
        #expect(try await airframe("ls", queue).output.isEmpty)
    }

    @Test("a failed transfer is reported on standard error, and the exit status is 1")
    func failing() async throws {
        let folder = try ScratchFolder()
        let server = try RangeServer(["/f": ServedFile(content: Data(), status: 404)])
        let queue = folder.file("queue.db").path
        _ = try await airframe(
            "add", queue, server.url("/f").absoluteString + "?token=hidden", "-o", folder.file("f").path)
        let run = try await airframe("run", queue)
        #expect(run.status == 1)
        #expect(run.output.contains("404") && run.output.contains("transfer 1"), "\(run.output)")
        #expect(!run.output.contains("hidden"))
        #expect(try await !airframe("ls", queue).output.contains("hidden"))
        #expect(try await airframe("rm", queue, "1").status == 0)
        #expect(folder.names.isEmpty)
    }

    @Test("a paused transfer does not run until it is resumed")
    func pausing() async throws {
        let folder = try ScratchFolder()
        let server = try RangeServer(["/f": ServedFile(content: Data("abc".utf8))])
        let queue = folder.file("queue.db").path
        _ = try await airframe("add", queue, server.url("/f").absoluteString, "-o", folder.file("f").path)
        #expect(try await airframe("pause", queue, "1").status == 0)
        #expect(try await airframe("run", queue).status == 0)
        #expect(folder.names.isEmpty)
        #expect(try await airframe("resume", queue, "1").status == 0)
        #expect(try await airframe("run", queue).status == 0)
        #expect(folder.names == ["f"])
    }

    @Test("SIGTERM stops a run with status 143 and keeps the progress")
    func terminated() async throws {
        let folder = try ScratchFolder()
        let server = try RangeServer(["/f": ServedFile(content: pseudorandom(4 << 20, seed: 1), rate: 1 << 20)])
        let queue = folder.file("queue.db").path
        _ = try await airframe("add", queue, server.url("/f").absoluteString, "-o", folder.file("f").path)
        let process = Process()
        process.executableURL = URL(filePath: Command.built("airframe", []).path)
        process.arguments = ["queue", "run", queue]
        try process.run()
        try await eventually("the content") { server.sentBytes >= 200_000 }
        process.terminate()
        process.waitUntilExit()
        #expect(process.terminationStatus == 143)
        #expect(try await airframe("ls", queue).output.contains("\twaiting\t"))
        server.change("/f") { $0.rate = nil }
        #expect(try await airframe("run", queue).status == 0)
        #expect(server.ranges.count == 1)
    }

    @Test("credentials of a header file are not stored")
    func credentials() async throws {
        let folder = try ScratchFolder()
        let server = try RangeServer(["/f": ServedFile(content: Data("abc".utf8))])
        let queue = folder.file("queue.db").path
        let secrets = try folder.file("token", Data("# a comment\nAuthorization: Bearer very-secret\n".utf8))
        _ = try await airframe("add", queue, server.url("/f").absoluteString, "-o", folder.file("f").path)
        #expect(try await airframe("run", queue, "--header-file", secrets.path).status == 0)
        #expect(server.requests.first?["Authorization"] == "Bearer very-secret")
        #expect(try Data(contentsOf: folder.file("queue.db")).range(of: Data("very-secret".utf8)) == nil)
    }

    @Test(
        "invalid arguments are rejected with a message",
        arguments: [
            ["add", "Q", "no url"], ["add", "Q", "http://a.test/"], ["add", "Q", "http://a.test/f", "-H", "no header"],
            ["add", "Q", "http://a.test/f", "-H", "Authorization: x"],
            ["add", "Q", "http://a.test/f", "--checksum", "x"],
            ["add", "Q", "http://a.test/f", "--segments", "99"], ["add", "Q", "http://a.test/f", "--after", "7"],
            ["run", "missing"], ["run", "Q", "--quiet-hours", "x"], ["run", "Q", "--limit-rate", "-1"], ["pause", "Q"],
            ["rm", "Q", "1", "--all"],
        ])
    func refused(arguments: [String]) async throws {
        let folder = try ScratchFolder()
        let paths = ["Q": folder.file("queue.db").path, "missing": folder.file("missing").path]
        let outcome = try await Command.built("airframe", ["queue"] + arguments.map { paths[$0] ?? $0 }).run()
        #expect(outcome.status != 0)
        let prefixes = ["airframe: ", "Error: "]
        #expect(prefixes.contains { outcome.output.contains($0) }, "\(outcome.output)")
    }
}
