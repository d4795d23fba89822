public import AirframeTransport

/// A monitor that takes part in the sending of requests: it may change the request that is sent, and add a layer around
/// the transport.
///
/// It serves monitors that add something to the wire, such as the context of a trace; a monitor that only measures or
/// logs does not need it. Its functions are called synchronously in the task of the request, so
/// ``EventMonitor/isCalledSynchronously`` must be `true`.
public protocol AccompanyingMonitor: EventMonitor {
    /// Returns the transport with the monitor's layer around it, beneath the session's own layers. The layer sees each
    /// exchange as it is sent, including those of redirects and of answers to challenges. Called when a session is
    /// created.
    ///
    /// `Session(transport:)` and the initializers that use it call their monitors. `Session(composed:)` adds no layer:
    /// its caller adds it.
    func layer(over transport: any Transport) -> any Transport

    /// An attempt is about to be sent.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - transportRequest: The request to send, which may be changed. Redirects start from it.
    func request(_ request: Request, willSend transportRequest: inout TransportRequest)

    /// The request has finished and will not be retried; its results are about to be delivered. Called once more for
    /// handlers that were added later.
    func requestWillDeliver(_ request: Request)
}

extension AccompanyingMonitor {
    /// The transport without a layer.
    public func layer(over transport: any Transport) -> any Transport { transport }
    /// Does nothing.
    public func request(_ request: Request, willSend transportRequest: inout TransportRequest) {}
    /// Does nothing.
    public func requestWillDeliver(_ request: Request) {}
}

extension CompositeEventMonitor {
    /// Lets the monitors change the request that is sent.
    func request(_ request: Request, willSend transportRequest: inout TransportRequest) {
        for monitor in accompanying { monitor.request(request, willSend: &transportRequest) }
    }

    /// Notifies the monitors that the request is not retried.
    func requestWillDeliver(_ request: Request) {
        for monitor in accompanying { monitor.requestWillDeliver(request) }
    }
}
