public import AirframeCore

// Disfavoured, because a call without parameters is AirframeCore's: with `nil` for the parameters both would do.

extension Session {
    /// Makes a request with parameters of a type, whose response is handed on as it comes.
    ///
    /// - Parameters:
    ///   - convertible: The URL.
    ///   - method: The method.
    ///   - parameters: The parameters; `nil` for none.
    ///   - encoder: Puts the parameters into the request.
    ///   - headers: Fields to set.
    ///   - automaticallyCancelOnStreamError: Whether to cancel when a value cannot be made.
    ///   - interceptor: Adapts and retries this request, after the session's.
    ///   - shouldAutomaticallyResume: Whether to start when the first handler is added; the session's rule if `nil`.
    ///   - requestModifier: Changes the `URLRequest` before it is encoded.
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
