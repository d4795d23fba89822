internal import Foundation

extension Session {
    /// Makes a request whose response is handed on as it comes.
    ///
    /// - Parameters:
    ///   - convertible: The URL.
    ///   - method: The method.
    ///   - headers: Fields to set.
    ///   - automaticallyCancelOnStreamError: Whether to cancel when a value cannot be made.
    ///   - interceptor: Adapts and retries this request, after the session's.
    ///   - shouldAutomaticallyResume: Whether to start when the first handler is added; the session's rule if `nil`.
    ///   - requestModifier: Changes the `URLRequest`.
    public func streamRequest(
        _ convertible: any URLConvertible,
        method: HTTPMethod = .get,
        headers: HTTPHeaders? = nil,
        automaticallyCancelOnStreamError: Bool = false,
        interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil,
        requestModifier: RequestModifier? = nil
    ) -> DataStreamRequest {
        streamRequest(
            PlainRequest(url: convertible, method: method, headers: headers, modifier: requestModifier),
            automaticallyCancelOnStreamError: automaticallyCancelOnStreamError,
            interceptor: interceptor,
            shouldAutomaticallyResume: shouldAutomaticallyResume
        )
    }

    /// Makes a request whose response is handed on as it comes, from anything that makes a `URLRequest`.
    ///
    /// - Parameters:
    ///   - convertible: Makes the `URLRequest`, anew for each attempt.
    ///   - automaticallyCancelOnStreamError: Whether to cancel when a value cannot be made.
    ///   - interceptor: Adapts and retries this request, after the session's.
    ///   - shouldAutomaticallyResume: Whether to start when the first handler is added; the session's rule if `nil`.
    public func streamRequest(
        _ convertible: any URLRequestConvertible,
        automaticallyCancelOnStreamError: Bool = false,
        interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil
    ) -> DataStreamRequest {
        perform(
            DataStreamRequest(
                convertible: convertible,
                session: self,
                interceptor: interceptor,
                shouldAutomaticallyResume: shouldAutomaticallyResume,
                automaticallyCancelOnStreamError: automaticallyCancelOnStreamError
            )
        )
    }
}
