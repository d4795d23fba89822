import Foundation
import NamespaceSupport
import Testing

@Suite("airframe-reachability", .timeLimit(.minutes(1)), .namespaces)
struct ToolTests {
    private struct Line: Decodable {
        struct Interface: Decodable {
            let name: String
            let kind: String
            let mtu: Int
        }

        let status: String
        let reason: String?
        let interface: String?
        let ipv4: Bool
        let interfaces: [Interface]
    }

    private func run(_ namespace: TestNamespace, _ arguments: String...) throws -> Shell.RunResult {
        try Shell.run(namespace.executing([Shell.tool] + arguments))
    }

    private func decode(_ line: String) throws -> Line { try JSONDecoder().decode(Line.self, from: Data(line.utf8)) }

    @Test("--once reports by its exit status whether the network is reachable")
    func once() throws {
        let namespace = try TestNamespace()
        let offline = try run(namespace, "--once")
        #expect(offline.status == 1)
        #expect(offline.output == "unsatisfied (no-interface), IPv4 no, IPv6 no\n")
        try namespace.addUplink("up0")
        let online = try run(namespace, "--once")
        #expect(online.status == 0)
        #expect(online.output == "satisfied, up0 virtualEthernet, via 10.0.1.1, IPv4 yes, IPv6 no\n")
        #expect(try run(namespace, "--once", "--quiet").output.isEmpty)
        #expect(try run(namespace, "--once", "--interface", "up0", "-q").status == 0)
        #expect(try run(namespace, "--once", "--interface=lo", "-q").status == 1)
        #expect(try run(namespace, "--once", "--host", "127.0.0.1", "-q").status == 0)
    }

    @Test("--json writes a line for each change")
    func json() throws {
        let namespace = try TestNamespace()
        let tool = try RunningProgram(namespace.executing([Shell.tool, "--json"]))
        #expect(try decode(#require(tool.line())).reason == "no-interface")
        try namespace.addUplink("up0")
        var last: Line?
        while last?.status != "satisfied" { last = try decode(#require(tool.line())) }
        #expect(last?.interface == "up0" && last?.ipv4 == true)
        #expect(last?.interfaces.map(\.kind).contains("loopback") == true)
        tool.end()
    }

    @Test("a name with special characters is escaped in JSON")
    func quoting() throws {
        let namespace = try TestNamespace()
        try Shell.check(["ip", "-n", namespace.name, "link", "add", "a\"\\b", "type", "veth", "peer", "name", "p"])
        let outcome = try run(namespace, "--once", "--json")
        #expect(try decode(outcome.output).interfaces.contains { $0.name == "a\"\\b" })
    }

    @Test("--wait ends when the network returns, or at its limit")
    func wait() throws {
        let namespace = try TestNamespace()
        let start = Date()
        #expect(try run(namespace, "--wait", "0.3", "-q").status == 1)
        #expect((0.3..<5).contains(Date().timeIntervalSince(start)))
        let waiting = try RunningProgram(namespace.executing([Shell.tool, "--wait", "30"]))
        #expect(waiting.line(within: 0.3) == nil)
        try namespace.addUplink("up0")
        #expect(waiting.line()?.hasPrefix("satisfied, up0") == true)
    }

    @Test("--wait waits for the command of --exec, and with 0 asks once")
    func waitAndHook() throws {
        let namespace = try TestNamespace()
        #expect(try run(namespace, "--wait", "0", "-q").status == 1)
        try namespace.addUplink("up0")
        let slow = try run(namespace, "--wait", "1", "-q", "--exec", "sleep 2; echo done")
        #expect(slow.status == 0 && slow.output == "done\n")
        for _ in 1...10 { #expect(try run(namespace, "--wait", "0", "-q").status == 0) }
    }

    @Test("--exec: the command inherits the environment, with its own variables in place of inherited ones")
    func inheritance() throws {
        let namespace = try TestNamespace()
        try namespace.addUplink("up0")
        let words = ["env", "AIRFRAME_STATUS=old", "OTHER=kept", Shell.tool, "--once", "-q", "--exec"]
        let command = #"echo "$OTHER $AIRFRAME_STATUS $(env | grep -c ^AIRFRAME_STATUS=)""#
        #expect(try Shell.run(namespace.executing(words + [command])).output == "kept satisfied 1\n")
    }

    @Test("--exec runs a command with the path in its environment")
    func hook() throws {
        let namespace = try TestNamespace()
        try namespace.addUplink("up0")
        let command = #"echo "$AIRFRAME_STATUS $AIRFRAME_INTERFACE $AIRFRAME_KIND $AIRFRAME_GATEWAY $AIRFRAME_IPV4""#
        let outcome = try run(namespace, "--once", "-q", "--exec", command)
        #expect(outcome.output == "satisfied up0 virtualEthernet 10.0.1.1 yes\n")
    }

    @Test("--exec runs the command on a machine with too many interfaces for AIRFRAME_JSON")
    func hookWithManyInterfaces() throws {
        let namespace = try TestNamespace()
        try namespace.batch((0..<400).map { "link add a\($0) type veth peer name b\($0)" })
        #expect(try run(namespace, "--once", "--json").output.utf8.count > 128 << 10)
        let outcome = try run(namespace, "--once", "-q", "--exec", #"echo "$AIRFRAME_STATUS ${#AIRFRAME_JSON}""#)
        #expect(outcome.output == "unsatisfied 0\n")
    }

    @Test("a change is reported if /etc/resolv.conf becomes a link, and if the file that it links to is written")
    func resolverLink() throws {
        let namespace = try TestNamespace()
        let files = FileManager.default
        let folder = files.temporaryDirectory.appending(path: "reach-etc-\(UUID().uuidString)")
        defer { try? files.removeItem(at: folder) }
        let (etc, other) = (folder.appending(path: "etc"), folder.appending(path: "other"))
        for created in [etc, other] { try files.createDirectory(at: created, withIntermediateDirectories: true) }
        let (link, target) = (etc.appending(path: "resolv.conf"), other.appending(path: "resolv.conf"))
        try Data("nameserver 192.0.2.1\n".utf8).write(to: link)
        try Data("nameserver 192.0.2.2\n".utf8).write(to: target)
        let script = #"mount --bind "$0" /etc && exec "$1" --json"#
        let words = ["unshare", "--mount", "bash", "-c", script, etc.path, Shell.tool]
        let tool = try RunningProgram(namespace.executing(words))
        #expect(try #require(tool.line()).contains("192.0.2.1"))
        try files.removeItem(at: link)
        try files.createSymbolicLink(at: link, withDestinationURL: target)
        var line = ""
        while !line.contains("192.0.2.2") { line = try #require(tool.line()) }
        try Data("nameserver 192.0.2.3\n".utf8).write(to: target)
        while !line.contains("192.0.2.3") { line = try #require(tool.line()) }
        tool.end()
    }

    @Test(
        "wrong arguments are named",
        arguments: [
            ["--wait"], ["--wait", "soon"], ["--wait", "-1"], ["--once", "--wait", "1"], ["--foo"], ["bar"],
            ["--json=1"],
        ]
    )
    func usage(arguments: [String]) throws {
        #expect(try Shell.run([Shell.tool] + arguments).status == 64)
    }

    @Test("--help shows examples")
    func help() throws {
        let outcome = try Shell.run([Shell.tool, "--help"])
        #expect(outcome.status == 0 && outcome.output.contains("EXAMPLES"))
    }
}
