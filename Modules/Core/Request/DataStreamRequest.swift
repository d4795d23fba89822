internal import AirframeTransport
package import Foundation
internal import Synchronization

/// A request that passes its response to handlers as it arrives and does not keep it.
///
/// `@unchecked Sendable` because Request is: the properties added here are immutable or behind their own lock.
public final class DataStreamRequest: Request, @unchecked Sendable {
    /// A handler of the events of a stream.
    public typealias Handler<Success: Sendable, Failure: Error> = @Sendable (Stream<Success, Failure>) throws -> Void

    /// An event of a stream, with a token that cancels the stream.
    public struct Stream<Success: Sendable, Failure: Error>: Sendable {
        /// The event.
        public let event: Event<Success, Failure>
        /// The token that cancels the stream.
        public let token: CancellationToken

        package init(event: Event<Success, Failure>, token: CancellationToken) {
            self.event = event
            self.token = token
        }

        /// Cancels the stream.
        public func cancel() { token.cancel() }
    }

    /// An event of a stream.
    public enum Event<Success: Sendable, Failure: Error>: Sendable {
        /// A value, or the reason why a value could not be made.
        case stream(Result<Success, Failure>)
        /// The end of the stream.
        case complete(Completion)
    }

    /// The end of a stream.
    public struct Completion: Sendable {
        /// The last request.
        public let request: URLRequest?
        /// The head of the last response.
        public let response: HTTPURLResponse?
        /// The metrics of the last attempt.
        public let metrics: URLSessionTaskMetrics?
        /// The error, if the stream failed.
        public let error: AFError?
    }

    /// A token with which a handler cancels its stream.
    public struct CancellationToken: Sendable {
        weak let request: DataStreamRequest?

        /// Cancels the request.
        public func cancel() { request?.cancel() }
    }

    /// The source of the `URLRequest`.
    public let convertible: any URLRequestConvertible
    /// Whether the request is cancelled when a value cannot be made.
    public let automaticallyCancelOnStreamError: Bool

    /// A handler that takes the body's chunks.
    private struct Taker {
        /// Identifies the taker for its removal.
        let number: Int
        let take: @Sendable (Data) async -> Void
        /// Discards what the handler keeps between chunks.
        let reset: (@Sendable () -> Void)?
        /// The chunks that arrived before the handler was added.
        var missed: [Data]
    }

    /// The maximum number of bytes of a stream's beginning that are kept for handlers that are added later. In a chain
    /// of calls the first handler starts the request, and its response may arrive before the next handler is added.
    private static let longestBeginning = 64 << 10

    /// The handlers of the body.
    private struct Readers {
        var takers: [Taker] = []
        /// The chunks so far; `nil` once they exceed ``longestBeginning``.
        var beginning: [Data]? = []
        var beginningLength = 0
        /// The head of the response, unless it has yet to be validated.
        var head: HTTPURLResponse?
        /// Whether one of the takers is a reader that pulls.
        var pulls = false
        /// Whether one of the takers would join the bytes of two attempts into one body.
        var consumes = false
        /// Whether a head that is not refused by validators has arrived. Readers that pull have received it, which
        /// rules out a retry.
        var hasHead = false
        /// Whether chunks have arrived. Readers that consume have received them, which rules out a retry.
        var hasTaken = false
        var isValidated = false
        /// The number of takers so far.
        private var count = 0

        /// Adds a taker. Returns its number.
        mutating func append(
            _ take: @escaping @Sendable (Data) async -> Void,
            reset: (@Sendable () -> Void)? = nil
        ) -> Int {
            count += 1
            takers.append(Taker(number: count, take: take, reset: reset, missed: beginning ?? []))
            return count
        }

        /// Records a chunk. Returns the handlers, each with the chunks that it has missed.
        mutating func record(_ chunk: Data) -> [Taker] {
            hasTaken = true
            beginningLength += chunk.count
            if beginningLength > longestBeginning { beginning = nil } else { beginning?.append(chunk) }
            return catchUp()
        }

        /// Returns the handlers, each with the chunks that it has missed, and marks those as delivered.
        mutating func catchUp() -> [Taker] {
            defer { for index in takers.indices where !takers[index].missed.isEmpty { takers[index].missed = [] } }
            return takers
        }
    }

    // Guards the takers and the chunks that each has missed.
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

    override func receiveBody(of response: TransportResponse, for task: URLSessionTask) async throws(AFError) {
        try validateBeforeBody()
        // Recorded before it is shown, so that a reader that is added in between does not miss it.
        if let head = task.response { record(head) }
        try await show(task)
        try await pull(response.body, for: task) { chunk throws(AFError) in
            try await deliver(chunk, to: readers.withLock { $0.record(chunk) })
        }
        try await deliver(nil, to: readers.withLock { $0.catchUp() })
    }

    private func record(_ head: HTTPURLResponse) {
        let isPending = mutable.withLock { !$0.validators.isEmpty }
        readers.withLock { readers in
            readers.hasHead = true
            if readers.isValidated || !isPending { readers.head = head }
        }
    }

