public import AirframeCore
internal import AirframeTransport

extension Session {
    /// Makes a WebSocket that is opened again when it is lost.
    ///
    /// - Parameters:
    ///   - url: The URL, with the scheme `wss`, `ws`, `https` or `http`.
    ///   - configuration: The protocols and the compression to ask for, and the limits of each connection. Without
    ///     ``WebSocket/Configuration/keepAlive`` a connection that died silently is not noticed.
    ///   - policy: When to connect again.
    ///   - headers: Fields to set in each handshake.
    ///   - interceptor: Adapts and retries each handshake, before the session's.
    ///   - prepare: Prepares each connection: subscribes, logs in.
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
