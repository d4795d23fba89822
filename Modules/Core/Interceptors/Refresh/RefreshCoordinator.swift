/// Lets several processes refresh a credential once.
///
/// ``AuthenticationInterceptor`` asks a coordinator for each refresh. `RedisRefreshCoordinator` of AirframeRedis is one
/// for processes on any number of machines.
public protocol RefreshCoordinator<Credential>: Sendable {
    /// What requests are authenticated with.
    associatedtype Credential: Sendable

    /// Returns the credential that replaces `credential`.
    ///
    /// The first process runs `refresh`; the others wait and return its result. A coordinator that cannot reach the
    /// others runs `refresh` as if there were none: it is no reason for a request to fail.
    ///
    /// - Parameters:
    ///   - credential: The credential that has expired or was refused.
    ///   - refresh: Gets a new credential for this process.
    /// - Throws: What `refresh` throws.
    func replacement(
        for credential: Credential,
        refresh: @escaping @Sendable @concurrent () async throws -> Credential
    ) async throws -> Credential
}
