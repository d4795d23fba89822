public import AirframeCore
public import AirframeEncoding
internal import AirframeWebSocket

// Here and not in AirframeWebSocket: AirframeEncoding brings the libraries that compress bodies.

extension Session {
    /// Makes a request with parameters that opens a WebSocket.
    ///
    /// - Parameters:
    ///   - url: The URL, with the scheme `wss`, `ws`, `https` or `http`.
    ///   - configuration: The protocol to ask for, and the limits of the connection.
    ///   - parameters: The parameters; `nil` for none.
    ///   - encoder: Puts the parameters into the request.
    ///   - headers: Fields to set in the handshake.
    ///   - interceptor: Adapts and retries the handshake, before the session's.
    ///   - shouldAutomaticallyResume: Whether to start when the first handler is added; `nil` for the session's setting.
    ///   - requestModifier: Changes the `URLRequest` before it is encoded.
    public func webSocketRequest<Parameters: Encodable & Sendable>(
        to url: any URLConvertible,
        configuration: WebSocketRequest.Configuration = .default,
        parameters: Parameters?,
        encoder: any ParameterEncoder = URLEncodedFormParameterEncoder.default,
        headers: HTTPHeaders? = nil,
        interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil,
        requestModifier: RequestModifier? = nil
    ) -> WebSocketRequest {
        let plain = PlainRequest(url: url, method: .get, headers: headers, modifier: requestModifier)
        return webSocketRequest(
            performing: ParameterizedRequest(plain, parameters: parameters, encoder: encoder),
            configuration: configuration,
            interceptor: interceptor,
            shouldAutomaticallyResume: shouldAutomaticallyResume
        )
    }
}
