internal import AirframeTransport
public import Dispatch
package import Foundation
internal import Synchronization

/// A request whose response is handed on as it comes, and never held as a whole.
public final class DataStreamRequest: Request, @unchecked Sendable {
    // `@unchecked` because Request is: what is added here is a constant or behind its own lock.

    /// Takes one piece of a stream.
    public typealias Handler<Success: Sendable, Failure: Error> = @Sendable (Stream<Success, Failure>) throws -> Void

    /// A piece of a stream, with the means to end it.
    public struct Stream<Success: Sendable, Failure: Error>: Sendable {
        /// What happened.
        public let event: Event<Success, Failure>
        /// Ends the stream.
        public let token: CancellationToken

        package init(event: Event<Success, Failure>, token: CancellationToken) {
            self.event = event
            self.token = token
        }

        /// Ends the stream.
        public func cancel() { token.cancel() }
    }

    /// What can happen in a stream.
    public enum Event<Success: Sendable, Failure: Error>: Sendable {
        /// A value came, or could not be made.
        case stream(Result<Success, Failure>)
        /// The stream ended.
        case complete(Completion)
    }

    /// How a stream ended.
    public struct Completion: Sendable {
        /// The last request.
        public let request: URLRequest?
        /// The head of the last response.
        public let response: HTTPURLResponse?
        /// The metrics of the last attempt.
        public let metrics: URLSessionTaskMetrics?
        /// Why it failed, if it did.
        public let error: AFError?
    }

    /// Ends a stream from within its handler.
    public struct CancellationToken: Sendable {
        weak let request: DataStreamRequest?

        /// Cancels the request.
        public func cancel() { request?.cancel() }
    }

    /// What makes the `URLRequest`.
    public let convertible: any URLRequestConvertible
    /// Whether the request is cancelled when a value cannot be made.
    public let automaticallyCancelOnStreamError: Bool

    // Guards the takers of the stream's pieces.
    private let takers = Mutex<[@Sendable (Data) async -> Void]>([])

    init(
        convertible: any URLRequestConvertible,
        session: Session,
        interceptor: (any RequestInterceptor)?,
        shouldAutomaticallyResume: Bool?,
        automaticallyCancelOnStreamError: Bool
    ) {
        self.convertible = convertible
        self.automaticallyCancelOnStreamError = automaticallyCancelOnStreamError
        super.init(
            session: session,
            interceptor: interceptor,
            shouldAutomaticallyResume: shouldAutomaticallyResume
        )
    }

    override func makeURLRequest() throws -> URLRequest { try convertible.asURLRequest() }

    override func receive(_ response: TransportResponse, for task: URLSessionTask) async throws(AFError) {
        try await show(task.response)
        try await pull(response.body, for: task) { chunk throws(AFError) in
            for take in takers.withLock({ $0 }) { await take(chunk) }
        }
    }

    /// Adds a taker. The next piece is asked of the server when all takers have returned.
    package func appendTaker(_ take: @escaping @Sendable (Data) async -> Void) {
        takers.withLock { $0.append(take) }
    }

    /// How the stream ended.
    package var completion: Completion {
        Completion(request: request, response: response, metrics: metrics, error: error)
    }

    /// A token that ends this stream.
    package var cancellationToken: CancellationToken { CancellationToken(request: self) }

    /// Calls `handler` with the head of the response before its body is taken.
    ///
    /// - Parameters:
    ///   - queue: Where to call it.
    ///   - handler: Gets the head, and a closure to say whether to take the body.
    @_disfavoredOverload
    @preconcurrency
    @discardableResult
    public func onHTTPResponse(
        on queue: DispatchQueue = .main,
        perform handler:
            @escaping @Sendable (HTTPURLResponse, @escaping @Sendable (ResponseDisposition) -> Void) -> Void
    ) -> Self {
        setHTTPResponseHandler(Self.handler(on: queue, handler))
        return self
    }

    /// Calls `handler` with the head of the response before its body is taken.
    ///
    /// - Parameters:
    ///   - queue: Where to call it.
    ///   - handler: Gets the head.
    @preconcurrency
    @discardableResult
    public func onHTTPResponse(
        on queue: DispatchQueue = .main,
        perform handler: @escaping @Sendable (HTTPURLResponse) -> Void
    ) -> Self {
        onHTTPResponse(on: queue) { response, completion in
            handler(response)
            completion(.allow)
        }
    }
}

extension DataStreamRequest.Stream {
    /// The result of a piece, unless the stream ended.
    public var result: Result<Success, Failure>? {
        guard case .stream(let result) = event else { return nil }
        return result
    }

    /// The value of a piece.
    public var value: Success? {
        guard case .success(let value) = result else { return nil }
        return value
    }

    /// Why a value could not be made.
    public var error: Failure? {
        guard case .failure(let error) = result else { return nil }
        return error
    }

    /// How the stream ended, once it did.
    public var completion: DataStreamRequest.Completion? {
        guard case .complete(let completion) = event else { return nil }
        return completion
    }
}
