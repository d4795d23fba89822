/// Finds the addresses of hosts.
public protocol NameResolver: Sendable {
    /// The IP addresses of `host` in text form, IPv6 addresses without brackets, the best first.
    ///
    /// - Parameter host: A host name as it stands in the URL; internationalized names are in their ASCII form (RFC 5890
    ///   §2.3.2.1: `xn--…`).
    /// - Throws: Any error fails the request with ``TransportError/Code/nameResolutionFailed``; it is found beneath it.
    ///   An empty result does the same.
    func addresses(of host: String) async throws -> [String]
}
