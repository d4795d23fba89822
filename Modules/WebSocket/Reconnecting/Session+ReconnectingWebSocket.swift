public import AirframeCore
internal import AirframeTransport

extension Session {
    /// Creates a WebSocket that reconnects when its connection is lost.
    ///
    /// - Parameters:
    ///   - url: The URL, with the scheme `wss`, `ws`, `https` or `http`.
    ///   - configuration: The subprotocols and compression to request, and the limits of each connection. Without
    ///     ``WebSocket/Configuration/keepAlive``, a connection that is lost silently is not detected.
    ///   - policy: The rules for reconnecting.
    ///   - headers: Header fields of each handshake.
    ///   - interceptor: Adapts and retries each handshake, after the session's interceptor.
    ///   - prepare: Prepares each connection, for example by subscribing or logging in.
    public func reconnectingWebSocket(
        _ url: any URLConvertible,
        configuration: WebSocket.Configuration = WebSocket.Configuration(keepAlive: WebSocket.KeepAlive()),
        policy: ReconnectingWebSocket.Policy = ReconnectingWebSocket.Policy(),
        headers: HTTPHeaders? = nil,
        interceptor: (any RequestInterceptor)? = nil,
        prepare: @escaping ReconnectingWebSocket.Preparation = { _ in }
    ) -> ReconnectingWebSocket {
        ReconnectingWebSocket(
            policy: policy,
            clock: context.clock,
            open: { [self] in
                try await webSocket(url, configuration: configuration, headers: headers, interceptor: interceptor)
            },
            prepare: prepare
        )
    }
}
