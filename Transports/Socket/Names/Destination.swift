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

/// The servers that requests were recently sent to, by authority, and the ways to them.
final class DestinationTable: Sendable {
    /// A server, and the route of the last request whose route depends on nothing but its options.
    fileprivate struct Known {
        var destination: Destination?
        var options = TransportOptions()
        var route: RequestRoute?

        func isAt(_ authority: String, _ scheme: String) -> Bool {
            destination.map { $0.authority == authority && $0.scheme == scheme } ?? false
        }
    }

    fileprivate struct Servers {
        var last = Known()
        var byAuthority: [String: Known] = [:]
    }

    private static let capacity = 512

    private let environment: EnvironmentProxies
    // Guards the servers.
    private let servers = Mutex(Servers())

    init(_ environment: EnvironmentProxies) { self.environment = environment }

    /// Returns the route of a request. Requests of one session share their options, so that comparing one reference
    /// finds the route again.
    ///
    /// - Throws: The errors of ``destination(of:)`` and ``RequestRoute``.
    func route(of request: borrowing TransportRequest, _ traits: RequestTraits) throws(TransportError) -> RequestRoute {
        let dependsOnOptions = !traits.hasUpgrade && !traits.hasTrust && !traits.hasIdentity
        let shared = request.sharedHead
        if dependsOnOptions, let route = knownRoute(shared, request.options) { return route }
        let destination = try destination(of: shared.head)
        let route = try RequestRoute(request, traits, to: destination, environment)
        if dependsOnOptions { keep(Known(destination: destination, options: request.options, route: route)) }
        return route
    }

    /// Returns the destination of a request.
    ///
    /// - Throws: ``TransportError/Code/unsupportedScheme`` or ``TransportError/Code/invalidRequest``.
    func destination(of head: HTTPRequest) throws(TransportError) -> Destination {
        if let known = knownDestination(head) { return known }
        let origin = try RequestAddress.origin(of: head)
        let destination = Destination(
            origin,
            scheme: head.scheme ?? "",
            authority: head.authority ?? "",
            environment
        )
        keep(Known(destination: destination))
        return destination
    }

    private func keep(_ known: Known) {
        guard let authority = known.destination?.authority else { return }
        servers.withLock { servers in
            if servers.byAuthority.count >= Self.capacity, servers.byAuthority[authority] == nil {
                servers.byAuthority.removeAll()
            }
            servers.byAuthority[authority] = known
            servers.last = known
        }
    }

    private func knownRoute(_ shared: SharedRequestHead, _ options: TransportOptions) -> RequestRoute? {
        guard let scheme = shared.head.scheme, let authority = shared.head.authority else { return nil }
        return servers.withLock { servers in
            guard servers.find(authority, scheme), servers.last.options.isIdentical(to: options) else { return nil }
            return servers.last.route
        }
    }

    private func knownDestination(_ head: HTTPRequest) -> Destination? {
        guard let scheme = head.scheme, let authority = head.authority else { return nil }
        return servers.withLock { $0.find(authority, scheme) ? $0.last.destination : nil }
    }
}

extension DestinationTable.Servers {
    /// Makes the known server the last one. Returns whether there is one.
    fileprivate mutating func find(_ authority: String, _ scheme: String) -> Bool {
        // Consecutive requests usually have the same destination.
        if last.isAt(authority, scheme) { return true }
        guard let found = byAuthority[authority], found.isAt(authority, scheme) else { return false }
        last = found
        return true
    }
}
