/// What AirframeCurl cannot do, and why.
enum CurlExclusions {
    static let all: [String: String] = [
        "upgrade.switching": noStream,
        "upgrade.closed": noStream,
        "upgrade.declined": noStream,
    ]

    /// Cases that come out one way or the other, as the time falls: they are not run, since neither a pass nor a failure
    /// says anything.
    static let unsettled: [String: String] = ["reuse.stray": unlooked, "fault.pooled-extra-response": unlooked]

    private static let unlooked =
        "libcurl 7.88 does not look whether a kept connection holds bytes before it sends the next request on it"

    private static let noStream = "libcurl hands over no connection after a 101: the engine has no second door"
}
