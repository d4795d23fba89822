internal import AirframeTransport
internal import AirframeWire
internal import HTTPTypes
internal import Synchronization

/// A server that requests were sent to, with its origin parsed once.
final class Destination: Sendable {
    let origin: Origin
    /// The origin's hash, computed once: strings are slow to hash.
    let hash: Int
    let isSecure: Bool
    /// The value of `Host` in requests to the server, unless a proxy forwards them.
    let host: String?
    /// The route by the environment's proxies; `nil` if these are malformed.
    let route: ProxyRoute?
    /// The key of the last request whose key depends on nothing but its options.
    let keyMemory = PoolKeyMemory()
    fileprivate let scheme: String
    fileprivate let authority: String

    fileprivate init(_ origin: Origin, scheme: String, authority: String, _ environment: EnvironmentProxies) {
        self.origin = origin
        self.scheme = scheme
        self.authority = authority
        hash = origin.hashValue
        isSecure = origin.isSecure
        route = try? ProxyRoute.route(to: origin, by: .environment, environment)
        host = HTTP1RequestTarget.host(of: authority, scheme: scheme)
    }
}

/// The servers that requests were recently sent to, by authority.
final class DestinationTable: Sendable {
    private struct State {
        var last: Destination?
        var byAuthority: [String: Destination] = [:]
    }

    private static let capacity = 512

    private let environment: EnvironmentProxies
    // Guards the destinations.
    private let state = Mutex(State())

    init(_ environment: EnvironmentProxies) { self.environment = environment }

    /// Returns the destination of a request.
    ///
    /// - Throws: ``TransportError/Code/unsupportedScheme`` or ``TransportError/Code/invalidRequest``.
    func destination(of head: HTTPRequest) throws(TransportError) -> Destination {
        if let scheme = head.scheme, let authority = head.authority, let known = known(scheme, authority) {
            return known
        }
        let origin = try RequestAddress.origin(of: head)
        let destination = Destination(
            origin,
            scheme: head.scheme ?? "",
            authority: head.authority ?? "",
            environment
        )
        state.withLock { state in
            if state.byAuthority.count >= Self.capacity { state.byAuthority.removeAll() }
            state.byAuthority[destination.authority] = destination
            state.last = destination
        }
        return destination
    }

    private func known(_ scheme: String, _ authority: String) -> Destination? {
        state.withLock { state in
            // Consecutive requests usually have the same destination.
            if let last = state.last, last.authority == authority, last.scheme == scheme { return last }
            guard let found = state.byAuthority[authority], found.scheme == scheme else { return nil }
            state.last = found
            return found
        }
    }
}
