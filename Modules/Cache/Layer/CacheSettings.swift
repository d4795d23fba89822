public import AirframeTransport

/// The cache of one request, if it differs from its session's.
///
/// ```swift
/// import Airframe
///
/// func price(_ item: String, for tenant: URLCache) async throws -> String {
///     try await AF.request("https://api.test/\(item)") { $0[CacheSettings.self].store = tenant.store }
///         .serializingString().value
/// }
/// ```
///
/// Requests with the same store share responses and wait for one another as those of a session do. A session whose
/// configuration has no cache uses the store as well.
public struct CacheSettings: TransportRequestKey, Sendable {
    /// The store of this request, in place of the session's; `nil` for the session's.
    public var store: (any CacheStore)?

    /// Settings that change nothing.
    public init() {}

    /// Settings that change nothing.
    public static let defaultValue = CacheSettings()
}
