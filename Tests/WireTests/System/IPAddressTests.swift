import AirframeWire
import Testing

@Suite("Addresses", .timeLimit(.minutes(1)))
struct IPAddressTests {
    @Test(
        "addresses are parsed and formatted in their usual form, with zones (RFC 6874)",
        arguments: [
            ("127.0.0.1", "127.0.0.1"), ("::1", "::1"), ("2001:DB8::A", "2001:db8::a"), ("fe80::1%1", "fe80::1%1"),
            ("fe80::1%251", "fe80::1%1"), ("fe80::1%lo", "fe80::1%1"), ("fe80::1%nothing-like-it", nil), ("1.2.3", nil),
            ("1.2.3.4%1", nil), ("localhost", nil), ("", nil), ("%", nil), ("::1%", nil),
        ] as [(String, String?)]
    )
    func addresses(text: String, expected: String?) {
        #expect(IPAddress(text)?.description == expected)
    }

    @Test("every IPv4 octet is formatted without leading zeros")
    func octets() {
        for octet in UInt8.min...UInt8.max {
            let address = IPAddress(networkOrder: [octet, 0, 10, 255])
            #expect(address?.description == "\(octet).0.10.255")
        }
    }

    @Test("an address has 4 or 16 bytes", arguments: [0, 3, 4, 5, 15, 16, 17])
    func lengths(count: Int) {
        let address = IPAddress(networkOrder: Array(repeating: 1, count: count))
        #expect((address != nil) == (count == 4 || count == 16))
        #expect(address?.isIPv6 != (count == 4))
    }
}
