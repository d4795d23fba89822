public import AirframeTransport
public import HTTPTypes

/// Sends each request to one of several transports, by a rule: by host, by scheme, by anything in its head.
///
/// ```swift
/// let transport = RoutingLayer(default: engine) { head in
///     head.authority == "payments.test" ? pinnedEngine : nil
/// }
/// ```
public struct RoutingLayer: Transport {
    private let fallback: any Transport
    private let route: @Sendable (HTTPRequest) -> (any Transport)?

    /// Makes a layer.
    ///
    /// - Parameters:
    ///   - fallback: The transport for requests that the rule leaves open. Its capabilities and its clock are the
    ///     layer's.
    ///   - route: The transport for a request, or `nil` to leave it open.
    public init(default fallback: any Transport, route: @escaping @Sendable (HTTPRequest) -> (any Transport)?) {
        self.fallback = fallback
        self.route = route
    }

    /// The fallback's capabilities. A transport that lacks an option refuses it itself.
    public var capabilities: TransportCapabilities { fallback.capabilities }

    /// The fallback's clock.
    public var clock: any TransportClock { fallback.clock }

    /// Sends `request` through the transport that the rule names.
    public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        guard let chosen = route(request.head) else { return try await fallback.send(request) }
        request.report(
            .routed(to: chosen.capabilities.engine), because: "the rule chose it for this request", on: clock)
        return try await chosen.send(request)
    }

    /// Has the transport that the rule names open a connection.
    public func prepare(_ request: TransportRequest) async throws(TransportError) -> TransportConnection {
        try await (route(request.head) ?? fallback).prepare(request)
    }

    /// Shuts down the fallback. The others belong to whoever made the rule.
    public func shutdown() async { await fallback.shutdown() }
}
