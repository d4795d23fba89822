public import AirframeCore
public import AirframeEncoding
internal import AirframeWebSocket

// In this module, because AirframeEncoding links compression libraries, which AirframeWebSocket must not need.

extension Session {
    /// Creates a request with parameters that opens a WebSocket.
    ///
    /// - Parameters:
    ///   - url: The URL, with the scheme `wss`, `ws`, `https` or `http`.
    ///   - configuration: The application protocol to request, and the limits of the connection.
    ///   - parameters: The parameters; `nil` for none.
    ///   - encoder: Encodes the parameters into the request.
    ///   - headers: The header fields of the handshake.
    ///   - interceptor: Adapts and retries the handshake, after the session's interceptor.
    ///   - shouldAutomaticallyResume: Whether to start when the first handler is added; `nil` for the session's
    ///     setting.
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
