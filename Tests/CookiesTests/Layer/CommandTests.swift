import Airframe
import AirframeConformance
import AirframeTestSupport
import Foundation
import Testing

@Suite("airframe get and cookies", .timeLimit(.minutes(1)))
struct CommandTests {
    @Test("--cookie-jar stores cookies between runs, --cookie sends one; without them no cookie is stored")
    func jar() async throws {
        let server = try ScriptedServer { connection in
            while true {
                let head = try connection.readHead()
                let cookies = head.components(separatedBy: "\r\n").filter { $0.lowercased().hasPrefix("cookie: ") }
                let body = cookies.joined(separator: " AND ")
                let set = "Set-Cookie: kept=1; Max-Age=999\r\nSet-Cookie: session=1\r\n"
                try connection.send("HTTP/1.1 200 OK\r\n\(set)Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
            }
        }
        let folder = try ScratchFolder()
        func run(_ arguments: String...) async throws -> String {
            let outcome = try await Command.built("airframe", ["get", server.origin + "/"] + arguments).run()
            #expect(outcome.status == 0)
            return outcome.output.lowercased()
        }
        for name in ["c.json", "c.txt"] {
            let path = folder.path(name)
            #expect(try await run("--cookie-jar", path) == "")
            #expect(try await run("--cookie-jar", path, "--cookie", "own=1") == "cookie: own=1; kept=1")
            #expect(
                try await run("--cookie-jar", path, "--keep-session-cookies", "--engine", "sockets") == "cookie: kept=1"
            )
            #expect(try await run("--cookie-jar", path) == "cookie: kept=1; session=1")
        }
        #expect(try await run("--cookie", "a=1", "--cookie", "b=2") == "cookie: a=1; b=2")
        #expect(try await run() == "")
    }

    @Test("--hsts-preload and --hsts send http requests by https to the hosts in their files")
    func policies() async throws {
        let server = try ScriptedServer { connection in
            // A TLS handshake begins with 0x16 (RFC 8446 §5.1): refused.
            guard try connection.readSome().first != 0x16 else { return }
            try connection.send("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok")
        }
        let folder = try ScratchFolder()
        let list = folder.path("list.txt")
        try "# hosts\nlocalhost\n".write(toFile: list, atomically: true, encoding: .utf8)
        let file = folder.path("hsts.json")
        func run(_ arguments: String...) async throws -> Command.RunResult {
            try await Command.built("airframe", ["get", "http://localhost:\(server.port)/"] + arguments).run()
        }
        #expect(try await run().output == "ok")
        let preloaded = try await run("--hsts-preload", list)
        #expect(preloaded.status != 0)
        #expect(preloaded.output.contains("https://localhost:\(server.port)"))
        #expect(try await run("--hsts", file).output == "ok")
        let store = try HSTSStore(file: file)
        store.learn("max-age=999", from: "localhost")
        try store.save()
        let learned = try await run("--hsts", file)
        #expect(learned.status != 0 && learned.output.contains("https://localhost"))
        let missing = try await run("--hsts-preload", folder.path("nowhere"))
        #expect(missing.status != 0 && missing.output.contains("nowhere"))
    }
}
