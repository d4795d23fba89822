public import AirframeTransport

extension SocketTransport: UpgradingTransport {
    /// Sends `request` and returns the stream that follows the response's head: after `101` (RFC 9110 §7.8), or after a
    /// `CONNECT` that was granted (RFC 9110 §9.3.6).
    ///
    /// A `CONNECT` goes to the proxy of the request's options where that is an HTTP proxy and the scheme is `http`, and
    /// otherwise to the server that it names. Deadline and limits end with the response's head: a stream takes as long as it
    /// takes. The event ``TransportEvent/Kind/released(_:)`` comes when the stream is closed or dropped.
    ///
    /// - Throws: A ``TransportError``, as ``send(_:)`` does; ``TransportError/Code/invalidRequest`` for a request that asks for no
    ///   upgrade, or has a body.
    public func upgrade(_ request: TransportRequest) async throws(TransportError) -> UpgradeResult {
        try await prepare(request, isUpgrade: true).upgrade()
    }
}
