public import Foundation

/// A source of requests by method: a ``Session`` or a ``RequestGroup``.
///
/// ```swift
/// let user = try await session.get("users/7").serializingDecodable(User.self).value
/// ```
///
/// A URL may be relative if there is a base URL: see ``BaseURL``.
public protocol RequestMaking: Sendable {
    /// Creates a request whose response is data.
    ///
    /// - Parameters:
    ///   - convertible: The source of the `URLRequest`, called again for each attempt.
    ///   - interceptor: Adapts and retries this request, after the session's interceptor.
    ///   - shouldAutomaticallyResume: Whether to start when the first handler is added; `nil` for the session's
    ///     setting.
    func request(
        _ convertible: any URLRequestConvertible,
        interceptor: (any RequestInterceptor)?,
        shouldAutomaticallyResume: Bool?
    ) -> DataRequest
}

extension Session: RequestMaking {}

extension RequestMaking {
    /// Creates a `GET` request.
    ///
    /// - Parameters:
    ///   - url: The URL, absolute or relative to the base.
    ///   - headers: The header fields to set.
    ///   - interceptor: Adapts and retries this request, after the session's interceptor.
    ///   - requestModifier: Changes the `URLRequest`.
    public func get(
        _ url: any URLConvertible,
        headers: HTTPHeaders? = nil,
        interceptor: (any RequestInterceptor)? = nil,
        requestModifier: Session.RequestModifier? = nil
    ) -> DataRequest {
        make(.get, url, headers, interceptor, requestModifier)
    }

    /// Creates a `HEAD` request, whose response has no content.
    ///
    /// - Parameters:
    ///   - url: The URL, absolute or relative to the base.
    ///   - headers: The header fields to set.
    ///   - interceptor: Adapts and retries this request, after the session's interceptor.
    ///   - requestModifier: Changes the `URLRequest`.
    public func head(
        _ url: any URLConvertible,
        headers: HTTPHeaders? = nil,
        interceptor: (any RequestInterceptor)? = nil,
        requestModifier: Session.RequestModifier? = nil
    ) -> DataRequest {
        make(.head, url, headers, interceptor, requestModifier)
    }

    /// Creates an `OPTIONS` request.
    ///
    /// - Parameters:
    ///   - url: The URL, absolute or relative to the base.
    ///   - headers: The header fields to set.
    ///   - interceptor: Adapts and retries this request, after the session's interceptor.
    ///   - requestModifier: Changes the `URLRequest`.
    public func options(
        _ url: any URLConvertible,
        headers: HTTPHeaders? = nil,
        interceptor: (any RequestInterceptor)? = nil,
        requestModifier: Session.RequestModifier? = nil
    ) -> DataRequest {
        make(.options, url, headers, interceptor, requestModifier)
    }

    /// Creates a `DELETE` request.
    ///
    /// - Parameters:
    ///   - url: The URL, absolute or relative to the base.
    ///   - headers: The header fields to set.
    ///   - interceptor: Adapts and retries this request, after the session's interceptor.
    ///   - requestModifier: Changes the `URLRequest`.
    public func delete(
        _ url: any URLConvertible,
        headers: HTTPHeaders? = nil,
        interceptor: (any RequestInterceptor)? = nil,
        requestModifier: Session.RequestModifier? = nil
    ) -> DataRequest {
        make(.delete, url, headers, interceptor, requestModifier)
    }

    /// Creates a `POST` request.
    ///
    /// - Parameters:
    ///   - url: The URL, absolute or relative to the base.
    ///   - body: The content, sent unchanged; empty for none. AirframeEncoding has overloads that encode a value.
    ///   - headers: The header fields to set. Without a `Content-Type`, the content is sent as a form.
    ///   - interceptor: Adapts and retries this request, after the session's interceptor.
    ///   - requestModifier: Changes the `URLRequest`.
    public func post(
        _ url: any URLConvertible,
        body: Data = Data(),
        headers: HTTPHeaders? = nil,
        interceptor: (any RequestInterceptor)? = nil,
        requestModifier: Session.RequestModifier? = nil
    ) -> DataRequest {
        make(.post, url, headers, interceptor, body.sent(before: requestModifier))
    }

    /// Creates a `PUT` request.
    ///
    /// - Parameters:
    ///   - url: The URL, absolute or relative to the base.
    ///   - body: The content, sent unchanged; empty for none. AirframeEncoding has overloads that encode a value.
    ///   - headers: The header fields to set.
    ///   - interceptor: Adapts and retries this request, after the session's interceptor.
    ///   - requestModifier: Changes the `URLRequest`.
    public func put(
        _ url: any URLConvertible,
        body: Data = Data(),
        headers: HTTPHeaders? = nil,
        interceptor: (any RequestInterceptor)? = nil,
        requestModifier: Session.RequestModifier? = nil
    ) -> DataRequest {
        make(.put, url, headers, interceptor, body.sent(before: requestModifier))
    }

    /// Creates a `PATCH` request (RFC 5789).
    ///
    /// - Parameters:
    ///   - url: The URL, absolute or relative to the base.
    ///   - body: The content, sent unchanged; empty for none. AirframeEncoding has overloads that encode a value.
    ///   - headers: The header fields to set.
    ///   - interceptor: Adapts and retries this request, after the session's interceptor.
    ///   - requestModifier: Changes the `URLRequest`.
    public func patch(
        _ url: any URLConvertible,
        body: Data = Data(),
        headers: HTTPHeaders? = nil,
        interceptor: (any RequestInterceptor)? = nil,
        requestModifier: Session.RequestModifier? = nil
    ) -> DataRequest {
        make(.patch, url, headers, interceptor, body.sent(before: requestModifier))
    }

    private func make(
        _ method: HTTPMethod,
        _ url: any URLConvertible,
        _ headers: HTTPHeaders?,
        _ interceptor: (any RequestInterceptor)?,
        _ modifier: Session.RequestModifier?
    ) -> DataRequest {
        request(
            PlainRequest(url: url, method: method, headers: headers, modifier: modifier),
            interceptor: interceptor,
            shouldAutomaticallyResume: nil
        )
    }
}

extension Data {
    /// Returns a modifier that sets this content, if there is any, and then applies `modifier`.
    fileprivate func sent(before modifier: Session.RequestModifier?) -> Session.RequestModifier? {
        guard !isEmpty else { return modifier }
        return { request in
            request.httpBody = self
            try modifier?(&request)
        }
    }
}
