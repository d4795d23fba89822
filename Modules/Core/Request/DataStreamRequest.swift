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

    /// A handler of the body's pieces.
    private struct Taker {
        let take: @Sendable (Data) async -> Void
        /// The pieces that were handed on before the handler was added.
        var missed: [Data]
    }

    /// The most bytes of a stream's beginning that are kept for handlers that are added later: in one chain of calls,
    /// the first handler starts the request, and its response may arrive before the next handler is added.
    private static let longestBeginning = 64 << 10

    /// The handlers of the body.
    private struct Readers {
        var takers: [Taker] = []
        /// The pieces so far; `nil` once they are longer than ``longestBeginning``.
        var beginning: [Data]? = []
        var beginningLength = 0
        /// The reader that pulls, if there is one. It is a taker too.
        var pulls = false
        /// Whether bytes were handed over that cannot be taken back.
        var hasTaken = false
        var isValidated = false

        mutating func append(_ take: @escaping @Sendable (Data) async -> Void) {
            takers.append(Taker(take: take, missed: beginning ?? []))
        }

        /// Notes a piece. Returns the handlers with what each has missed so far.
        mutating func hand(on chunk: Data) -> [Taker] {
            hasTaken = true
            beginningLength += chunk.count
            if beginningLength > longestBeginning { beginning = nil } else { beginning?.append(chunk) }
            return catchUp()
        }

        /// Returns the handlers with what each has missed so far, which counts as delivered from now on.
        mutating func catchUp() -> [Taker] {
            defer { for index in takers.indices where !takers[index].missed.isEmpty { takers[index].missed = [] } }
            return takers
        }
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
            let takers = readers.withLock { $0.hand(on: chunk) }
            for taker in takers {
                for piece in taker.missed { await taker.take(piece) }
                await taker.take(chunk)
            }
        }
        await deliverMissed()
    }

    /// Whether a handler was added after the last piece had been handed on.
    package var hasMissed: Bool { readers.withLock { $0.takers.contains { !$0.missed.isEmpty } } }

    /// Hands the stream's beginning to the handlers that were added after it had been handed on.
    package func deliverMissed() async {
        for taker in readers.withLock({ $0.catchUp() }) {
            for piece in taker.missed { await taker.take(piece) }
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
            readers.beginning = []
            readers.beginningLength = 0
            for index in readers.takers.indices { readers.takers[index].missed = [] }
        }
    }

    /// Adds a taker. It receives the stream from its start as long as no more than 64 KiB have been handed on. The next
    /// piece is asked of the server when all takers have returned.
    package func appendTaker(_ take: @escaping @Sendable (Data) async -> Void) {
        readers.withLock { $0.append(take) }
    }

    /// Adds a taker that pulls: it gets no body that validation refuses, and no byte twice.
    func appendPuller(_ take: @escaping @Sendable (Data) async -> Void) {
        readers.withLock { readers in
            readers.append(take)
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
