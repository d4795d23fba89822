internal import AirframeTransport
public import Foundation

/// The reason why a reference cannot be joined to a base URL.
public struct BaseURLError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The rule that is violated.
    public enum Reason: Sendable, Hashable {
        /// The base has no scheme or no host.
        case invalidBase
        /// The reference has dot segments that lead out of the base.
        case leavesBase
        /// The reference names a host and no scheme (`//host/path`).
        case namesHost
        /// Base and reference do not form a URL.
        case invalidReference
    }

    /// The base.
    public let base: String
    /// The reference; `nil` if the base is invalid.
    public let reference: String?
    /// The rule that is violated.
    public let reason: Reason

    init(base: String, reference: String?, reason: Reason) {
        self.base = base
        self.reference = reference
        self.reason = reason
    }

    /// The base, the reference and the rule in one line. Secrets in the URLs are redacted.
    public var description: String {
        let base = Redaction.invalidURL(base).debugDescription
        let reference = Redaction.invalidURL(reference ?? "").debugDescription
        return switch reason {
        case .invalidBase: "the base URL \(base) has no scheme or no host"
        case .leavesBase: "\(reference) leads out of the base URL \(base)"
        case .namesHost: "\(reference) names a host without a scheme, and cannot be joined to the base URL \(base)"
        case .invalidReference: "\(reference) cannot be joined to the base URL \(base)"
        }
    }
}

extension BaseURLError: LocalizedError {
    /// The error in one line.
    public var errorDescription: String? { description }
}
