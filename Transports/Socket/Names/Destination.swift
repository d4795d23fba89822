internal import AirframeTransport
internal import AirframeWire
internal import HTTPTypes
internal import Synchronization

/// A server that requests were sent to: its origin, taken apart once.
final class Destination: Sendable {
    let origin: Origin
    /// The origin's hash: strings are slow to hash.
    let hash: Int
    let isSecure: Bool
    /// What `Host` says in requests to it, unless a proxy forwards them.
    let host: String?
    /// The route to it by the environment's proxies; `nil` when they are malformed.
    let route: ProxyRoute?
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

/// The servers that requests were sent to lately, by what their heads say.
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

    /// Where `head` leads.
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
            // Most requests go where the last one went.
            if let last = state.last, last.authority == authority, last.scheme == scheme { return last }
            guard let found = state.byAuthority[authority], found.scheme == scheme else { return nil }
            state.last = found
            return found
        }
    }
}
