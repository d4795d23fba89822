/// An adapter and a retrier in one type. Both functions have default implementations.
public protocol RequestInterceptor: RequestAdapter, RequestRetrier {}

extension RequestInterceptor {
    /// Returns the request unchanged.
    public func adapt(
        _ urlRequest: URLRequest,
        for session: Session,
        completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void
    ) {
        completion(.success(urlRequest))
    }

    /// Does not retry.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - session: Its session.
    ///   - error: The error that it failed with.
    ///   - completion: Receives ``RetryResult/doNotRetry``.
    public func retry(
        _ request: Request,
        for session: Session,
        dueTo error: any Error,
        completion: @escaping @Sendable (RetryResult) -> Void
    ) {
        completion(.doNotRetry)
    }
}

/// An adapter's closure.
public typealias AdaptHandler =
    @Sendable (
        _ urlRequest: URLRequest,
        _ session: Session,
        _ completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void
    ) -> Void

/// A retrier's closure.
public typealias RetryHandler =
    @Sendable (
        _ request: Request,
        _ session: Session,
        _ error: any Error,
        _ completion: @escaping @Sendable (RetryResult) -> Void
    ) -> Void
