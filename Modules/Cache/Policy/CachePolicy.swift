/// The rules of a cache: its users, and the choices that RFC 9111 leaves to the implementation.
public struct CachePolicy: Sendable, Hashable {
    /// The users of a cache.
    public enum Kind: Sendable, Hashable {
        /// One user (RFC 9111 §1: a private cache).
        case `private`
        /// Several users, as in a proxy (a shared cache): `s-maxage`, `proxy-revalidate` and `private` apply, and
        /// responses to requests with `Authorization` need permission (§3.5).
        case shared
    }

    /// The users of the cache.
    public var kind = Kind.private
    /// The part of the time since `Last-Modified` that a response without an expiry counts as fresh for (§4.2.2).
    /// 0 turns heuristic freshness off.
    public var heuristicFraction = 0.1
    /// The longest heuristic freshness, in seconds: a day, because §4.2.2 advises against more without a warning.
    public var heuristicLimit = 86_400
    /// The number of seconds for which a stale response without `stale-if-error` may be served when the server cannot
    /// be reached or answers with 500, 502, 503 or 504 (§4.2.4). 0 serves no stale response.
    public var staleIfErrorSeconds = 0
    /// Whether responses to requests with `Authorization` are reused only for requests with the same credentials,
    /// unless they are `public`. This keeps the responses of several users of one process apart.
    public var separatesCredentials = true
    /// Whether requests for the same resource wait for one response when none is stored. For two minutes after a
    /// response that could not be shared, they do not wait.
    public var collapsesRequests = true
    /// Whether `No-Vary-Search` of responses counts: the query parameters that it names do not distinguish resources
    /// (draft-ietf-httpbis-no-vary-search). Each miss then takes a second look-up.
    public var honorsNoVarySearch = false
    /// The cache's name in the `Cache-Status` field (RFC 9211) of responses that pass it; `nil` adds no field.
    public var statusName: String?
    /// The maximum number of bytes that are fetched for the store after the last reader of a response has cancelled.
    public var finishLimit: Int64 = 64 << 10
    /// The maximum length of content that a `CachedResponseHandler` decides on, in bytes. With a handler, responses
    /// with longer content are not stored.
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
