/// What AirframeCurl cannot do, and why.
package enum CurlExclusions {
    package static let all: [String: String] = [
        "upgrade.switching": noStream,
        "upgrade.closed": noStream,
        "upgrade.declined": noStream,
        "upgrade.handshake": noStream,
        "upgrade.another-protocol": noStream,
        "upgrade.tunnel": noStream,
        "upgrade.invalid": noStream,
    ]

    private static let noStream = "libcurl does not hand over a connection after a 101 or CONNECT"
}
