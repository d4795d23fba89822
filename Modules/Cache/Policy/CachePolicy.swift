/// The rules that a cache follows: whose cache it is, and what RFC 9111 leaves to the implementation.
public struct CachePolicy: Sendable, Hashable {
    /// Whom a cache serves.
    public enum Kind: Sendable, Hashable {
        /// One user (RFC 9111 §1: a private cache).
        case `private`
        /// Several users, as in a proxy (a shared cache): `s-maxage`, `proxy-revalidate` and `private` apply, and
        /// responses to requests with `Authorization` need permission (§3.5).
        case shared
    }

    /// Whom the cache serves.
    public var kind = Kind.private
    /// The part of the time since `Last-Modified` that a response without an expiry counts as fresh for (§4.2.2).
    /// 0 turns heuristic freshness off.
    public var heuristicFraction = 0.1
    /// The longest heuristic freshness, in seconds: a day, because §4.2.2 advises against more without a warning.
    public var heuristicLimit = 86_400
    /// For how many seconds a stale response without `stale-if-error` may be served when the server cannot be reached
    /// or answers with 500, 502, 503 or 504 (§4.2.4). 0 serves none.
    public var staleIfErrorSeconds = 0
    /// Whether responses to requests with `Authorization` are reused for requests with the same credentials alone,
    /// unless they are `public`. A process that acts for several users then cannot mix them up.
    public var separatesCredentials = true
    /// Whether requests for the same resource wait for one response when none is stored.
    public var collapsesRequests = true
    /// Whether `No-Vary-Search` of responses counts: parameters of the query that it names do not tell resources apart
    /// (draft-ietf-httpbis-no-vary-search). Each miss then takes a second look-up.
    public var honorsNoVarySearch = false
    /// Whether responses that the cache had a part in get a `Cache-Status` field (RFC 9211), and under which name.
    public var statusName: String?
    /// The most bytes that are still fetched, for the store alone, when the reader of a response leaves early.
    public var finishLimit: Int64 = 64 << 10
    /// The largest content that is put before a `CachedResponseHandler`, in bytes. Longer ones are not stored where a
    /// handler decides.
    public var decisionLimit = 16 << 20

    /// The policy of a private cache.
    public init() {}

    /// The policy of a private cache.
    public static let `private` = CachePolicy()
    /// The policy of a shared cache.
    public static let shared: CachePolicy = {
        var policy = CachePolicy()
        policy.kind = .shared
        policy.separatesCredentials = false
        return policy
    }()
}
