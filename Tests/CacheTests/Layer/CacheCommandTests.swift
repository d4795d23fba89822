import AirframeConformance
import AirframeTestSupport
import Foundation
import Testing

@Suite("airframe get --cache and airframe cache", .timeLimit(.minutes(1)))
struct CacheCommandTests {
    @Test("a stored response answers the next run; ls, show, verify and rm manage the folder")
    func commands() async throws {
        let count = Values<Int>()
        let server = try ScriptedServer { connection in
            while true {
                try connection.readHead()
                count.append(1)
                let fields = "Cache-Control: max-age=600\r\nSet-Cookie: secret=hunter2\r\n"
                try connection.send("HTTP/1.1 200 OK\r\n\(fields)Content-Length: 7\r\n\r\ncontent")
            }
        }
        let folder = ScratchFolder()
        let url = server.origin + "/a?token=hunter2"
        func run(_ arguments: String..., status: Int32 = 0) async throws -> String {
            let outcome = try await Command.built("airframe", arguments).run()
            #expect(outcome.status == status, "\(outcome.output)")
            return outcome.output
        }
        for engine in ["curl", "sockets"] {
            #expect(try await run("get", "--engine", engine, "--cache", folder.path, url) == "content")
        }
        #expect(count.all.count == 1)
        #expect(try await run("get", url) == "content")
        #expect(count.all.count == 2)
        let list = try await run("cache", "ls", folder.path)
        #expect(list.hasPrefix("200\t7\tage ") && list.contains(server.origin) && !list.contains("hunter2"))
        #expect(try await run("cache", "ls", "--show-secrets", folder.path).contains("hunter2"))
        let head = try await run("cache", "show", folder.path, url)
        #expect(head.contains("Cache-Control: max-age=600") && !head.contains("hunter2"))
        #expect(try await run("cache", "show", "--body", folder.path, url) == "content")
        #expect(try await run("cache", "verify", folder.path) == "1 intact, 0 damaged\n")
        _ = try await run("cache", "rm", folder.path, url)
        #expect(try await run("cache", "ls", folder.path) == "")
        _ = try await run("cache", "ls", folder.path + "/none", status: 64)
    }
}
