/// What AirframeCurl cannot do, and why.
package enum CurlExclusions {
    package static let all: [String: String] = [
        "upgrade.switching": noStream,
        "upgrade.closed": noStream,
        "upgrade.declined": noStream,
    ]

    private static let noStream = "libcurl hands over no connection after a 101: the engine has no second door"
}
