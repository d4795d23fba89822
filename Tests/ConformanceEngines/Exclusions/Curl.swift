/// The conformance cases that AirframeCurl does not pass, with the reasons.
package enum CurlExclusions {
    package static let all: [String: String] = [
        "upgrade.switching": noStream,
        "upgrade.closed": noStream,
        "upgrade.declined": noStream,
        "upgrade.handshake": noStream,
        "upgrade.another-protocol": noStream,
        "upgrade.tunnel": noStream,
        "upgrade.invalid": noStream,
        "http2.trailers.length": lostTrailers,
    ]

    private static let lostTrailers =
        "libcurl 7.88 ends a transfer at the announced length and loses an HTTP/2 trailer section after it"
    private static let noStream = "libcurl does not hand over a connection after a 101 or CONNECT"
}
