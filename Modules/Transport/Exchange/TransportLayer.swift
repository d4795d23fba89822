/// A transport that wraps another one: redirects, routing, decoding, a cache, a fault, a delay.
///
/// A layer works over every engine, ours and a third party's. It conforms by implementing
/// ``Transport/send(_:)``; everything else is passed on to ``base`` unless the layer adds to it.
public protocol TransportLayer: Transport {
    /// The transport beneath.
    var base: any Transport { get }
}

extension TransportLayer {
    /// The capabilities of the transport beneath.
    public var capabilities: TransportCapabilities { base.capabilities }

    /// The clock of the transport beneath.
    public var clock: any TransportClock { base.clock }

    /// Has the transport beneath open a connection.
    public func prepare(_ request: TransportRequest) async throws(TransportError) -> TransportConnection {
        try await base.prepare(request)
    }

    /// Shuts down the transport beneath.
    public func shutdown() async { await base.shutdown() }
}
