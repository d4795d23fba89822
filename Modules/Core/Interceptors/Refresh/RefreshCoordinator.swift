/// Makes several processes refresh a credential once.
///
/// ``AuthenticationInterceptor`` calls a coordinator for each refresh. `RedisRefreshCoordinator` of AirframeRedis
/// coordinates processes on any number of machines.
public protocol RefreshCoordinator<Credential>: Sendable {
    /// The type of the credential.
    associatedtype Credential: Sendable

    /// Returns the credential that replaces `credential`.
    ///
    /// The first process calls `refresh`; the others wait and return its result. A coordinator that cannot reach the
    /// other processes calls `refresh` itself, so that no request fails because of it.
    ///
    /// - Parameters:
    ///   - credential: The credential that has expired or was refused.
    ///   - refresh: Requests a new credential for this process.
    /// - Throws: The error of `refresh`.
    func replacement(
        for credential: Credential,
        refresh: @escaping @Sendable @concurrent () async throws -> Credential
    ) async throws -> Credential
}
