public import AirframeTransport

/// A monitor that takes part in the sending of requests: it may change what is sent, and have a layer of its own around
/// the transport.
///
/// For monitors that have to leave something on the wire, such as the context of a trace. One that only measures or
/// writes needs none of it. Its functions are called in place (``EventMonitor/isToldInPlace`` must be `true`), in the
/// task of the request, which waits for them.
public protocol AccompanyingMonitor: EventMonitor {
    /// The layer that the monitor needs around the transport, beneath the session's own: it sees each exchange as it
    /// goes out, also those of redirects and of answers to challenges. Asked when a session is made.
    ///
    /// `Session(transport:)` and the initializers over it ask their monitors. `Session(composed:)` adds no layer: there
    /// it is put in by hand.
    func layer(over transport: any Transport) -> any Transport

    /// An attempt is about to be sent.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - transportRequest: What is sent, to be changed. Redirects that follow start from it.
    func request(_ request: Request, willSend transportRequest: inout TransportRequest)

    /// The request has ended, and its results are about to be delivered: it is not tried again. Called once more for
    /// handlers that were added later.
    func requestWillDeliver(_ request: Request)
}

extension AccompanyingMonitor {
    /// The transport itself.
    public func layer(over transport: any Transport) -> any Transport { transport }
    /// Does nothing.
    public func request(_ request: Request, willSend transportRequest: inout TransportRequest) {}
    /// Does nothing.
    public func requestWillDeliver(_ request: Request) {}
}

extension CompositeEventMonitor {
    /// Lets the monitors change what is sent.
    func request(_ request: Request, willSend transportRequest: inout TransportRequest) {
        for monitor in accompanying { monitor.request(request, willSend: &transportRequest) }
    }

    /// Tells the monitors that the request is not tried again.
    func requestWillDeliver(_ request: Request) {
        for monitor in accompanying { monitor.requestWillDeliver(request) }
    }
}
