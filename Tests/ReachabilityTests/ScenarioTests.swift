import AirframeReachability
import Foundation
import NamespaceSupport
import Testing

@Suite("Paths in a namespace", .timeLimit(.minutes(1)), .namespaces)
struct ScenarioTests {
    private let namespace = try? TestNamespace()

    private func begin() throws -> (TestNamespace, PathProbe) {
        let namespace = try #require(namespace)
        return (namespace, PathProbe(namespace.configuration))
    }

    @Test("nothing but loopback: no interface, yet the machine itself is reachable")
    func loopbackOnly() async throws {
        let (namespace, probe) = try begin()
        try await probe.expect("no interface") { $0.reason == .noInterface && $0.interfaces.map(\.kind) == [.loopback] }
        var configuration = namespace.configuration
        configuration.host = "127.0.0.1"
        let path = try NetworkPathMonitor(configuration).currentPath()
        #expect(path.isSatisfied && path.host?.routes.first?.isLocal == true)
        configuration.host = "[::1]"
        #expect(try NetworkPathMonitor(configuration).currentPath().isSatisfied)
    }

    @Test("a cable is pulled and plugged in again, its static route staying")
    func cable() async throws {
        let (namespace, probe) = try begin()
        try namespace.addUplink("up0")
        try await probe.expect("satisfied") { $0.isSatisfied && $0.primaryInterface?.kind == .virtualEthernet }
        try namespace.ip("link set up0-p down")
        try await probe.expect("no carrier") { $0.reason == .noCarrier && !$0.defaultRoutes.isEmpty }
        try namespace.ip("link set up0-p up")
        try await probe.expect("satisfied again") { $0.isSatisfied }
    }

    @Test("an interface is switched off: the kernel removes IPv4's routes without an event")
    func switchedOff() async throws {
        let (namespace, probe) = try begin()
        try namespace.addUplink("up0")
        try await probe.expect("satisfied") { $0.isSatisfied }
        try namespace.ip("link set up0 down")
        try await probe.expect("unsatisfied, no routes") { !$0.isSatisfied && $0.defaultRoutes.isEmpty }
    }

    @Test("an address is lost and renewed")
    func address() async throws {
        let (namespace, probe) = try begin()
        try namespace.addCable("up0")
        try namespace.ip("addr add 10.0.1.2/24 dev up0")
        try namespace.ip("route add default dev up0")
        try await probe.expect("satisfied") { $0.isSatisfied }
        try namespace.ip("addr del 10.0.1.2/24 dev up0")
        try await probe.expect("no address") { $0.reason == .noAddress }
        try namespace.ip("addr add 10.0.1.9/24 dev up0")
        try namespace.ip("route replace default dev up0")
        try await probe.expect("satisfied again") { path in
            path.isSatisfied
                && path.primaryInterface?.addresses.contains { $0.address == IPAddress("10.0.1.9") } == true
        }
    }

    @Test("the default route is removed, replaced, and one of two with metrics is removed")
    func routes() async throws {
        let (namespace, probe) = try begin()
        try namespace.addUplink("up0", network: 1, metric: 100)
        try namespace.addUplink("up1", network: 2, metric: 200)
        try await probe.expect("the lower metric wins") {
            $0.primaryInterface?.name == "up0" && $0.defaultRoutes.map(\.metric) == [100, 200]
        }
        try namespace.ip("route del default metric 100")
        try await probe.expect("the other takes over") { $0.primaryInterface?.name == "up1" }
        try namespace.ip("route replace default via 10.0.2.77 dev up1 metric 200")
        try await probe.expect("its gateway is replaced") {
            $0.defaultRoutes.map(\.gateway) == [IPAddress("10.0.2.77")]
        }
        try namespace.ip("route del default")
        try await probe.expect("no route") { $0.reason == .noRoute }
    }

    @Test("routes that refuse", arguments: ["blackhole", "unreachable", "prohibit"])
    func refused(type: String) async throws {
        let (namespace, probe) = try begin()
        try namespace.addUplink("up0", metric: 100)
        try await probe.expect("satisfied") { $0.isSatisfied }
        try namespace.ip("route add \(type) default metric 5")
        try await probe.expect("refused") {
            $0.reason == .routeRefuses && $0.defaultRoutes.first?.action.rawValue == type
        }
        try namespace.ip("route del \(type) default metric 5")
        try await probe.expect("satisfied again") { $0.isSatisfied }
    }

    @Test("a multipath route is usable while one of its next hops is")
    func multipath() async throws {
        let (namespace, probe) = try begin()
        try namespace.addCable("up0")
        try namespace.addCable("up1")
        try namespace.ip("addr add 10.0.1.2/24 dev up0")
        try namespace.ip("addr add 10.0.2.2/24 dev up1")
        try namespace.ip("route add default nexthop via 10.0.1.1 dev up0 nexthop via 10.0.2.1 dev up1")
        try await probe.expect("two ways") { $0.isSatisfied && $0.defaultRoutes.count == 2 }
        try namespace.ip("link set up0-p down")
        try await probe.expect("one way") { $0.isSatisfied && $0.primaryInterface?.name == "up1" }
        try namespace.ip("link set up1-p down")
        try await probe.expect("none") { !$0.isSatisfied }
    }

