public import AirframeCore

/// Provides what must not be stored: credentials for the requests of a transfer.
///
/// A queue asks before each attempt, so that a transfer that continues after days has valid credentials.
public protocol TransferSecrets: Sendable {
    /// Returns header fields for the requests of a transfer.
    ///
    /// - Parameter description: The transfer.
    /// - Throws: Why there are none. The attempt fails, and is repeated by the transfer's rule.
    func headers(for description: TransferDescription) async throws -> HTTPHeaders
}
