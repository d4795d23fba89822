internal import AirframeTransport
public import Foundation

/// The context of an adaptation.
public struct RequestAdapterState: Sendable {
    /// The identifier of the ``Request`` that is adapted.
    public let requestID: UUID
    /// The session that the request belongs to.
    public let session: Session

    /// Creates a context.
    public init(requestID: UUID, session: Session) {
        self.requestID = requestID
        self.session = session
    }
}

/// Changes requests before they are sent.
///
/// Types with an asynchronous function conform to ``AsyncRequestAdapter``.
public protocol RequestAdapter: Sendable {
    /// Adapts a request.
    ///
    /// - Parameters:
    ///   - urlRequest: The request.
    ///   - session: Its session.
    ///   - completion: Receives the request to send, or an error. Only the first call counts. If the adapter never
    ///     calls it, the request waits until it is cancelled.
    func adapt(
        _ urlRequest: URLRequest,
        for session: Session,
        completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void
    )

    /// Adapts a request in a context. The default implementation calls ``adapt(_:for:completion:)``.
    ///
    /// - Parameters:
    ///   - urlRequest: The request.
    ///   - state: The request's identifier and session.
    ///   - completion: Receives the request to send, or an error. Only the first call counts.
    func adapt(
        _ urlRequest: URLRequest,
        using state: RequestAdapterState,
        completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void
    )
}

extension RequestAdapter {
    /// Passes the request to ``adapt(_:for:completion:)``.
    public func adapt(
        _ urlRequest: URLRequest,
        using state: RequestAdapterState,
        completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void
    ) {
        adapt(urlRequest, for: state.session, completion: completion)
    }

    /// Returns the adapted request.
    ///
    /// - Parameters:
    ///   - urlRequest: The request.
    ///   - state: The request's identifier and session.
    /// - Throws: The adapter's error, or `CancellationError` if the task is cancelled before the adapter answers.
    public func adapted(_ urlRequest: URLRequest, using state: RequestAdapterState) async throws -> URLRequest {
        try await adapted(urlRequest, using: state, on: nil)
    }

    /// Returns the adapted request. An adapter with a callback is called on `queue`, if there is one.
    package func adapted(
        _ urlRequest: URLRequest,
        using state: RequestAdapterState,
        on queue: DispatchQueue?
    ) async throws -> URLRequest {
        if let adapter = self as? any AsyncRequestAdapter { return try await adapter.adapt(urlRequest, using: state) }
        return try await FirstAnswer.wait { answer in
            guard let queue else { return adapt(urlRequest, using: state) { answer.give($0) } }
            queue.async { adapt(urlRequest, using: state) { answer.give($0) } }
        }
    }
}
