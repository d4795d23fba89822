public import AirframeCore

// Disfavoured, because a call without parameters is AirframeCore's: with `nil` for the parameters both would do.

extension Session {
    /// Downloads to a file, with a dictionary of parameters.
    ///
    /// - Parameters:
    ///   - convertible: The URL.
    ///   - method: The method.
    ///   - parameters: The parameters; `nil` for none.
    ///   - encoding: Puts the parameters into the request.
    ///   - headers: Fields to set.
    ///   - interceptor: Adapts and retries this request, after the session's.
    ///   - shouldAutomaticallyResume: Whether to start when the first handler is added; the session's rule if `nil`.
    ///   - requestModifier: Changes the `URLRequest` before it is encoded.
    ///   - destination: Says where the file goes; `nil` leaves it in the temporary directory, under a name of its own.
    @_disfavoredOverload
    public func download(
        _ convertible: any URLConvertible,
        method: HTTPMethod = .get,
        parameters: Parameters? = nil,
        encoding: any ParameterEncoding = URLEncoding.default,
        headers: HTTPHeaders? = nil,
        interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil,
        requestModifier: RequestModifier? = nil,
        to destination: DownloadRequest.Destination? = nil
    ) -> DownloadRequest {
        let plain = PlainRequest(url: convertible, method: method, headers: headers, modifier: requestModifier)
        return download(
            ParameterizedRequest(plain, parameters: parameters, encoding: encoding),
            interceptor: interceptor,
            shouldAutomaticallyResume: shouldAutomaticallyResume,
            to: destination
        )
    }

    /// Downloads to a file, with parameters of a type.
    ///
    /// - Parameters:
    ///   - convertible: The URL.
    ///   - method: The method.
    ///   - parameters: The parameters; `nil` for none.
    ///   - encoder: Puts the parameters into the request.
    ///   - headers: Fields to set.
    ///   - interceptor: Adapts and retries this request, after the session's.
    ///   - shouldAutomaticallyResume: Whether to start when the first handler is added; the session's rule if `nil`.
    ///   - requestModifier: Changes the `URLRequest` before it is encoded.
    ///   - destination: Says where the file goes; `nil` leaves it in the temporary directory, under a name of its own.
    @_disfavoredOverload
    public func download<Parameters: Encodable & Sendable>(
        _ convertible: any URLConvertible,
        method: HTTPMethod = .get,
        parameters: Parameters? = nil,
        encoder: any ParameterEncoder = URLEncodedFormParameterEncoder.default,
        headers: HTTPHeaders? = nil,
        interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil,
        requestModifier: RequestModifier? = nil,
        to destination: DownloadRequest.Destination? = nil
    ) -> DownloadRequest {
        let plain = PlainRequest(url: convertible, method: method, headers: headers, modifier: requestModifier)
        return download(
            ParameterizedRequest(plain, parameters: parameters, encoder: encoder),
            interceptor: interceptor,
            shouldAutomaticallyResume: shouldAutomaticallyResume,
            to: destination
        )
    }
}
