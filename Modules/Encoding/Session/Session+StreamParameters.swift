public import AirframeCore

// Disfavoured, because both overloads match a call without parameters, which belongs to AirframeCore.

extension Session {
    /// Creates a request with typed parameters whose response is streamed.
    ///
    /// - Parameters:
    ///   - convertible: The URL.
    ///   - method: The method.
    ///   - parameters: The parameters; `nil` for none.
    ///   - encoder: The encoder of the parameters.
    ///   - headers: The header fields to set.
    ///   - automaticallyCancelOnStreamError: Whether to cancel the request when a value cannot be serialized.
    ///   - interceptor: The interceptor of this request, which runs after the session's.
    ///   - shouldAutomaticallyResume: Whether the first handler starts the request; the session's rule if `nil`.
    ///   - requestModifier: A closure that modifies the `URLRequest` before encoding.
    @_disfavoredOverload
    public func streamRequest<Parameters: Encodable & Sendable>(
        _ convertible: any URLConvertible,
        method: HTTPMethod = .get,
        parameters: Parameters? = nil,
        encoder: any ParameterEncoder = URLEncodedFormParameterEncoder.default,
        headers: HTTPHeaders? = nil,
        automaticallyCancelOnStreamError: Bool = false,
        interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil,
        requestModifier: RequestModifier? = nil
    ) -> DataStreamRequest {
        let plain = PlainRequest(url: convertible, method: method, headers: headers, modifier: requestModifier)
        return streamRequest(
            ParameterizedRequest(plain, parameters: parameters, encoder: encoder),
            automaticallyCancelOnStreamError: automaticallyCancelOnStreamError,
            interceptor: interceptor,
            shouldAutomaticallyResume: shouldAutomaticallyResume
        )
    }
}
