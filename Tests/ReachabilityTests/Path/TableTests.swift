import AirframeReachability
import CNetlink
import Testing

@Suite("The path from the kernel's tables", .timeLimit(.minutes(1)))
struct TableTests {
    private func path(_ messages: [[UInt8]], only: String? = nil) throws -> NetworkPath {
        var table = NetworkTable()
        let bytes = messages.flatMap(\.self)
        let contents = try NetlinkMessage.parse(bytes.span.bytes).map(\.content)
        for content in contents { _ = table.apply(content) }
        table.replace(dump: contents)
        return table.path(only: only) { _ in .ethernet }
    }

    private let link = MessageBuilder.link(2, "eth0")
    private let other = MessageBuilder.link(3, "eth1")
    private let address = MessageBuilder.address(2, [10, 0, 0, 2])
    private let route = MessageBuilder.route(through: 2, via: [10, 0, 0, 1])

    @Test("a link, an address and a default route make a path")
    func satisfied() throws {
        let path = try path([link, address, route])
        #expect(path.isSatisfied && path.supportsIPv4 && !path.supportsIPv6 && path.primaryInterface?.name == "eth0")
    }

    @Test("the lowest missing layer is the reason")
    func reasons() throws {
        #expect(try path([]).reason == .noInterface)
        #expect(try path([MessageBuilder.link(2, "eth0", flags: 0)]).reason == .noInterface)
        #expect(try path([MessageBuilder.link(2, "eth0", flags: 0x3), address, route]).reason == .noCarrier)
        #expect(try path([link, route]).reason == .noAddress)
        #expect(try path([link]).reason == .noAddress)
        #expect(try path([link, address]).reason == .noRoute)
        #expect(try path([link, address, route], only: "eth1").reason == .noInterface)
    }

    @Test("a tentative or duplicate address does not count (RFC 4862 §5.4)", arguments: [0x40, 0x08, 0x48] as [UInt32])
    func unusable(flags: UInt32) throws {
        #expect(try path([link, MessageBuilder.address(2, [10, 0, 0, 2], flags: flags), route]).reason == .noAddress)
    }

    @Test("the kernel's choice counts, not the best route: the lowest metric leads to an unplugged cable")
    func lowestMetric() throws {
        let dead = MessageBuilder.link(3, "eth1", flags: 0x3)
        let worse = MessageBuilder.route(through: 2, via: [10, 0, 0, 1], metric: 200)
        let better = MessageBuilder.route(through: 3, via: [10, 0, 1, 1], metric: 100)
        let path = try path([link, dead, address, worse, better])
        #expect(path.reason == .noCarrier)
        #expect(path.defaultRoutes.map(\.metric) == [100, 200])
    }

    @Test("rules lead to tables in their order; marked traffic's rules are not for all")
    func rules() throws {
        let vpn = MessageBuilder.route(through: 3, via: [10, 9, 0, 1], table: 51820)
        let base = [link, other, address, route, vpn, MessageBuilder.rule(32766, table: 254)]
        #expect(try path(base + [MessageBuilder.rule(9, table: 51820)]).primaryInterface?.name == "eth1")
        #expect(try path(base + [MessageBuilder.rule(9, table: 51820, mark: 7)]).primaryInterface?.name == "eth0")
        let inverted = MessageBuilder.rule(9, table: 51820, mark: 7, inverted: true)
        #expect(try path(base + [inverted]).primaryInterface?.name == "eth1")
        #expect(try path(base + [MessageBuilder.rule(40_000, table: 51820)]).primaryInterface?.name == "eth0")
    }

    @Test("IPv6 alone is enough")
    func ipv6() throws {
        let bytes: [UInt8] = [0x20, 1, 0xD, 0xB8] + Array(repeating: 1, count: 12)
        let path = try path([link, MessageBuilder.address(2, bytes), MessageBuilder.route(through: 2, via: bytes)])
        #expect(path.isSatisfied && path.supportsIPv6 && !path.supportsIPv4)
    }

    @Test("addresses in text", arguments: ["192.0.2.1", "2001:db8::1", "::", "::1", "fe80::1", "255.255.255.255"])
    func text(address: String) throws {
        let parsed = try #require(IPAddress(address))
        #expect(parsed.description == address)
        #expect(IPAddress(bytes: parsed.bytes) == parsed)
    }

    @Test("rejects text that is not an address", arguments: ["", "1.2.3", "1.2.3.256", "::1%lo", "host", "1.2.3.4 "])
    func noAddress(text: String) { #expect(IPAddress(text) == nil) }

    @Test("loopback and link-local addresses are known")
    func properties() {
        #expect(IPAddress("127.9.9.9")?.isLoopback == true && IPAddress("::1")?.isLoopback == true)
        #expect(IPAddress("169.254.1.1")?.isLinkLocal == true && IPAddress("febf::1")?.isLinkLocal == true)
        #expect(IPAddress("128.0.0.1")?.isLoopback == false && IPAddress("fec0::1")?.isLinkLocal == false)
    }
}
