internal import AirframeTransport
public import Foundation

/// What an adapter may know beside the request.
public struct RequestAdapterState: Sendable {
    /// The identifier of the ``Request`` that is adapted.
    public let requestID: UUID
    /// The session that the request belongs to.
    public let session: Session

    /// Describes a request that is adapted.
    public init(requestID: UUID, session: Session) {
        self.requestID = requestID
        self.session = session
    }
}

/// Changes requests before they are sent.
///
/// Types that would rather be asynchronous conform to ``AsyncRequestAdapter``.
public protocol RequestAdapter: Sendable {
    /// Adapts a request.
    ///
    /// - Parameters:
    ///   - urlRequest: The request.
    ///   - session: Its session.
    ///   - completion: Takes the request to send, or why there is none. Only the first call counts; a request whose
    ///     adapter never calls it waits until it is cancelled.
    func adapt(
        _ urlRequest: URLRequest,
        for session: Session,
        completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void
    )

    /// Adapts a request, knowing more of it. Passes it to ``adapt(_:for:completion:)`` unless it is implemented.
    ///
    /// - Parameters:
    ///   - urlRequest: The request.
    ///   - state: The request's identifier and session.
    ///   - completion: Takes the request to send, or why there is none. Only the first call counts.
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

    /// The request as this adapter wants it sent.
    ///
    /// - Parameters:
    ///   - urlRequest: The request.
    ///   - state: The request's identifier and session.
    /// - Throws: What the adapter fails with, or `CancellationError` when the task is cancelled before it answers.
    public func adapted(_ urlRequest: URLRequest, using state: RequestAdapterState) async throws -> URLRequest {
        try await adapted(urlRequest, using: state, on: nil)
    }

    /// The request as this adapter wants it sent; a callback adapter is called on `queue`, if there is one.
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
