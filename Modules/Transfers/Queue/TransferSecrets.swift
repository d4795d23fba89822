public import AirframeCore

/// Provides credentials, which must not be stored, for the requests of a transfer.
///
/// A queue calls the provider before each attempt, so that a transfer that continues after days has valid credentials.
/// The credentials are sent only to the origin of the transfer's URL, not to mirrors, upload resources or redirects
/// elsewhere.
public protocol TransferSecrets: Sendable {
    /// Returns header fields for the requests of a transfer.
    ///
    /// - Parameter description: The transfer.
    /// - Throws: Any error if there are no credentials. The attempt fails, and is repeated by the transfer's rule.
    func headers(for description: TransferDescription) async throws -> HTTPHeaders
}
