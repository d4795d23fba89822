import AirframeConformance
import AirframeHAR
import Foundation
import Testing

@Suite("airframe har replay", .timeLimit(.minutes(3)))
struct ReplayProcessTests {
    /// Writes an archive of requests that were answered with 200.
    private func archive(_ urls: [String], in folder: Program.Folder) throws -> String {
        let entries = urls.map { url in
            HAR.Entry(
                startedDateTime: Date(timeIntervalSince1970: 0), time: 1,
                request: HAR.Request(method: "GET", url: url), response: HAR.Response(status: 200),
                timings: HAR.Timings(send: 0, wait: 1, receive: 0))
        }
        return try folder.write(String(decoding: HAR.Log(entries: entries).data, as: UTF8.self), "a.har")
    }

    @Test(
        "--origin replaces scheme, host, port and user information",
        arguments: [
            "https://ada:pw@recorded.invalid:8443/a%2Fb?q=1", "http://recorded%2Einvalid/a%2Fb?q=1",
            "http://b\u{FC}cher.invalid/a%2Fb?q=1", "http://recorded.invalid/a%2Fb?q=1",
        ])
    func origin(url: String) async throws {
        let server = try Answers.fixed("{}")
        defer { server.stop() }
        let folder = try Program.Folder()
        let file = try archive([url], in: folder)
        let outcome = try await Program.run(["har", "replay", "--origin", server.origin, file])
        #expect(outcome.status == 0, "\(outcome)")
        let received = try #require(server.connections.first).receivedText
        #expect(received.hasPrefix("GET /a%2Fb?q=1 HTTP/1.1\r\n"), "\(received)")
        #expect(!received.lowercased().contains("authorization"), "\(received)")
    }

    @Test("--header replaces a recorded field, or leaves it out")
    func fields() async throws {
        let server = try Answers.fixed("{}")
        defer { server.stop() }
        let folder = try Program.Folder()
        let headers = [HAR.Header(name: "X-A", value: "1"), HAR.Header(name: "X-B", value: "1")]
        let entry = HAR.Entry(
            startedDateTime: Date(timeIntervalSince1970: 0), time: 1,
            request: HAR.Request(method: "GET", url: "\(server.origin)/", headers: headers),
            response: HAR.Response(status: 200), timings: HAR.Timings(send: 0, wait: 1, receive: 0))
        let file = try folder.write(String(decoding: HAR.Log(entries: [entry]).data, as: UTF8.self), "a.har")
        let outcome = try await Program.run(["har", "replay", "-H", "X-A: 2", "-H", "X-B:", file])
        #expect(outcome.status == 0, "\(outcome)")
        let received = try #require(server.connections.first).receivedText.lowercased()
        #expect(received.contains("\r\nx-a: 2\r\n") && !received.contains("x-b"), "\(received)")
    }

    @Test("cookies are saved if a replay fails")
    func cookiesAfterFailure() async throws {
        let server = try ScriptedServer { connection in
            try connection.readHead()
            try connection.send("HTTP/1.1 200 OK\r\nSet-Cookie: a=1; Max-Age=1000\r\nContent-Length: 0\r\n\r\n")
        }
        defer { server.stop() }
        let folder = try Program.Folder()
        let file = try archive(["\(server.origin)/"], in: folder)
        let outcome = try await Program.run([
            "har", "replay", "--cookie-jar", folder.path("jar.txt"), file, "1", "7",
        ])
        #expect(outcome.status == 64 && outcome.errors.contains("no exchange 7"), "\(outcome)")
        #expect(try folder.text("jar.txt").contains("\ta\t1"))
    }

    @Test("an empty archive is shown, listed and replayed", arguments: ["show", "ls", "replay"])
    func empty(command: String) async throws {
        let folder = try Program.Folder()
        let file = try archive([], in: folder)
        let outcome = try await Program.run(["har", command, file])
        #expect(outcome.status == 0 && outcome.output.isEmpty && outcome.errors.isEmpty, "\(outcome)")
    }

    @Test("an entry without an origin, and an --origin that is none, are refused")
    func noOrigin() async throws {
        let folder = try Program.Folder()
        let file = try archive(["data:,x"], in: folder)
        let entry = try await Program.run(["har", "replay", "--origin", "http://127.0.0.1:1", file])
        #expect(entry.status == 64 && entry.errors.contains("has no origin"), "\(entry)")
        for origin in ["127.0.0.1:1", "ftp://h", "http://h/path", "http://u@h", "http://h?q"] {
            let outcome = try await Program.run(["har", "replay", "--origin", origin, file])
            #expect(outcome.status == 64 && outcome.errors.contains("--origin"), "\(outcome)")
        }
    }
}
