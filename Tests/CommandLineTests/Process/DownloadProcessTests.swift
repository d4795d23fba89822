import AirframeConformance
import Foundation
import Testing

@Suite("airframe downloads", .timeLimit(.minutes(3)))
struct DownloadProcessTests {
    private static let content = String(repeating: "0123456789", count: 20_000)

    @Test("the file has the name that the server suggests, and is not replaced without --force")
    func name() async throws {
        let server = try ScriptedServer { connection in
            _ = try connection.readHead()
            try connection.send(
                "HTTP/1.1 200 OK\r\nContent-Disposition: attachment; filename=\"../a.txt\"\r\nContent-Length: 5\r\n\r\nhello"
            )
        }
        defer { server.stop() }
        let folder = try Program.Folder()
        let first = try await Program.run(["download", "--directory", folder.url.path, "\(server.origin)/a.txt"])
        #expect(first.status == 0 && first.output.contains("5 B"), "\(first.output) \(first.errors)")
        #expect(try folder.text("a.txt") == "hello", "the file is in the directory")
        let second = try await Program.run(["download", "--directory", folder.url.path, "\(server.origin)/a.txt"])
        #expect(second.status == 23 && second.errors.contains("--force"), "\(second.errors)")
        let third = try await Program.run([
            "download", "--force", "--directory", folder.url.path, "\(server.origin)/a.txt",
        ])
        #expect(third.status == 0, "\(third.errors)")
    }

    @Test("--continue resumes an interrupted download", arguments: ["sockets", "curl"])
    func resume(engine: String) async throws {
        let server = try ScriptedServer { connection in
            let head = try connection.readHead()
            let count = Self.content.utf8.count
            if let range = head.split(separator: "\r\n").first(where: { $0.lowercased().hasPrefix("range: bytes=") }),
                let start = Int(range.dropFirst("range: bytes=".count).dropLast())
            {
                try connection.send(
                    "HTTP/1.1 206 Partial Content\r\nETag: \"v1\"\r\nContent-Range: bytes \(start)-\(count - 1)/\(count)\r\n"
                        + "Content-Length: \(count - start)\r\n\r\n" + Self.content.dropFirst(start))
            } else {
                try connection.send(
                    "HTTP/1.1 200 OK\r\nETag: \"v1\"\r\nAccept-Ranges: bytes\r\nContent-Length: \(count)\r\n\r\n"
                        + Self.content.prefix(100_000))
                connection.close()
            }
        }
        defer { server.stop() }
        let folder = try Program.Folder()
        let file = folder.path("large.bin")
        let first = try await Program.run(["download", "--engine", engine, "-o", file, server.origin])
        #expect(first.status == 56 && first.errors.contains("--continue"), "\(first.status) \(first.errors)")
        let second = try await Program.run(["download", "--engine", engine, "-o", file, "--continue", server.origin])
        #expect(second.status == 0, "\(second.errors)")
        #expect(try folder.text("large.bin") == Self.content)
        #expect(!FileManager.default.fileExists(atPath: folder.path("large.bin.resume")))
    }

    @Test("a status of 400 or above leaves no file")
    func failure() async throws {
        let server = try Answers.fixed("no", status: "503 Service Unavailable")
        defer { server.stop() }
        let folder = try Program.Folder()
        let outcome = try await Program.run(["download", "-o", folder.path("a"), server.origin])
        #expect(outcome.status == 22 && outcome.errors.contains("503"), "\(outcome.errors)")
        #expect(!FileManager.default.fileExists(atPath: folder.path("a")))
    }
}
