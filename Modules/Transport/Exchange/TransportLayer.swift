/// A transport that wraps another one: redirects, routing, decoding, a cache, a fault, a delay.
///
/// A layer works over every engine, including third-party ones. It implements ``Transport/send(_:)``; all other
/// requirements are forwarded to ``base`` unless the layer implements them.
public protocol TransportLayer: Transport {
    /// The transport beneath.
    var base: any Transport { get }

    /// The layer as a ``SelectiveLayer``, which implements this; otherwise `nil`.
    var asSelectiveLayer: (any SelectiveLayer)? { get }
}

extension TransportLayer {
    /// The layer itself.
    public var asLayer: (any TransportLayer)? { self }

    /// Returns `nil`: the layer is not selective.
    public var asSelectiveLayer: (any SelectiveLayer)? { nil }

    /// The capabilities of the transport beneath.
    public var capabilities: TransportCapabilities { base.capabilities }

    /// The clock of the transport beneath.
    public var clock: any TransportClock { base.clock }

    /// Opens a connection in the transport beneath.
    ///
    /// - Throws: The errors of the transport beneath.
    public func prepare(_ request: TransportRequest) async throws(TransportError) -> TransportConnection {
        try await base.prepare(request)
    }

    /// Shuts down the transport beneath.
    public func shutdown() async { await base.shutdown() }
}
