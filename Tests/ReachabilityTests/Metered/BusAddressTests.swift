import AirframeReachability
import Testing

@Suite("Addresses of the system bus", .timeLimit(.minutes(1)))
struct BusAddressTests {
    @Test(
        "are Unix sockets by path or by an abstract name; others are passed over",
        arguments: [
            (
                "unix:path=/run/dbus/system_bus_socket",
                [BusAddress(path: "/run/dbus/system_bus_socket", isAbstract: false)]
            ),
            ("unix:abstract=/tmp/x%2dy,guid=1", [BusAddress(path: "/tmp/x-y", isAbstract: true)]),
            ("tcp:host=localhost,port=1;unix:path=/a", [BusAddress(path: "/a", isAbstract: false)]),
            ("", []), ("unix:", []), ("unix:path", []), ("nonsense", []),
        ]
    )
    func addresses(text: String, expected: [BusAddress]) { #expect(BusAddress.all(text) == expected) }
}
