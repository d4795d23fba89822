public import AirframeTransport
internal import Foundation

/// Keys under which a request overrides what its session does.
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

// What one request does differently from its session, beyond its options.

extension URLRequest {
    /// The engine that sends this request in place of the session's. The session's layers stay around it; it keeps
    /// connections of its own, and the caller keeps it for as long as requests use it.
    ///
    /// A limit of the session's timeouts that the engine lacks fails the request, as any option does.
    public var transport: (any Transport)? {
        get { self[RequestOverride.Engine.self] }
        set { self[RequestOverride.Engine.self] = newValue }
    }

    /// The resolver that finds the addresses of this request's host, and of those that it is redirected to, in place of
    /// the engine's. Hosts that the options' ``TransportOptions/resolveOverrides`` name are not asked for, nor is a
    /// proxy.
    ///
    /// Requests share a connection only if their hosts have the same addresses in the same order.
    public var resolver: (any NameResolver)? {
        get { self[RequestOverride.Resolver.self] }
        set { self[RequestOverride.Resolver.self] = newValue }
    }

    /// The evaluation of the certificates of this request's server, in place of the session's rules. Other servers that
    /// it is redirected to are judged by the session's rules.
    public var trustEvaluation: (any TrustEvaluation)? {
        get { self[RequestOverride.Trust.self] }
        set { self[RequestOverride.Trust.self] = newValue }
    }

    /// The certificate and key that this request shows to its server, in place of the session's. Other servers that it
    /// is redirected to do not see them.
    public var clientIdentity: ClientIdentity? {
        get { self[RequestOverride.Identity.self] }
        set { self[RequestOverride.Identity.self] = newValue }
    }
}
