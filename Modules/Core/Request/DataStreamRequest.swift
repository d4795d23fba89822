internal import AirframeTransport
package import Foundation
internal import Synchronization

/// A request whose response is handed on as it comes, and never held as a whole.
///
/// `@unchecked Sendable` because Request is: what is added here is immutable or behind its own lock.
public final class DataStreamRequest: Request, @unchecked Sendable {
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

    /// Who takes the body.
    private struct Readers {
        var takers: [@Sendable (Data) async -> Void] = []
        /// The reader that pulls, if there is one. It is a taker too.
        var pulls = false
        /// Whether bytes were handed over that cannot be taken back.
        var hasTaken = false
        var isValidated = false
    }

    // Guards who takes the stream's pieces, and how far they are.
    private let readers = Mutex(Readers())

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
        try await validateBeforeBody()
        try await show(task)
        try await pull(response.body, for: task) { chunk throws(AFError) in
            let takers = readers.withLock { readers in
                readers.hasTaken = true
                return readers.takers
            }
            for take in takers { await take(chunk) }
        }
    }

    /// A reader that pulls must not see the body of a response that will not do: it could not be told apart from one
    /// that does, nor be taken back for a retry. Handlers get all bodies, as with Alamofire, and hear of it at the end.
    private func validateBeforeBody() async throws(AFError) {
        guard readers.withLock({ $0.pulls }) else { return }
        for validate in mutable.withLock({ $0.validators }) { validate() }
        readers.withLock { $0.isValidated = true }
        if let error { throw error }
    }

    override func validate(by validators: Series<@Sendable () -> Void>) {
        if !readers.withLock({ $0.isValidated }) { super.validate(by: validators) }
    }

    /// Not once a reader that pulls has got bytes: it would get them twice.
    override var mayBeRetried: Bool { readers.withLock { !$0.pulls || !$0.hasTaken } }

    override func reset() {
        super.reset()
        readers.withLock { readers in
            readers.hasTaken = false
            readers.isValidated = false
        }
    }

    /// Adds a taker. The next piece is asked of the server when all takers have returned.
    package func appendTaker(_ take: @escaping @Sendable (Data) async -> Void) {
        readers.withLock { $0.takers.append(take) }
    }

    /// Adds a taker that pulls: it gets no body that validation refuses, and no byte twice.
    func appendPuller(_ take: @escaping @Sendable (Data) async -> Void) {
        readers.withLock { readers in
            readers.takers.append(take)
            readers.pulls = true
        }
    }

    /// Ends the request with an error of a reader's.
    package func cancel(with error: AFError) {
        fail(with: error)
        cancel()
    }

    /// How the stream ended.
    package var completion: Completion {
        Completion(request: request, response: response, metrics: metrics, error: error)
    }

    /// A token that ends this stream.
    package var cancellationToken: CancellationToken { CancellationToken(request: self) }
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
