public import AirframeTransport
public import HTTPTypes

/// Sends each request to one of several transports, chosen by a rule over its head.
///
/// ```swift
/// let transport = RoutingLayer(default: engine) { head in
///     head.authority == "payments.test" ? pinnedEngine : nil
/// }
/// ```
public struct RoutingLayer: Transport {
    private let fallback: any Transport
    private let route: @Sendable (HTTPRequest) -> (any Transport)?

    /// Creates a layer.
    ///
    /// - Parameters:
    ///   - fallback: The transport for requests without a route. The layer has its capabilities and clock.
    ///   - route: Returns the transport for a request; `nil` for the fallback.
    public init(default fallback: any Transport, route: @escaping @Sendable (HTTPRequest) -> (any Transport)?) {
        self.fallback = fallback
        self.route = route
    }

    /// The fallback's capabilities. Every transport refuses the options that it does not support.
    public var capabilities: TransportCapabilities { fallback.capabilities }

    /// The fallback's clock.
    public var clock: any TransportClock { fallback.clock }

    /// Sends `request` through the transport that the rule chooses.
    ///
    /// - Throws: The errors of that transport.
    public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        guard let chosen = route(request.head) else { return try await fallback.send(request) }
        request.report(
            .routed(to: chosen.capabilities.engine), because: "the rule chose it for this request", on: clock)
        return try await chosen.send(request)
    }

    /// Opens a connection in the transport that the rule chooses.
    ///
    /// - Throws: The errors of that transport.
    public func prepare(_ request: TransportRequest) async throws(TransportError) -> TransportConnection {
        try await (route(request.head) ?? fallback).prepare(request)
    }

    /// Shuts down the fallback. The creator of the rule owns the other transports.
    public func shutdown() async { await fallback.shutdown() }
}
