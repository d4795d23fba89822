/// The choices that RFC 6265bis leaves to implementations.
public struct CookieRules: Sendable, Hashable {
    /// The maximum number of cookies of one domain; RFC 6265bis demands at least 50. Browsers allow 180.
    public var maximumPerDomain = 180
    /// The maximum number of cookies of all domains together; RFC 6265bis demands at least 3,000.
    public var maximumTotal = 10_000
    /// The longest lifetime of a cookie, in seconds: 400 days (§5.5).
    public var longestLifetime: Double = 400 * 86_400
    /// Whether cookies with `Partitioned` are kept apart for each top-level site (CHIPS). Without it the attribute is
    /// ignored.
    public var partitionsCookies = false
    /// Whether `http://localhost` and subdomains of `localhost` count as secure, as in browsers and curl: such requests
    /// do not leave the machine. IP addresses never count as secure.
    public var trustsLocalhost = true

    /// The rules that browsers follow.
    public init() {}
}
