/// What RFC 6265bis leaves to its implementers.
public struct CookieRules: Sendable, Hashable {
    /// The most cookies of one domain; RFC 6265bis asks for 50 at least. Browsers allow 180.
    public var maximumPerDomain = 180
    /// The most cookies of all domains together; RFC 6265bis asks for 3,000 at least.
    public var maximumTotal = 10_000
    /// The longest that a cookie is kept, in seconds: 400 days (§5.5).
    public var longestLifetime: Double = 400 * 86_400
    /// Whether cookies with `Partitioned` are kept apart for each top-level site (CHIPS). Without it the attribute is
    /// ignored.
    public var partitionsCookies = false
    /// Whether `http://localhost` and the names beneath `localhost` count as secure, as in browsers and curl: such
    /// requests do not leave the machine. IP addresses never do.
    public var trustsLocalhost = true

    /// The rules that browsers follow.
    public init() {}
}
