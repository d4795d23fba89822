public import AirframeCore

// Disfavoured, because both overloads match a call without parameters, which belongs to AirframeCore.

extension Session {
    /// Creates a request for data with a dictionary of parameters.
    ///
    /// - Parameters:
    ///   - convertible: The URL.
    ///   - method: The method.
    ///   - parameters: The parameters; `nil` for none.
    ///   - encoding: The encoding of the parameters.
    ///   - headers: The header fields to set.
    ///   - interceptor: The interceptor of this request, which runs after the session's.
    ///   - shouldAutomaticallyResume: Whether the first handler starts the request; the session's rule if `nil`.
    ///   - requestModifier: A closure that modifies the `URLRequest` before encoding.
    @_disfavoredOverload
    public func request(
        _ convertible: any URLConvertible,
        method: HTTPMethod = .get,
        parameters: Parameters? = nil,
        encoding: any ParameterEncoding = URLEncoding.default,
        headers: HTTPHeaders? = nil,
        interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil,
        requestModifier: RequestModifier? = nil
    ) -> DataRequest {
        let plain = PlainRequest(url: convertible, method: method, headers: headers, modifier: requestModifier)
        return request(
            ParameterizedRequest(plain, parameters: parameters, encoding: encoding),
            interceptor: interceptor,
            shouldAutomaticallyResume: shouldAutomaticallyResume
        )
    }

    /// Creates a request for data with typed parameters.
    ///
    /// - Parameters:
    ///   - convertible: The URL.
    ///   - method: The method.
    ///   - parameters: The parameters; `nil` for none.
    ///   - encoder: The encoder of the parameters.
    ///   - headers: The header fields to set.
    ///   - interceptor: The interceptor of this request, which runs after the session's.
    ///   - shouldAutomaticallyResume: Whether the first handler starts the request; the session's rule if `nil`.
    ///   - requestModifier: A closure that modifies the `URLRequest` before encoding.
    @_disfavoredOverload
    public func request<Parameters: Encodable & Sendable>(
        _ convertible: any URLConvertible,
        method: HTTPMethod = .get,
        parameters: Parameters? = nil,
        encoder: any ParameterEncoder = URLEncodedFormParameterEncoder.default,
        headers: HTTPHeaders? = nil,
        interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil,
        requestModifier: RequestModifier? = nil
    ) -> DataRequest {
        let plain = PlainRequest(url: convertible, method: method, headers: headers, modifier: requestModifier)
        return request(
            ParameterizedRequest(plain, parameters: parameters, encoder: encoder),
            interceptor: interceptor,
            shouldAutomaticallyResume: shouldAutomaticallyResume
        )
    }
}
