import AirframeReachability
import CNetlink
import Testing

@Suite("The parser of netlink messages", .timeLimit(.minutes(1)))
struct ParserTests {
    private func parse(_ bytes: [UInt8]) throws -> [NetlinkMessage.Content] {
        try NetlinkMessage.parse(bytes.span.bytes).map(\.content)
    }

    @Test("reads a link, an address, routes, a rule and the ends of answers in one datagram")
    func everything() throws {
        let contents = try parse(MessageBuilder.samples.flatMap(\.self))
        #expect(contents.count == 8)
        guard case .link(let link) = contents[0] else { Issue.record("no link"); return }
        #expect(link.name == "eth0" && link.mtu == 1500 && link.driverKind == "veth" && link.index == 2)
        guard case .address(let address) = contents[1] else { Issue.record("no address"); return }
        #expect(address.address == IPAddress("10.0.0.2") && address.prefixLength == 24 && address.flags == 0x80)
        guard case .route(let route) = contents[3] else { Issue.record("no route"); return }
        #expect(route.metric == 100 && route.nextHops.first?.gateway == IPAddress("10.0.0.1"))
        guard case .route(let spread) = contents[4] else { Issue.record("no route"); return }
        #expect(spread.nextHops.map(\.index) == [2, 3])
        guard case .rule(let rule) = contents[5] else { Issue.record("no rule"); return }
        #expect(rule.table == 51820 && rule.priority == 100 && rule.appliesToOrdinaryTraffic)
        #expect(contents[6] == .error(101))
        #expect(contents[7] == .done(error: 0))
    }

    @Test("a port that leaves a bridge is not a removed interface")
    func bridgePort() throws {
        var bytes = MessageBuilder.link(2, "eth0", family: 7)
        bytes[4] = UInt8(RTM_DELLINK)
        #expect(try parse(bytes) == [.other])
    }

    @Test("refuses a message with a wrong length", arguments: [0, 1, 15, 17, 500, 65_535, UInt32.max] as [UInt32])
    func messageLength(length: UInt32) {
        var bytes = MessageBuilder.message(Int(RTM_NEWLINK), [])
        bytes.replaceSubrange(0..<4, with: MessageBuilder.bytes(of: length))
        #expect(throws: MalformedNetlink.self) { try parse(bytes) }
    }

    @Test("refuses an attribute with a wrong length", arguments: [0, 3, 100, 65_535] as [UInt16])
    func attributeLength(length: UInt16) {
        var bytes = MessageBuilder.link(2, "eth0")
        bytes.replaceSubrange(32..<34, with: MessageBuilder.bytes(of: length))
        #expect(throws: MalformedNetlink.self) { try parse(bytes) }
    }

    @Test("refuses a payload that is too short for its type", arguments: [16, 20, 24, 32, 2])
    func shortPayload(type: Int) {
        #expect(throws: MalformedNetlink.self) { try parse(MessageBuilder.message(type, [1])) }
    }

    @Test("refuses a datagram that is cut off within a message")
    func cutOff() {
        for sample in MessageBuilder.samples {
            for count in 1..<sample.count - 3 {
                #expect(throws: MalformedNetlink.self) { try parse(Array(sample[..<count])) }
            }
        }
    }

    @Test("bytes that are changed at random never trap, nor does a table that applies the rest of them")
    func mutations() {
        var random = Random(state: 7)
        for _ in 0..<50_000 {
            var bytes = (0...random.next(4)).flatMap { _ in MessageBuilder.samples[random.next(8)] }
            for _ in 0...random.next(6) { bytes[random.next(bytes.count)] = UInt8(random.next(256)) }
            guard let contents = try? parse(bytes) else { continue }
            var table = NetworkTable()
            for content in contents { _ = table.apply(content) }
            table.replace(dump: contents)
            _ = table.path { _ in .other }
        }
    }
}
