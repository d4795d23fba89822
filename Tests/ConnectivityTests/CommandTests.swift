import AirframeTestSupport
import Foundation
import NamespaceSupport
import Testing

@Suite("airframe get without a network", .timeLimit(.minutes(2)), .namespaces)
struct CommandTests {
    private static let engines = ["curl", "sockets"]
    private static let tool = Command.built("airframe", []).path

    private func start(_ namespace: TestNamespace, _ engine: String, _ arguments: [String]) throws -> RunningProgram {
        // What it says of its waits is read with its output.
        let words = ["sh", "-c", "exec \"$0\" \"$@\" 2>&1", Self.tool, "get", "-v", "--engine", engine] + arguments
        return try RunningProgram(namespace.executing(["env", "-u", "http_proxy", "-u", "all_proxy"] + words))
    }

    /// The lines up to the first that contains `text`.
    private func lines(of program: RunningProgram, upTo text: String) -> [String] {
        var lines: [String] = []
        while let line = program.line(within: 40) {
            lines.append(line)
            if line.contains(text) { break }
        }
        return lines
    }

    @Test("waits for the network by --wait-for-connectivity, and its request succeeds", arguments: engines)
    func waits(engine: String) async throws {
        let server = try NamespaceServer()
        let program = try start(server.client, engine, ["--wait-for-connectivity", "--max-time", "90", server.url])
        let before = lines(of: program, upTo: "there is no path to")
        #expect(before.last == "* there is no path to 10.0.1.1: no permitted interface is up")
        #expect(server.answered == 0)
        try server.connect()
        let after = lines(of: program, upTo: "hello")
        #expect(after.first == "* there is a path to 10.0.1.1 again")
        #expect(after.last == "hello", "\(after)")
        #expect(program.waitForEnd() == 0)
        #expect(server.answered == 1)
    }

    @Test("waits while the cable is pulled, although address and routes are still there", arguments: engines)
    func pulledCable(engine: String) async throws {
        let server = try NamespaceServer()
        try server.connect()
        try server.client.ip("route add default via 10.0.1.1")
        try server.pull()
        let program = try start(server.client, engine, ["--wait-for-connectivity", server.url])
        #expect(lines(of: program, upTo: "there is no path to").last?.hasSuffix("the interface has no carrier") == true)
        try server.plug()
        #expect(lines(of: program, upTo: "hello").last == "hello")
        #expect(program.waitForEnd() == 0)
    }

    @Test("fails, and succeeds at its second attempt, by --retry-offline", arguments: engines)
    func retries(engine: String) async throws {
        let server = try NamespaceServer()
        let program = try start(server.client, engine, ["--retry-offline", "90", server.url])
        let before = lines(of: program, upTo: "there is no route to")
        #expect(before.last?.contains("failed in connect") == true, "\(before)")
        try server.connect()
        let after = lines(of: program, upTo: "hello")
        #expect(after.contains("* trying again") && after.last == "hello", "\(after)")
        #expect(program.waitForEnd() == 0)
        #expect(server.answered == 1)
    }

    @Test("gives up at --max-time, and reports the missing condition", arguments: engines)
    func givesUp(engine: String) async throws {
        let namespace = try TestNamespace()
        let arguments = ["--wait-for-connectivity", "--max-time", "0.5", "http://192.0.2.1/"]
        let program = try start(namespace, engine, arguments)
        let all = lines(of: program, upTo: "airframe: ")
        #expect(all.last?.contains("there was no path to 192.0.2.1 before the deadline") == true, "\(all)")
        #expect(program.waitForEnd() == 28)
    }

    @Test("gives up after --retry-offline, with the first error", arguments: engines)
    func retriesInVain(engine: String) async throws {
        let namespace = try TestNamespace()
        let program = try start(namespace, engine, ["--retry-offline", "0.3", "http://192.0.2.1/"])
        let all = lines(of: program, upTo: "airframe: ")
        #expect(all.last?.contains("there is no route to 192.0.2.1") == true, "\(all)")
        #expect(!all.contains("* trying again"))
        #expect(program.waitForEnd() == 7)
    }

    @Test("tries again by --retry, after other failures too", arguments: engines)
    func backoff(engine: String) async throws {
        let namespace = try TestNamespace()
        let program = try start(namespace, engine, ["--retry", "1", "http://127.0.0.1:9/"])
        let all = lines(of: program, upTo: "airframe: ")
        #expect(all.filter { $0 == "* trying again" }.count == 1, "\(all)")
        #expect(program.waitForEnd() == 7)
    }

    @Test("never waits for this machine itself", arguments: engines)
    func thisMachine(engine: String) async throws {
        let namespace = try TestNamespace()
        let arguments = ["--wait-for-connectivity", "--retry-offline", "90", "http://127.0.0.1:9/"]
        let program = try start(namespace, engine, arguments)
        let all = lines(of: program, upTo: "airframe: ")
        #expect(all.last?.contains("accepts a connection") == true, "\(all)")
        #expect(!all.contains { $0.contains("no path") || $0.contains("again") })
        #expect(program.waitForEnd() == 7)
    }
}