    @Test("IPv6 only")
    func ipv6Only() async throws {
        let (namespace, probe) = try begin()
        try namespace.addCable("up0")
        try namespace.ip("-6 addr add 2001:db8::2/64 dev up0 nodad")
        try namespace.ip("-6 route add default via 2001:db8::1 dev up0")
        try await probe.expect("IPv6") { $0.isSatisfied && $0.supportsIPv6 && !$0.supportsIPv4 }
        try namespace.ip("-6 route del default")
        try await probe.expect("no route") { $0.reason == .noRoute }
    }

    @Test("an interface is renamed and deleted")
    func renamed() async throws {
        let (namespace, probe) = try begin()
        try namespace.addUplink("up0")
        try await probe.expect("satisfied") { $0.isSatisfied }
        try namespace.ip("link property add dev up0 altname uplink-alias")
        // The kernel renames only what is down, unless the driver lets it.
        try namespace.batch(["link set up0 down", "link set up0 name net7", "link set net7 up"])
        try await probe.expect("renamed") { $0.interfaces.contains { $0.name == "net7" } }
        try namespace.ip("link del net7")
        try await probe.expect("deleted") { $0.interfaces.map(\.name) == ["lo"] && $0.reason == .noInterface }
    }

    @Test("a port that leaves its bridge stays an interface")
    func bridge() async throws {
        let (namespace, probe) = try begin()
        try namespace.ip("link add br0 type bridge")
        try namespace.addCable("up0")
        try namespace.ip("link set up0 master br0")
        try await probe.expect("a bridge") { $0.interfaces.contains { $0.name == "br0" && $0.kind == .bridge } }
        try namespace.ip("link set up0 nomaster")
        try namespace.ip("link set br0 mtu 1400")
        try await probe.expect("both") { path in
            path.interfaces.contains { $0.name == "up0" }
                && path.interfaces.contains { $0.name == "br0" && $0.mtu == 1400 }
        }
    }

    @Test(
        "kinds of interfaces that the kernel has",
        arguments: [
            ("link add x0 type dummy", NetworkInterface.Kind.other), ("link add x0 type bridge", .bridge),
            ("tuntap add x0 mode tun", .tunnel), ("tuntap add x0 mode tap", .tunnel),
            ("link add x0 type wireguard", .tunnel), ("link add x0 type vxlan id 1 dstport 4789", .tunnel),
            ("link add x0 link base type macvlan", .ethernet), ("link add x0 link base type vlan id 5", .ethernet),
            ("link add x0 type bond", .ethernet), ("link add x0 type veth", .virtualEthernet),
            ("link add x0 type ifb", .other),
        ]
    )
    func kinds(command: String, kind: NetworkInterface.Kind) throws {
        let namespace = try #require(namespace)
        try namespace.addCable("base")
        let words = ["ip", "-n", namespace.name] + command.split(separator: " ").map(String.init)
        // A kernel that lacks the kind cannot show it; that is no fault of the monitor's.
        guard try Shell.run(words).status == 0 else { return }
        let path = try NetworkPathMonitor(namespace.configuration).currentPath()
        #expect(path.interfaces.first { $0.name == "x0" }?.kind == kind)
    }

    @Test("a VPN's rules: all but marked traffic goes to its table, near routes stay")
    func vpnRules() async throws {
        let (namespace, probe) = try begin()
        try namespace.addUplink("up0")
        try namespace.addCable("vpn0")
        try namespace.ip("addr add 10.9.0.2/32 dev vpn0")
        try namespace.ip("route add default dev vpn0 table 51820")
        try namespace.ip("rule add not fwmark 51820 table 51820 priority 100")
        try namespace.ip("rule add table main suppress_prefixlength 0 priority 90")
        try await probe.expect("by the VPN") { $0.primaryInterface?.name == "vpn0" }
        try namespace.ip("rule del priority 100")
        try await probe.expect("by the cable") { $0.primaryInterface?.name == "up0" }
    }

    @Test("whether a host is reachable follows from the kernel's route to it, regardless of the default routes")
    func host() async throws {
        let namespace = try #require(namespace)
        try namespace.addCable("up0")
        try namespace.ip("addr add 10.0.1.2/24 dev up0")
        var configuration = namespace.configuration
        configuration.host = "10.0.1.77"
        let near = PathProbe(configuration)
        configuration.host = "192.0.2.1"
        let far = PathProbe(configuration)
        try await near.expect("on the link") { $0.isSatisfied && $0.host?.routes.first?.gateway == nil }
        try await far.expect("no route") { $0.reason == .noRoute }
        try namespace.ip("route add 192.0.2.0/24 via 10.0.1.1")
        try await far.expect("a route") { $0.isSatisfied && $0.host?.routes.first?.gateway == IPAddress("10.0.1.1") }
        try namespace.ip("route add blackhole 192.0.2.1/32")
        try await far.expect("a blackhole") { !$0.isSatisfied }
        try namespace.ip("link set up0-p down")
        try await near.expect("no carrier") { $0.reason == .noCarrier }
    }

    @Test("a single interface can be checked")
    func interface() async throws {
        let namespace = try #require(namespace)
        try namespace.addUplink("up0", network: 1, metric: 100)
        try namespace.addUplink("up1", network: 2, metric: 200)
        var configuration = namespace.configuration
        configuration.interface = "up1"
        let probe = PathProbe(configuration)
        try await probe.expect("up1") { $0.primaryInterface?.name == "up1" }
        try namespace.ip("link set up1-p down")
        try await probe.expect("no carrier") { $0.reason == .noCarrier }
        try namespace.ip("link del up1")
        try await probe.expect("gone") { $0.reason == .noInterface }
    }
}
