import AirframeReachability
import CNetlink
import Foundation
import Glibc
import NamespaceSupport
import Testing

@Suite("The monitor in restricted environments", .timeLimit(.minutes(1)), .namespaces)
struct EnvironmentTests {
    private func run(_ namespace: TestNamespace, _ words: [String]) throws -> Shell.RunResult {
        try Shell.run(namespace.executing(words))
    }

    @Test("needs no privileges: root without capabilities suffices")
    func noPrivileges() throws {
        let namespace = try TestNamespace()
        try namespace.addUplink("up0")
        let bare = ["setpriv", "--bounding-set=-all", "--inh-caps=-all", "--no-new-privs"]
        // What shows that the privileges are gone.
        #expect(try run(namespace, bare + ["ip", "link", "set", "up0", "down"]).status != 0)
        let outcome = try run(namespace, bare + [Shell.tool, "--once"])
        #expect(outcome.status == 0)
        #expect(outcome.output == "satisfied, up0 virtualEthernet, via 10.0.1.1, IPv4 yes, IPv6 no\n")
    }

    @Test("needs no sysfs")
    func noSysfs() throws {
        let namespace = try TestNamespace()
        try namespace.addUplink("up0")
        try namespace.ip("link add br0 type bridge")
        let script = "while umount -l /sys 2>/dev/null; do :; done; test ! -e /sys/class && exec \"$0\" --once --json"
        let outcome = try run(namespace, ["sh", "-c", script, Shell.tool])
        #expect(outcome.status == 0)
        #expect(outcome.output.contains(#""name":"up0","kind":"virtualEthernet""#))
        #expect(outcome.output.contains(#""name":"br0","kind":"bridge""#))
    }

    @Test("follows changes without privileges, with only loopback")
    func loopbackAlone() throws {
        let namespace = try TestNamespace()
        let words = ["setpriv", "--bounding-set=-all", "--inh-caps=-all", Shell.tool]
        let tool = try RunningProgram(namespace.executing(words))
        #expect(tool.line() == "unsatisfied (no-interface), IPv4 no, IPv6 no")
        try namespace.addUplink("up0")
        var last: String?
        repeat { last = tool.line() } while last != nil && last?.hasPrefix("satisfied") == false
        #expect(last == "satisfied, up0 virtualEthernet, via 10.0.1.1, IPv4 yes, IPv6 no")
    }

    @Test("messages of other processes to its socket are dropped")
    func forgedEvents() async throws {
        let namespace = try TestNamespace()
        try namespace.addUplink("up0")
        let probe = PathProbe(namespace.configuration)
        try await probe.settle()
        let forger = try NetworkNamespace(path: "/run/netns/\(namespace.name)").run { airframe_netlink_socket() }
        defer { close(forger) }
        let forgery = MessageBuilder.link(77, "forged0")
        let ports = try Self.ports(in: namespace)
        #expect(!ports.isEmpty)
        for port in ports {
            var address = sockaddr_nl()
            address.nl_family = UInt16(AF_NETLINK)
            address.nl_pid = port
            let sent = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    sendto(forger, forgery, forgery.count, 0, $0, socklen_t(MemoryLayout<sockaddr_nl>.size))
                }
            }
            #expect(sent == forgery.count, "the forgery to port \(port) was not taken: \(errno)")
        }
        // It is read in order, so that the forgery has been read when this has.
        try namespace.ip("link set up0 mtu 1234")
        try await probe.expect("a true event") { path in
            path.interfaces.contains { $0.name == "up0" && $0.mtu == 1234 }
        }
        #expect(!probe.paths.contains { path in path.interfaces.contains { $0.name == "forged0" } })
    }

    /// The ports of the sockets that listen to the kernel's routing events in a namespace.
    private static func ports(in namespace: TestNamespace) throws -> [UInt32] {
        let table = try Shell.check(namespace.executing(["cat", "/proc/net/netlink"])).split(separator: "\n")
        // Address, protocol (0 is routing), port, groups.
        return table.dropFirst().compactMap { line in
            let words = line.split(separator: " ")
            guard words.count > 4, words[1] == "0", words[3] != "00000000" else { return nil }
            return UInt32(words[2])
        }
    }

    @Test("reports the missing network, not the name, for a host that cannot be looked up")
    func nameWithoutNetwork() async throws {
        let namespace = try TestNamespace()
        var configuration = namespace.configuration
        configuration.host = "no-such-host.invalid"
        let probe = PathProbe(configuration)
        try await probe.expect("no interface") { $0.reason == .noInterface }
        try namespace.addCable("up0")
        try namespace.ip("addr add 10.0.1.2/24 dev up0")
        try await probe.expect("no route") { $0.reason == .noRoute }
        try namespace.ip("route add default via 10.0.1.1")
        try await probe.expect("no such name", within: 30) { $0.reason == .hostNotFound }
        #expect(!probe.paths.contains { $0.reason == .hostNotFound && !$0.supportsIPv4 })
        try namespace.ip("link set up0-p down")
        try await probe.expect("no carrier") { $0.reason == .noCarrier }
    }
}
