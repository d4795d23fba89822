import Foundation
import Glibc
import NamespaceSupport
import Testing

@Suite("The modes of airframe-reachability", .timeLimit(.minutes(1)), .namespaces)
struct ToolModeTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Tools/airframe-reachability")

    private static func document(_ name: String) throws -> String {
        try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
    }

    private func run(_ namespace: TestNamespace, _ arguments: String...) throws -> Shell.RunResult {
        try Shell.run(namespace.executing([Shell.tool] + arguments))
    }

    @Test("on a terminal the view is painted whole, and repainted at each change")
    func terminal() throws {
        let namespace = try TestNamespace()
        let tool = try RunningProgram(namespace.executing(["script", "-qec", Shell.tool, "/dev/null"]))
        let repaint = "\u{1B}[H\u{1B}[2J"
        #expect(tool.line() == repaint + "unsatisfied (no-interface), IPv4 no, IPv6 no\r")
        try namespace.addUplink("up0")
        var last = ""
        while let line = tool.line(), !last.hasPrefix(repaint + "satisfied") { last = line }
        #expect(last == repaint + "satisfied, up0 virtualEthernet, via 10.0.1.1, IPv4 yes, IPv6 no\r")
        var rest: [String] = []
        while let line = tool.line(), !line.hasPrefix("Ctrl-C") { rest.append(line) }
        #expect(rest.contains { $0.hasPrefix("up0 ") && $0.contains("virtualEthernet (veth)") })
        #expect(rest.contains { $0.hasPrefix("default IPv4 up0 via 10.0.1.1 metric 0") })
        tool.end()
    }

    @Test("--exec runs at the start and at each change, one after the other")
    func hook() throws {
        let namespace = try TestNamespace()
        let command = #"echo "$AIRFRAME_STATUS/$AIRFRAME_REASON/$AIRFRAME_IPV4/$AIRFRAME_EXPENSIVE/$AIRFRAME_METERED""#
        let tool = try RunningProgram(namespace.executing([Shell.tool, "--quiet", "--exec", command]))
        #expect(tool.line() == "unsatisfied/no-interface/no/no/unknown")
        try namespace.addUplink("up0")
        var last: String?
        repeat { last = tool.line() } while last != nil && last?.hasPrefix("satisfied") == false
        #expect(last == "satisfied//yes/no/unknown")
        try namespace.ip("route del default")
        repeat { last = tool.line() } while last != nil && last?.hasPrefix("unsatisfied") == false
        #expect(last == "unsatisfied/no-route/no/no/unknown")
        tool.end()
    }

    @Test("--exec: a command that fails or does not exist is reported and changes no exit status")
    func badHook() throws {
        let namespace = try TestNamespace()
        try namespace.addUplink("up0")
        #expect(try run(namespace, "--once", "-q", "--exec", "exit 3").status == 0)
        let words = ["sh", "-c", "\"$0\" --once -q --exec 'exit 3' 2>&1", Shell.tool]
        let output = try Shell.run(namespace.executing(words)).output
        #expect(output == "airframe-reachability: \"exit 3\" ended with status 3\n")
    }

    @Test("--exec: a command that a signal ends is reported with the signal")
    func killedHook() throws {
        let namespace = try TestNamespace()
        let words = ["sh", "-c", "\"$0\" --once -q --exec 'kill -TERM $$' 2>&1", Shell.tool]
        let output = try Shell.run(namespace.executing(words)).output
        #expect(output == "airframe-reachability: \"kill -TERM $$\" was ended by signal 15 (Terminated)\n")
    }

    @Test("--exec: the command does not ignore SIGPIPE")
    func hookWithDefaultSignals() throws {
        let namespace = try TestNamespace()
        let output = try run(namespace, "--once", "-q", "--exec", "grep SigIgn: /proc/self/status").output
        let digits = try #require(output.split(separator: "\t").last).trimmingCharacters(in: .newlines)
        let ignored = try #require(UInt64(digits, radix: 16))
        #expect(ignored & 1 << (SIGPIPE - 1) == 0, "\(output)")
    }

    @Test("a reader that has closed the pipe ends it with status 2")
    func closedPipe() throws {
        let namespace = try TestNamespace()
        let flag = FileManager.default.temporaryDirectory.appending(path: "closed-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: flag) }
        let script = #"""
            exec 3>&1
            { while [ ! -e "$1" ]; do sleep 0.05; done; "$0" --once; echo "status $?" >&3; } | { exec <&-; : >"$1"; }
            """#
        let outcome = try Shell.run(namespace.executing(["sh", "-c", script, Shell.tool, flag]))
        #expect(outcome.output == "status 2\n")
    }

    @Test("--host checks the route to the host, and --json reports it")
    func host() throws {
        let namespace = try TestNamespace()
        try namespace.addCable("up0")
        try namespace.ip("addr add 10.0.1.2/24 dev up0")
        #expect(try run(namespace, "--once", "-q").status == 1)
        let near = try run(namespace, "--once", "--json", "--host", "10.0.1.9")
        #expect(near.status == 0)
        let route = #"{"address":"10.0.1.9","reachable":true,"interface":"up0","gateway":null,"local":false}"#
        #expect(near.output.contains(#""host":{"name":"10.0.1.9","routes":["# + route + "]}"))
        #expect(try run(namespace, "--once", "-q", "--host", "192.0.2.1").status == 1)
        #expect(try run(namespace, "--wait", "0.1", "-q", "--host=10.0.1.9").status == 0)
        #expect(try run(namespace, "--wait", "0.1", "-q", "--host=192.0.2.1").status == 1)
    }

    @Test("--interface considers one interface, and waits for it to appear")
    func interface() throws {
        let namespace = try TestNamespace()
        try namespace.addUplink("up0")
        let tool = try RunningProgram(namespace.executing([Shell.tool, "--interface", "up1", "--wait", "50"]))
        try namespace.addUplink("up1", network: 2, metric: 50)
        #expect(tool.line(within: 40)?.hasPrefix("satisfied, up1") == true)
        #expect(tool.waitForEnd() == 0)
    }

    @Test("a kernel that does not answer, or output that cannot be written, ends it with status 2")
    func failures() throws {
        let namespace = try TestNamespace()
        // No descriptor is left for a socket.
        let starved = try Shell.run(
            namespace.executing(["sh", "-c", "ulimit -n 3; exec \"$0\" --once -q", Shell.tool]))
        #expect(starved.status != 0 && starved.status != 1)
        let deaf = ["sh", "-c", "\"$0\" --once >/dev/full", Shell.tool]
        #expect(try Shell.run(namespace.executing(deaf)).status == 2)
    }

    @Test("the manual page has every field of the JSON, every option and every variable")
    func manual() throws {
        let namespace = try TestNamespace()
        try namespace.addUplink("up0")
        let manual = try Self.document("airframe-reachability.1").replacingOccurrences(of: "\\-", with: "-")
        let output = try run(namespace, "--once", "--json", "--host", "10.0.1.1").output
        let fields = Set(output.matches(of: /"([A-Za-z0-9]+)":/).map { String($0.output.1) })
        #expect(fields.count > 25)
        #expect(fields.filter { !manual.contains($0) } == [])
        let help = try run(namespace, "--help").output
        let options = Set(help.matches(of: /--[a-z]+|AIRFRAME_[A-Z0-9]+/).map { String($0.output) })
        #expect(options.count > 14)
        #expect(options.filter { !manual.contains($0) } == [])
        #expect(help.split(separator: "\n").allSatisfy { $0.count <= 100 })
    }

    @Test("the sample unit calls it with valid arguments")
    func unit() throws {
        let unit = try Self.document("airframe-reachability-wait@.service")
        let line = try #require(unit.split(separator: "\n").first { $0.hasPrefix("ExecStart=") })
        let words = line.split(separator: " ").dropFirst().map { $0 == "%i" ? "127.0.0.1" : String($0) }
        let namespace = try TestNamespace()
        #expect(try Shell.run(namespace.executing([Shell.tool] + words)).status == 0)
    }
}
