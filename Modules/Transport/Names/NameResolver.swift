/// Finds the addresses of hosts.
public protocol NameResolver: Sendable {
    /// Returns the IP addresses of `host` in text form, IPv6 addresses without brackets, the preferred one first.
    ///
    /// Engines call it once for all requests that wait for a name, and cancel the task when none of them waits any
    /// longer.
    ///
    /// - Parameter host: A host name as it stands in the URL; internationalized names are in their ASCII form (RFC 5890
    ///   §2.3.2.1: `xn--…`).
    /// - Throws: Any error fails the request with ``TransportError/Code/nameResolutionFailed``, which carries it as its
    ///   underlying error. An empty result does the same.
    func addresses(of host: String) async throws -> [String]
}

/// The reason why a name has no address.
public struct NameResolutionError: Error, CustomStringConvertible {
    /// The name.
    public let host: String
    /// The resolver's message.
    public let message: String

    /// Describes a failure.
    public init(host: String, message: String) {
        self.host = host
        self.message = message
    }

    /// The name and the resolver's message.
    public var description: String { "\(host): \(message)" }
}
