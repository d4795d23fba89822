internal import Foundation

extension Session {
    /// A closure that changes a `URLRequest` before it is adapted and sent.
    public typealias RequestModifier = @Sendable (inout URLRequest) throws -> Void

    /// Creates a request whose response is data.
    ///
    /// - Parameters:
    ///   - convertible: The URL.
    ///   - method: The method.
    ///   - headers: The header fields to set.
    ///   - interceptor: Adapts and retries this request, after the session's interceptor.
    ///   - shouldAutomaticallyResume: Whether to start when the first handler is added; `nil` for the session's
    ///     setting.
    ///   - requestModifier: Changes the `URLRequest`.
    public func request(
        _ convertible: any URLConvertible,
        method: HTTPMethod = .get,
        headers: HTTPHeaders? = nil,
        interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil,
        requestModifier: RequestModifier? = nil
    ) -> DataRequest {
        request(
            PlainRequest(url: convertible, method: method, headers: headers, modifier: requestModifier),
            interceptor: interceptor,
            shouldAutomaticallyResume: shouldAutomaticallyResume
        )
    }

    /// Creates a request whose response is data from a source of a `URLRequest`.
    ///
    /// - Parameters:
    ///   - convertible: The source of the `URLRequest`, called again for each attempt.
    ///   - interceptor: Adapts and retries this request, after the session's interceptor.
    ///   - shouldAutomaticallyResume: Whether to start when the first handler is added; `nil` for the session's
    ///     setting.
    public func request(
        _ convertible: any URLRequestConvertible,
        interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil
    ) -> DataRequest {
        perform(
            DataRequest(
                convertible: convertible,
                session: self,
                interceptor: interceptor,
                shouldAutomaticallyResume: shouldAutomaticallyResume
            )
        )
    }
}

/// A `URLRequest` that is made of a URL, a method and headers.
///
/// A class, because an existential value would store a structure of this size in a box, which takes more copies.
package final class PlainRequest: URLRequestConvertible {
    let url: any URLConvertible
    let method: HTTPMethod
    let headers: HTTPHeaders?
    let modifier: Session.RequestModifier?

    package init(
        url: any URLConvertible,
        method: HTTPMethod,
        headers: HTTPHeaders?,
        modifier: Session.RequestModifier?
    ) {
        self.url = url
        self.method = method
        self.headers = headers
        self.modifier = modifier
    }

    package func asURLRequest() throws -> URLRequest {
        var request = try URLRequest.make(url, method, headers)
        try modifier?(&request)
        return request
    }
}
