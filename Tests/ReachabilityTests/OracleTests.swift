import AirframeReachability
import Foundation
import NamespaceSupport
import Testing

@Suite("The monitor and `ip -json` agree", .timeLimit(.minutes(2)), .namespaces)
struct OracleTests {
    @Test("after 500 random operations", arguments: [1, 2, 3, 4] as [UInt64])
    func randomOperations(seed: UInt64) async throws {
        let namespace = try TestNamespace()
        let probe = PathProbe(namespace.configuration)
        var random = Random(state: seed)
        for round in 0..<5 {
            try namespace.batch((0..<100).map { _ in Self.operation(&random) })
            let expected = try Picture(namespace)
            try await probe.settle()
            // A tentative address changes by itself (RFC 4862 §5.4): compare again.
            let watched = try #require(probe.last.map(Picture.init))
            let now = try Picture(namespace)
            #expect(
                watched == expected || watched == now, "seed \(seed), round \(round): \(watched.difference(from: now))")
            let fresh = Picture(try NetworkPathMonitor(namespace.configuration).currentPath())
            #expect(fresh == now || fresh == watched, "seed \(seed), round \(round): \(fresh.difference(from: now))")
        }
    }

    private static func operation(_ random: inout Random) -> String {
        let name = "v\(random.next(4))"
        let network = random.next(3)
        let metric = random.next(3) * 100
        let address = "10.\(network).0.\(random.next(5) + 1)/\([24, 16, 32][random.next(3)])"
        let address6 = "2001:db8:\(network)::\(random.next(5) + 1)/64"
        return [
            "link add \(name) type veth peer name \(name)p", "link add b\(random.next(2)) type bridge",
            "link set \(name) up", "link set \(name)p up", "link set \(name) up", "link set \(name)p up",
            "link set \(name) down", "link set \(name)p down", "link set \(name) mtu \(1300 + random.next(200))",
            "link set \(name) master b\(random.next(2))", "link set \(name) nomaster", "link del \(name)",
            "addr add \(address) dev \(name)", "addr add \(address) dev \(name)", "addr del \(address) dev \(name)",
            "addr add \(address6) dev \(name) nodad", "addr del \(address6) dev \(name)", "addr flush dev \(name)",
            "route add default dev \(name) metric \(metric)", "route replace default dev \(name) metric \(metric)",
            "route add default via 10.\(network).0.9 metric \(metric)", "route del default metric \(metric)",
            "route add blackhole default metric \(metric)", "route del blackhole default metric \(metric)",
            "-6 route add default dev \(name) metric \(metric + 1)",
            "-6 route add unreachable default metric \(metric + 1)",
            "-6 route del default metric \(metric + 1)",
            "route add default dev \(name) table 100",
            "rule add table 100 priority 50", "rule del priority 50",
        ][random.next(30)]
    }
}

/// The properties that both sides report.
private struct Picture: Equatable {
    var links: [String: String] = [:]
    var addresses: Set<String> = []
    var routes: [String] = []

    /// The properties that only one side reports.
    func difference(from other: Picture) -> [String] {
        func lines(_ picture: Picture) -> [String] {
            picture.links.map { "\($0): \($1)" } + picture.addresses + picture.routes
        }
        return lines(self).filter { !lines(other).contains($0) }.map { "monitor: \($0)" }
            + lines(other).filter { !lines(self).contains($0) }.map { "ip: \($0)" }
    }

    init(_ path: NetworkPath) {
        for interface in path.interfaces {
            let up = "\(interface.isUp ? "up" : "down") \(interface.hasCarrier ? "carrier" : "no carrier")"
            links[interface.name] =
                "\(interface.index) \(up) \(interface.state.rawValue.lowercased()) \(interface.mtu) "
                + "\(interface.driver ?? "") \(interface.hardwareAddress)"
            for address in interface.addresses {
                // The kernel announces an address only once it has found it unique.
                if address.flags.contains(.tentative) { continue }
                addresses.insert(
                    "\(interface.name) \(address.address)/\(address.prefixLength) \(address.scope.rawValue)")
            }
        }
        routes = path.defaultRoutes.map { route in
            let name = path.interfaces.first { $0.index == route.interfaceIndex }?.name
            let gateway = route.gateway?.description ?? ""
            return "\(route.version) \(route.action) \(name ?? "") \(gateway) \(route.metric) \(route.table)"
        }.sorted()
    }

    init(_ namespace: TestNamespace) throws {
        struct Link: Decodable {
            struct Info: Decodable { let info_kind: String? }
            struct Address: Decodable {
                let local: String
                let prefixlen: Int
                let scope: String
                let tentative: Bool?
            }

            let ifindex: Int
            let ifname: String
            let flags: [String]
            let operstate: String
            let mtu: Int
            let address: String
            let linkinfo: Info?
            let addr_info: [Address]?
        }
        struct Route: Decodable {
            let type: String?
            let gateway: String?
            let dev: String?
            let metric: Int?
            let table: String?
        }
        for link in try namespace.json("addr show", as: [Link].self) {
            let up = "\(link.flags.contains("UP") ? "up" : "down") "
            let carrier = link.flags.contains("LOWER_UP") ? "carrier" : "no carrier"
            links[link.ifname] =
                "\(link.ifindex) \(up)\(carrier) \(link.operstate.lowercased()) \(link.mtu) "
                + "\(link.linkinfo?.info_kind ?? "") \(link.address)"
            for address in link.addr_info ?? [] {
                if address.tentative == true { continue }
                addresses.insert("\(link.ifname) \(address.local)/\(address.prefixlen) \(address.scope)")
            }
        }
        for version in [4, 6] {
            for route in try namespace.json("-\(version) route show table all default", as: [Route].self) {
                let type = route.type ?? "unicast"
                if type != "unicast" && route.metric == 4_294_967_295 { continue }
                let action = type == "unicast" ? "forward" : type
                let device = type == "unicast" ? route.dev ?? "" : ""
                let table = route.table.map { $0 == "main" ? "254" : $0 } ?? "254"
                routes.append(
                    "ipv\(version) \(action) \(device) \(route.gateway ?? "") \(route.metric ?? 0) \(table)")
            }
        }
        routes.sort()
    }
}

/// A deterministic generator of random numbers.
struct Random {
    var state: UInt64

    mutating func next(_ bound: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(state >> 33) % bound
    }
}
