internal import AirframeLayers
public import AirframeTransport
internal import Foundation

/// The keys of the values with which a request overrides its session.
enum RequestOverride {
    enum Engine: TransportRequestKey {
        static var defaultValue: (any Transport)? { nil }
    }
    enum Resolver: TransportRequestKey {
        static var defaultValue: (any NameResolver)? { nil }
    }
    enum Trust: TransportRequestKey {
        static var defaultValue: (any TrustEvaluation)? { nil }
    }
    enum Identity: TransportRequestKey {
        static var defaultValue: ClientIdentity? { nil }
    }
}

// The overrides of a request in addition to its options.

extension URLRequest {
    /// The engine that sends this request in place of the session's. The session's layers stay around it. The engine
    /// has its own connections, and the caller must retain it while requests use it.
    ///
    /// The request fails if the session's timeouts set a limit that the engine does not support, as for any option.
    public var transport: (any Transport)? {
        get { self[RequestOverride.Engine.self] }
        set {
            self[RequestOverride.Engine.self] = newValue
            noteOwnServer()
        }
    }

    /// The resolver that finds the addresses of this request's host, and of the hosts of its redirects, in place of the
    /// engine's. It is not called for hosts in ``TransportOptions/resolveOverrides``, nor for a proxy.
    ///
    /// Requests share a connection only if their hosts have the same addresses in the same order.
    public var resolver: (any NameResolver)? {
        get { self[RequestOverride.Resolver.self] }
        set {
            self[RequestOverride.Resolver.self] = newValue
            noteOwnServer()
        }
    }

    private mutating func noteOwnServer() { self[OwnServer.self] = transport != nil || resolver != nil }

    /// The evaluation of the certificates of this request's server in place of the session's rules. The session's rules
    /// apply to other servers that the request is redirected to.
    public var trustEvaluation: (any TrustEvaluation)? {
        get { self[RequestOverride.Trust.self] }
        set { self[RequestOverride.Trust.self] = newValue }
    }

    /// The certificate and key that this request presents to its server in place of the session's. Other servers that
    /// the request is redirected to do not receive them.
    public var clientIdentity: ClientIdentity? {
        get { self[RequestOverride.Identity.self] }
        set { self[RequestOverride.Identity.self] = newValue }
    }
}
