internal import Foundation

/// A ``RequestAdapter`` with an asynchronous function.
public protocol AsyncRequestAdapter: RequestAdapter {
    /// Returns the request to send in place of `urlRequest`.
    ///
    /// - Parameters:
    ///   - urlRequest: The request.
    ///   - state: The request's identifier and session.
    /// - Throws: Any error; the request fails with it.
    func adapt(_ urlRequest: URLRequest, using state: RequestAdapterState) async throws -> URLRequest
}

extension AsyncRequestAdapter {
    /// Calls the asynchronous form in a task. The identifier of the request is unknown here and is a new one each time.
    public func adapt(
        _ urlRequest: URLRequest,
        for session: Session,
        completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void
    ) {
        adapt(urlRequest, using: RequestAdapterState(requestID: UUID(), session: session), completion: completion)
    }

    /// Calls the asynchronous form in a task.
    public func adapt(
        _ urlRequest: URLRequest,
        using state: RequestAdapterState,
        completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void
    ) {
        Task {
            do {
                completion(.success(try await adapt(urlRequest, using: state)))
            } catch {
                completion(.failure(error))
            }
        }
    }
}

/// A ``RequestRetrier`` with an asynchronous function.
public protocol AsyncRequestRetrier: RequestRetrier {
    /// Decides whether to retry a request.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - session: Its session.
    ///   - error: The error that it failed with.
    func retry(_ request: Request, for session: Session, dueTo error: any Error) async -> RetryResult
}

extension AsyncRequestRetrier {
    /// Calls the asynchronous form in a task.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - session: Its session.
    ///   - error: The error that it failed with.
    ///   - completion: Receives the decision.
    public func retry(
        _ request: Request,
        for session: Session,
        dueTo error: any Error,
        completion: @escaping @Sendable (RetryResult) -> Void
    ) {
        Task { completion(await retry(request, for: session, dueTo: error)) }
    }
}

/// A ``RequestInterceptor`` with asynchronous functions. Both have default implementations.
public protocol AsyncRequestInterceptor: RequestInterceptor, AsyncRequestAdapter, AsyncRequestRetrier {}

extension AsyncRequestInterceptor {
    /// Returns the request unchanged. Throws no error.
    public func adapt(_ urlRequest: URLRequest, using state: RequestAdapterState) async throws -> URLRequest {
        urlRequest
    }

    /// Does not retry.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - session: Its session.
    ///   - error: The error that it failed with.
    /// - Returns: ``RetryResult/doNotRetry``.
    public func retry(_ request: Request, for session: Session, dueTo error: any Error) async -> RetryResult {
        .doNotRetry
    }

    /// Calls the asynchronous form in a task.
    public func adapt(
        _ urlRequest: URLRequest,
        for session: Session,
        completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void
    ) {
        adapt(urlRequest, using: RequestAdapterState(requestID: UUID(), session: session), completion: completion)
    }

    /// Calls the asynchronous form in a task.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - session: Its session.
    ///   - error: The error that it failed with.
    ///   - completion: Receives the decision.
    public func retry(
        _ request: Request,
        for session: Session,
        dueTo error: any Error,
        completion: @escaping @Sendable (RetryResult) -> Void
    ) {
        Task { completion(await retry(request, for: session, dueTo: error)) }
    }
}
