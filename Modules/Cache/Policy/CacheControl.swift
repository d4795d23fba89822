/// The directives of `Cache-Control` fields (RFC 9111 §5.2).
///
/// Names are case-insensitive, values may be tokens or quoted strings. Unknown directives are ignored. A directive
/// whose argument is not valid counts as ``Seconds/invalid``: RFC 9111 §4.2.1 encourages caches to treat it as stale.
public struct CacheControl: Sendable, Hashable {
    /// A directive's number of seconds.
    public enum Seconds: Sendable, Hashable {
        /// A non-negative number; numbers beyond 2³¹ count as 2³¹ (RFC 9111 §1.2.2).
        case value(Int)
        /// A value that is not a number, or two occurrences with different values.
        case invalid
    }

    /// How a response's `no-cache` or `private` applies.
    public enum Scope: Sendable, Hashable {
        /// To the whole response.
        case response
        /// To the named fields, in lower case. Directives that name more than 100 apply to the whole response.
        case fields(Set<String>)
    }

    /// `max-age`, of requests and responses (§5.2.1.1, §5.2.2.1).
    public var maxAge: Seconds?
    /// `s-maxage` (§5.2.2.10).
    public var sharedMaxAge: Seconds?
    /// `no-cache` (§5.2.1.4, §5.2.2.4).
    public var noCache: Scope?
    /// `private` (§5.2.2.7).
    public var isPrivate: Scope?
    /// `no-store` (§5.2.1.5, §5.2.2.5).
    public var noStore = false
    /// `must-revalidate` (§5.2.2.2).
    public var mustRevalidate = false
    /// `proxy-revalidate` (§5.2.2.8).
    public var proxyRevalidate = false
    /// `must-understand` (§5.2.2.3).
    public var mustUnderstand = false
    /// `public` (§5.2.2.9).
    public var isPublic = false
    /// `immutable` (RFC 8246).
    public var isImmutable = false
    /// `only-if-cached` (§5.2.1.7).
    public var onlyIfCached = false
    /// `min-fresh` (§5.2.1.3).
    public var minFresh: Seconds?
    /// `max-stale` (§5.2.1.2); `.value(.max)` when it has no argument.
    public var maxStale: Seconds?
    /// `stale-while-revalidate` (RFC 5861 §3).
    public var staleWhileRevalidate: Seconds?
    /// `stale-if-error` (RFC 5861 §4).
    public var staleIfError: Seconds?

    /// Parses the values of all `Cache-Control` fields of a message.
    public init(_ values: [String] = []) {
        for value in values { parse(value) }
    }

    private mutating func parse(_ value: String) {
        for member in FieldList.members(of: value) {
            let (name, argument) = FieldList.directive(member)
            apply(name, argument)
        }
    }

    private mutating func apply(_ name: String, _ argument: String?) {
        switch name {
        case "max-age": maxAge = Self.seconds(argument, after: maxAge)
        case "s-maxage": sharedMaxAge = Self.seconds(argument, after: sharedMaxAge)
        case "min-fresh": minFresh = Self.seconds(argument, after: minFresh)
        case "max-stale": maxStale = argument == nil ? .value(.max) : Self.seconds(argument, after: maxStale)
        case "stale-while-revalidate": staleWhileRevalidate = Self.seconds(argument, after: staleWhileRevalidate)
        case "stale-if-error": staleIfError = Self.seconds(argument, after: staleIfError)
        case "no-cache": noCache = Self.scope(argument, after: noCache)
        case "private": isPrivate = Self.scope(argument, after: isPrivate)
        case "no-store": noStore = true
        case "must-revalidate": mustRevalidate = true
        case "proxy-revalidate": proxyRevalidate = true
        case "must-understand": mustUnderstand = true
        case "public": isPublic = true
        case "immutable": isImmutable = true
        case "only-if-cached": onlyIfCached = true
        default: applyMalformed(name)
        }
    }

    /// A space before the `=` makes a directive invalid. The response then counts as stale, as the author asked for a
    /// limit.
    private mutating func applyMalformed(_ name: String) {
        switch name.prefix(while: { $0 != " " && $0 != "\t" }) {
        case "max-age" where name != "max-age": maxAge = .invalid
        case "s-maxage" where name != "s-maxage": sharedMaxAge = .invalid
        default: break
        }
    }

    private static func seconds(_ argument: String?, after earlier: Seconds?) -> Seconds {
        let parsed = argument.flatMap(DeltaSeconds.parse).map(Seconds.value) ?? .invalid
        guard let earlier, earlier != parsed else { return parsed }
        return .invalid
    }

    /// The maximum number of fields that `no-cache` or `private` names. Beyond it the directive applies to the whole
    /// response, which is the stricter meaning. The limit bounds the names that each further directive is joined to.
    private static let namedFieldLimit = 100

    private static func scope(_ argument: String?, after earlier: Scope?) -> Scope {
        guard let argument, earlier != .response else { return .response }
        var names: Set<String> = []
        if case .fields(let others) = earlier { names = others }
        names.formUnion(argument.split(separator: ",").map { FieldList.trimmed($0).lowercased() })
        return names.count <= namedFieldLimit ? .fields(names) : .response
    }
}

extension CacheControl.Seconds {
    /// The number, or `nil` when it is not valid.
    public var valid: Int? {
        if case .value(let seconds) = self { seconds } else { nil }
    }
}