    /// Delivers the chunks that takers have missed, and then a new one.
    private func deliver(_ chunk: Data?, to takers: [Taker]) async throws(AFError) {
        // A reader that pulls may have been added after the head.
        try validateBeforeBody()
        for taker in takers {
            for piece in taker.missed { await taker.take(piece) }
            if let chunk { await taker.take(chunk) }
        }
    }

    /// Whether a handler was added after the last chunk had been delivered.
    package var hasMissed: Bool { readers.withLock { $0.takers.contains { !$0.missed.isEmpty } } }

    /// Delivers the stream's beginning to handlers that were added after it had arrived.
    package func deliverMissed() async {
        for taker in readers.withLock({ $0.catchUp() }) {
            for piece in taker.missed { await taker.take(piece) }
        }
    }

    /// Validates once before the body is delivered to a reader that pulls, because the reader could not distinguish an
    /// invalid response's bytes from a valid one's, nor return them for a retry. Handlers receive every body, as with
    /// Alamofire, and learn of a failed validation at the end.
    private func validateBeforeBody() throws(AFError) {
        guard readers.withLock({ $0.pulls && !$0.isValidated }) else { return }
        for validator in mutable.withLock({ $0.validators }) { run(validator) }
        readers.withLock { $0.isValidated = true }
        if let error { throw error }
    }

    override func validateByDefault() { judge(by: Self.defaultValidations) }

    override func validate(by validators: Series<Validator>) {
        if !readers.withLock({ $0.isValidated }) { super.validate(by: validators) }
    }

    /// `false` once a reader that consumes has received bytes, which a retry would deliver twice, or a reader that
    /// pulls has received the head: the body of another attempt would not belong to it.
    override var mayBeRetried: Bool {
        readers.withLock { !($0.pulls && $0.hasHead || $0.consumes && $0.hasTaken) }
    }

    override func reset() {
        super.reset()
        let takers = readers.withLock { readers in
            readers.hasHead = false
            readers.hasTaken = false
            readers.isValidated = false
            readers.beginning = []
            readers.beginningLength = 0
            readers.head = nil
            for index in readers.takers.indices { readers.takers[index].missed = [] }
            return readers.takers
        }
        for taker in takers { taker.reset?() }
    }

    /// Adds a taker. It receives the stream from its start if at most 64 KiB have been delivered. The next chunk is
    /// pulled when all takers have returned.
    ///
    /// - Parameters:
    ///   - take: Takes a chunk.
    ///   - reset: Discards what the taker keeps between chunks. Called before a retry.
    /// - Returns: The number with which ``removeTaker(_:)`` removes the taker.
    package func appendTaker(
        _ take: @escaping @Sendable (Data) async -> Void,
        reset: (@Sendable () -> Void)? = nil
    ) -> Int {
        readers.withLock { $0.append(take, reset: reset) }
    }

    /// Removes a taker whose handler has received the end of the stream. Handlers often retain the request.
    package func removeTaker(_ number: Int) {
        // Released without the lock: the handler may hold the last reference to an object that calls the request.
        _ = readers.withLock { readers -> Taker? in
            guard let index = readers.takers.firstIndex(where: { $0.number == number }) else { return nil }
            return readers.takers.remove(at: index)
        }
    }

    /// Adds a taker that cannot tell the attempts of a request apart: it receives no byte twice.
    func appendConsumer(_ take: @escaping @Sendable (Data) async -> Void) {
        readers.withLock { readers in
            _ = readers.append(take)
            readers.consumes = true
        }
    }

    /// Adds a taker for a reader that pulls: it receives no body that fails validation, and the head and the body of
    /// one attempt.
    ///
    /// - Returns: The head of the response, if it has arrived and is valid.
    /// - Throws: ``MissedBeginningError`` if the beginning of the body is gone.
    func appendPuller(
        _ take: @escaping @Sendable (Data) async -> Void
    ) throws(MissedBeginningError) -> HTTPURLResponse? {
        try readers.withLock { readers throws(MissedBeginningError) -> HTTPURLResponse? in
            guard readers.beginning != nil else { throw MissedBeginningError() }
            _ = readers.append(take)
            readers.pulls = true
            return readers.head
        }
    }

    /// Cancels the request with a reader's error.
    package func cancel(with error: AFError) {
        fail(with: error)
        cancel()
    }

    /// The end of the stream.
    package var completion: Completion {
        Completion(request: request, response: response, metrics: metrics, error: error)
    }

    /// A token that cancels this stream.
    package var cancellationToken: CancellationToken { CancellationToken(request: self) }
}

extension DataStreamRequest.Stream {
    /// The result of a value event; `nil` at the end of the stream.
    public var result: Result<Success, Failure>? {
        guard case .stream(let result) = event else { return nil }
        return result
    }

    /// The value of a value event.
    public var value: Success? {
        guard case .success(let value) = result else { return nil }
        return value
    }

    /// The error of a value event.
    public var error: Failure? {
        guard case .failure(let error) = result else { return nil }
        return error
    }

    /// The end of the stream; `nil` for a value event.
    public var completion: DataStreamRequest.Completion? {
        guard case .complete(let completion) = event else { return nil }
        return completion
    }
}
