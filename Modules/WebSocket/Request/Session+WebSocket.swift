public import AirframeCore
internal import AirframeTransport
internal import Foundation

extension Session {
    /// Opens a WebSocket.
    ///
    /// The handshake passes through the session's layers, interceptors, retries and monitors like every request. The
    /// connection belongs to the session and is closed when the session is deallocated.
    ///
    /// - Parameters:
    ///   - url: The URL, with the scheme `wss`, `ws`, `https` or `http`.
    ///   - configuration: The subprotocols and compression to request, and the limits of the connection.
    ///   - headers: Header fields of the handshake.
    ///   - interceptor: Adapts and retries the handshake, after the session's interceptor.
    ///   - requestModifier: Changes the `URLRequest`.
    /// - Returns: The open WebSocket.
    /// - Throws: ``AFError``. Its ``AFError/webSocketError`` names the rule that the server's response violated.
    public func webSocket(
        _ url: any URLConvertible,
        configuration: WebSocket.Configuration = WebSocket.Configuration(),
        headers: HTTPHeaders? = nil,
        interceptor: (any RequestInterceptor)? = nil,
        requestModifier: RequestModifier? = nil
    ) async throws -> WebSocket {
        try await webSocket(
            performing: PlainRequest(url: url, method: .get, headers: headers, modifier: requestModifier),
            configuration: configuration,
            interceptor: interceptor
        )
    }

    /// Opens a WebSocket with a value that creates a `URLRequest`.
    ///
    /// - Parameters:
    ///   - convertible: Creates the `URLRequest` for each attempt.
    ///   - configuration: The subprotocols and compression to request, and the limits of the connection.
    ///   - interceptor: Adapts and retries the handshake, after the session's interceptor.
    /// - Returns: The open WebSocket.
    /// - Throws: ``AFError``. Its ``AFError/webSocketError`` names the rule that the server's response violated.
    public func webSocket(
        performing convertible: any URLRequestConvertible,
        configuration: WebSocket.Configuration = WebSocket.Configuration(),
        interceptor: (any RequestInterceptor)? = nil
    ) async throws -> WebSocket {
        let conversation = WebSocketConversation(configuration, .reader)
        let request = perform(
            WebSocketRequest(
                convertible: convertible,
                configuration: .init(configuration),
                dialogue: conversation,
                session: self,
                interceptor: interceptor,
                shouldAutomaticallyResume: false
            )
        )
        return try await withTaskCancellationHandler {
            request.resume()
            return WebSocket(try await conversation.opened())
        } onCancel: {
            if !conversation.hasConnected { request.cancel() }
        }
    }
}

extension Session {
    /// Creates a request that opens a WebSocket.
    ///
    /// - Parameters:
    ///   - url: The URL, with the scheme `wss`, `ws`, `https` or `http`.
    ///   - configuration: The subprotocol to request, and the limits of the connection.
    ///   - headers: Header fields of the handshake.
    ///   - interceptor: Adapts and retries the handshake, after the session's interceptor.
    ///   - shouldAutomaticallyResume: Whether to start when the first handler is added; `nil` for the session's
    ///     setting.
    ///   - requestModifier: Changes the `URLRequest`.
    public func webSocketRequest(
        to url: any URLConvertible,
        configuration: WebSocketRequest.Configuration = .default,
        headers: HTTPHeaders? = nil,
        interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil,
        requestModifier: RequestModifier? = nil
    ) -> WebSocketRequest {
        webSocketRequest(
            performing: PlainRequest(url: url, method: .get, headers: headers, modifier: requestModifier),
            configuration: configuration,
            interceptor: interceptor,
            shouldAutomaticallyResume: shouldAutomaticallyResume
        )
    }

    /// Creates a request that opens a WebSocket, with a value that creates a `URLRequest`.
    ///
    /// - Parameters:
    ///   - convertible: Creates the `URLRequest` for each attempt.
    ///   - configuration: The subprotocol to request, and the limits of the connection.
    ///   - interceptor: Adapts and retries the handshake, after the session's interceptor.
    ///   - shouldAutomaticallyResume: Whether to start when the first handler is added; `nil` for the session's
    ///     setting.
    public func webSocketRequest(
        performing convertible: any URLRequestConvertible,
        configuration: WebSocketRequest.Configuration = .default,
        interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil
    ) -> WebSocketRequest {
        perform(
            WebSocketRequest(
                convertible: convertible,
                configuration: configuration,
                dialogue: WebSocketConversation(.init(configuration), .handlers),
                session: self,
                interceptor: interceptor,
                shouldAutomaticallyResume: shouldAutomaticallyResume
            )
        )
    }
}

extension AFError {
    /// The WebSocket error beneath this one, with the rule, its section and the close code.
    public var webSocketError: WebSocketError? {
        switch self {
        case .requestRetryFailed(_, let original): original.asAFError?.webSocketError
        default: underlyingError as? WebSocketError
        }
    }
}

extension WebSocket.Configuration {
    /// Converts a request's configuration.
    init(_ configuration: WebSocketRequest.Configuration) {
        self.init(
            protocols: configuration.protocol.map { [$0] } ?? [],
            maximumMessageSize: configuration.maximumMessageSize,
            keepAlive: configuration.pingInterval.flatMap { interval in
                // A `Duration` from a number beyond its range traps.
                interval > 0 && interval < 1e9 ? WebSocket.KeepAlive(interval: .seconds(interval)) : nil
            }
        )
    }
}

extension WebSocketRequest.Configuration {
    init(_ configuration: WebSocket.Configuration) {
        self.init(
            protocol: configuration.protocols.first, maximumMessageSize: configuration.maximumMessageSize)
    }
}
