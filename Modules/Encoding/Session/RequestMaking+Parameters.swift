public import AirframeCore

// The verbs with values as queries and bodies.

extension RequestMaking {
    /// Creates a `GET` with a query.
    ///
    /// - Parameters:
    ///   - url: The URL, absolute or relative to the base.
    ///   - query: The parameters, appended to the query that the URL has.
    ///   - format: The characters that are escaped, and the spelling of keys.
    ///   - headers: The header fields to set.
    ///   - interceptor: The interceptor of this request, which runs after the session's.
    ///   - requestModifier: A closure that modifies the `URLRequest` before the query is appended.
    public func get<Query: Encodable & Sendable>(
        _ url: any URLConvertible,
        query: Query,
        format: QueryFormat = .standard,
        headers: HTTPHeaders? = nil,
        interceptor: (any RequestInterceptor)? = nil,
        requestModifier: Session.RequestModifier? = nil
    ) -> DataRequest {
        let plain = PlainRequest(url: url, method: .get, headers: headers, modifier: requestModifier)
        return make(plain, query, .query(format), interceptor)
    }

    /// Creates a `HEAD` with a query. The response has no content.
    ///
    /// - Parameters:
    ///   - url: The URL, absolute or relative to the base.
    ///   - query: The parameters, appended to the query that the URL has.
    ///   - format: The characters that are escaped, and the spelling of keys.
    ///   - headers: The header fields to set.
    ///   - interceptor: The interceptor of this request, which runs after the session's.
    ///   - requestModifier: A closure that modifies the `URLRequest` before the query is appended.
    public func head<Query: Encodable & Sendable>(
        _ url: any URLConvertible,
        query: Query,
        format: QueryFormat = .standard,
        headers: HTTPHeaders? = nil,
        interceptor: (any RequestInterceptor)? = nil,
        requestModifier: Session.RequestModifier? = nil
    ) -> DataRequest {
        let plain = PlainRequest(url: url, method: .head, headers: headers, modifier: requestModifier)
        return make(plain, query, .query(format), interceptor)
    }

    /// Creates a `DELETE` with a query.
    ///
    /// - Parameters:
    ///   - url: The URL, absolute or relative to the base.
    ///   - query: The parameters, appended to the query that the URL has.
    ///   - format: The characters that are escaped, and the spelling of keys.
    ///   - headers: The header fields to set.
    ///   - interceptor: The interceptor of this request, which runs after the session's.
    ///   - requestModifier: A closure that modifies the `URLRequest` before the query is appended.
    public func delete<Query: Encodable & Sendable>(
        _ url: any URLConvertible,
        query: Query,
        format: QueryFormat = .standard,
        headers: HTTPHeaders? = nil,
        interceptor: (any RequestInterceptor)? = nil,
        requestModifier: Session.RequestModifier? = nil
    ) -> DataRequest {
        let plain = PlainRequest(url: url, method: .delete, headers: headers, modifier: requestModifier)
        return make(plain, query, .query(format), interceptor)
    }

    /// Creates a `POST` with a value as its content.
    ///
    /// - Parameters:
    ///   - url: The URL, absolute or relative to the base.
    ///   - body: The value.
    ///   - encoder: The encoder of the content; JSON by default.
    ///   - headers: The header fields to set.
    ///   - interceptor: The interceptor of this request, which runs after the session's.
    ///   - requestModifier: A closure that modifies the `URLRequest` before the content is set.
    public func post<Body: Encodable & Sendable>(
        _ url: any URLConvertible,
        body: Body,
        encoder: any ParameterEncoder = JSONParameterEncoder.default,
        headers: HTTPHeaders? = nil,
        interceptor: (any RequestInterceptor)? = nil,
        requestModifier: Session.RequestModifier? = nil
    ) -> DataRequest {
        let plain = PlainRequest(url: url, method: .post, headers: headers, modifier: requestModifier)
        return make(plain, body, encoder, interceptor)
    }

    /// Creates a `PUT` with a value as its content.
    ///
    /// - Parameters:
    ///   - url: The URL, absolute or relative to the base.
    ///   - body: The value.
    ///   - encoder: The encoder of the content; JSON by default.
    ///   - headers: The header fields to set.
    ///   - interceptor: The interceptor of this request, which runs after the session's.
    ///   - requestModifier: A closure that modifies the `URLRequest` before the content is set.
    public func put<Body: Encodable & Sendable>(
        _ url: any URLConvertible,
        body: Body,
        encoder: any ParameterEncoder = JSONParameterEncoder.default,
        headers: HTTPHeaders? = nil,
        interceptor: (any RequestInterceptor)? = nil,
        requestModifier: Session.RequestModifier? = nil
    ) -> DataRequest {
        let plain = PlainRequest(url: url, method: .put, headers: headers, modifier: requestModifier)
        return make(plain, body, encoder, interceptor)
    }

    /// Creates a `PATCH` (RFC 5789) with a value as its content.
    ///
    /// - Parameters:
    ///   - url: The URL, absolute or relative to the base.
    ///   - body: The value.
    ///   - encoder: The encoder of the content; JSON by default.
    ///   - headers: The header fields to set.
    ///   - interceptor: The interceptor of this request, which runs after the session's.
    ///   - requestModifier: A closure that modifies the `URLRequest` before the content is set.
    public func patch<Body: Encodable & Sendable>(
        _ url: any URLConvertible,
        body: Body,
        encoder: any ParameterEncoder = JSONParameterEncoder.default,
        headers: HTTPHeaders? = nil,
        interceptor: (any RequestInterceptor)? = nil,
        requestModifier: Session.RequestModifier? = nil
    ) -> DataRequest {
        let plain = PlainRequest(url: url, method: .patch, headers: headers, modifier: requestModifier)
        return make(plain, body, encoder, interceptor)
    }

    private func make<Value: Encodable & Sendable>(
        _ plain: PlainRequest,
        _ value: Value,
        _ encoder: any ParameterEncoder,
        _ interceptor: (any RequestInterceptor)?
    ) -> DataRequest {
        request(
            ParameterizedRequest(plain, parameters: value, encoder: encoder),
            interceptor: interceptor,
            shouldAutomaticallyResume: nil
        )
    }
}

extension ParameterEncoder where Self == URLEncodedFormParameterEncoder {
    /// Returns a query in a format.
    ///
    /// - Parameter format: The characters that are escaped, and the spelling of keys.
    public static func query(_ format: QueryFormat) -> URLEncodedFormParameterEncoder {
        URLEncodedFormParameterEncoder(encoder: URLEncodedFormEncoder(format: format), destination: .queryString)
    }
}
