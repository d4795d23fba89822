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
        let other = try await Program.run(["download", "--directory", folder.url.path, "\(server.origin)/other"])
        #expect(other.status == 23 && other.errors.contains("File exists"), "\(other.errors)")
        #expect(other.errors.contains("hint: --force replaces it"), "\(other.errors)")
    }

    @Test("--force replaces no directory that the server names", arguments: [[], ["--force"]])
    func directory(options: [String]) async throws {
        let server = try ScriptedServer { connection in
            _ = try connection.readHead()
            try connection.send(
                "HTTP/1.1 200 OK\r\nContent-Disposition: attachment; filename=\"docs\"\r\nContent-Length: 5\r\n\r\nhello"
            )
        }
        defer { server.stop() }
        let folder = try Program.Folder()
        try FileManager.default.createDirectory(atPath: folder.path("docs"), withIntermediateDirectories: false)
        _ = try folder.write("kept", "docs/letter")
        let outcome = try await Program.run(
            ["download"] + options + ["--directory", folder.url.path, "\(server.origin)/a.bin"])
        #expect(outcome.status == 23 && outcome.errors.contains("docs is not a regular file"), "\(outcome)")
        #expect(try folder.text("docs/letter") == "kept")
    }

    @Test("a file FILE.resume that no download has left is neither removed nor replaced")
    func foreignResumeFile() async throws {
        let server = try ScriptedServer { connection in
            let isBroken = try connection.readHead().hasPrefix("GET /broken ")
            try connection.send(
                "HTTP/1.1 200 OK\r\nETag: \"v1\"\r\nAccept-Ranges: bytes\r\nContent-Length: 10\r\n\r\n"
                    + (isBroken ? "01234" : "0123456789"))
            connection.close()
        }
        defer { server.stop() }
        let folder = try Program.Folder()
        for (path, status) in [("broken", 56), ("whole", 0)] as [(String, Int32)] {
            _ = try folder.write(#"{"url":"https://jane.test/"}"#, "jane.resume")
            let outcome = try await Program.run(["download", "-o", folder.path("jane"), "\(server.origin)/\(path)"])
            #expect(outcome.status == status, "\(outcome)")
            #expect(outcome.errors.contains("jane.resume is another file") == (status != 0), "\(outcome)")
            #expect(try folder.text("jane.resume") == #"{"url":"https://jane.test/"}"#)
        }
        #expect(try folder.text("jane") == "0123456789")
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

    @Test("--continue sends the URL, the credentials and the fields of the command line")
    func resumeWithCredentials() async throws {
        let server = try ScriptedServer { connection in
            let head = try connection.readHead()
            if head.lowercased().contains("\r\nrange: ") {
                try connection.send(
                    "HTTP/1.1 206 Partial Content\r\nETag: \"v1\"\r\nContent-Range: bytes 5-9/10\r\n"
                        + "Content-Length: 5\r\n\r\n56789")
            } else {
                try connection.send(
                    "HTTP/1.1 200 OK\r\nETag: \"v1\"\r\nAccept-Ranges: bytes\r\nContent-Length: 10\r\n\r\n01234")
                connection.close()
            }
        }
        defer { server.stop() }
        let folder = try Program.Folder()
        let file = folder.path("f")
        let first = try await Program.run(["download", "--bearer", "old", "-o", file, "\(server.origin)/f?t=1"])
        #expect(first.status == 56, "\(first)")
        let words = ["download", "--continue", "-o", file]
        let foreign = try await Program.run(words + ["\(server.origin)/g"])
        #expect(foreign.status == 64 && foreign.errors.contains("not of this URL"), "\(foreign)")
        let second = try await Program.run(
            words + ["--bearer", "new", "-H", "X-A: b", "-H", "Range: bytes=0-", "\(server.origin)/f?t=2"])
        #expect(second.status == 0, "\(second)")
        #expect(try folder.text("f") == "0123456789")
        let head = try #require(server.connections.last).receivedText.lowercased()
        #expect(head.hasPrefix("get /f?t=2 "), "\(head)")
        #expect(head.contains("\r\nauthorization: bearer new\r\n") && head.contains("\r\nx-a: b\r\n"), "\(head)")
        #expect(head.contains("\r\nrange: bytes=5-\r\n"), "\(head)")
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
