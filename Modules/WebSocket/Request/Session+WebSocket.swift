public import AirframeCore
internal import AirframeTransport
internal import Foundation

extension Session {
    /// Opens a WebSocket.
    ///
    /// The handshake passes the session's layers, interceptors, retries and monitors like every request. The connection
    /// belongs to the session: it is closed when the session goes.
    ///
    /// - Parameters:
    ///   - url: The URL, with the scheme `wss`, `ws`, `https` or `http`.
    ///   - configuration: The protocols and the compression to ask for, and the limits of the connection.
    ///   - headers: Fields to set in the handshake.
    ///   - interceptor: Adapts and retries the handshake, before the session's.
    ///   - requestModifier: Changes the `URLRequest`.
    /// - Returns: The open WebSocket.
    /// - Throws: ``AFError``. ``AFError/webSocketError`` has the rule that the server's answer broke.
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

    /// Opens a WebSocket, from anything that makes a `URLRequest`.
    ///
    /// - Parameters:
    ///   - convertible: Makes the `URLRequest`, anew for each attempt.
    ///   - configuration: The protocols and the compression to ask for, and the limits of the connection.
    ///   - interceptor: Adapts and retries the handshake, before the session's.
    /// - Returns: The open WebSocket.
    /// - Throws: ``AFError``. ``AFError/webSocketError`` has the rule that the server's answer broke.
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
    /// Makes a request that opens a WebSocket.
    ///
    /// - Parameters:
    ///   - url: The URL, with the scheme `wss`, `ws`, `https` or `http`.
    ///   - configuration: The protocol to ask for, and the limits of the connection.
    ///   - headers: Fields to set in the handshake.
    ///   - interceptor: Adapts and retries the handshake, before the session's.
    ///   - shouldAutomaticallyResume: Whether to start when the first handler is added; the session's rule if `nil`.
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

    /// Makes a request that opens a WebSocket, from anything that makes a `URLRequest`.
    ///
    /// - Parameters:
    ///   - convertible: Makes the `URLRequest`, anew for each attempt.
    ///   - configuration: The protocol to ask for, and the limits of the connection.
    ///   - interceptor: Adapts and retries the handshake, before the session's.
    ///   - shouldAutomaticallyResume: Whether to start when the first handler is added; the session's rule if `nil`.
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
    /// The WebSocket's account of the failure: the rule, its section, the close code.
    public var webSocketError: WebSocketError? {
        switch self {
        case .requestRetryFailed(_, let original): original.asAFError?.webSocketError
        default: underlyingError as? WebSocketError
        }
    }
}

extension WebSocket.Configuration {
    /// What a request's configuration says.
    init(_ configuration: WebSocketRequest.Configuration) {
        self.init(
            protocols: configuration.protocol.map { [$0] } ?? [],
            maximumMessageSize: configuration.maximumMessageSize,
            keepAlive: configuration.pingInterval.flatMap { interval in
                // A `Duration` of a number beyond its range traps.
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
