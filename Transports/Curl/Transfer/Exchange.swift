internal import AirframeTransport
internal import AirframeWire
internal import FoundationEssentials
internal import HTTPTypes
internal import Synchronization

/// The start of a response, as the caller gets it.
struct ResponseStart: Sendable {
    let head: HTTPResponse
    let connection: TransportConnection?
    let expectedLength: Int64?
}

/// The state that the caller of one exchange shares with the loop: the head, and received bytes that wait for the
/// reader.
///
/// The loop stores what it receives and wakes the caller once, at the end of its turn. A small response that arrives in
/// one piece costs one wake-up, and ``next()`` finds the bytes and the end without waiting.
final class Exchange: ResponseBodySource {
    /// A task that waits for the loop, and then finds its result in ``ExchangeState``.
    typealias Waiter = UnsafeContinuation<Void, Never>

    enum End {
        case complete(trailers: HTTPFields?)
        case failed(TransportError)
    }

    private struct ExchangeState {
        /// The task that waits for the head.
        var caller: Waiter?
        /// The result for the caller.
        var start: Result<ResponseStart, TransportError>?
        var buffer = Data()
        var reader: Waiter?
        /// The result for a reader that has been woken.
        var chunk: Result<Data?, TransportError>?
        /// The instant at which the reader began to wait, for the limit on idle reading.
        var waitingSince: Int64?
        var end: End?
        var isPaused = false
        var isCancelled = false
    }

    let id: ExchangeID
    let plan: RequestPlan
    /// The content, if it is sent in pieces.
    let content: OpenedContent?
    private let loop: EventLoop
    private let state = Mutex(ExchangeState())

    private static let lastID = Atomic<ExchangeID>(0)

    /// Creates an exchange, and opens its content.
    ///
    /// - Throws: The reason why the content cannot be opened.
    init(_ plan: RequestPlan, loop: EventLoop) throws(TransportError) {
        if case .upload(let body, _) = plan.body {
            content = try OpenedContent(body, origin: plan.origin)
        } else {
            content = nil
        }
        id = Self.lastID.add(1, ordering: .relaxed).newValue
        self.plan = plan
        self.loop = loop
    }

    // MARK: The caller's side

    /// Starts the exchange. Returns the final response's head.
    func start() async -> Result<ResponseStart, TransportError> {
        await withTaskCancellationHandler {
            await withUnsafeContinuation { (caller: Waiter) in
                state.withLock { $0.caller = caller }
                if !loop.submit(.start(self)) {
                    let error = plan.error(.transportShutDown, phase: .options, message: "the transport was shut down")
                    answer(.failure(error))?.resume()
                }
            }
        } onCancel: {
            cancel()
        }
        let result = state.withLock { $0.start.take() }
        return result ?? .failure(.cancelled(in: .options, processing: .unknown, origin: plan.origin))
    }

    /// Returns the body for the reader. A body of known length that arrived with its head is complete already.
    func makeBody(_ start: ResponseStart) -> ResponseBody {
        guard let length = start.expectedLength else { return ResponseBody(self, expectedLength: nil) }
        let whole = state.withLock { state -> (Data, trailers: HTTPFields?)? in
            guard case .complete(let trailers) = state.end, state.buffer.count == length else { return nil }
            return (state.buffer.take(), trailers)
        }
        guard let whole else { return ResponseBody(self, expectedLength: length) }
        return ResponseBody(whole.0, trailers: whole.trailers)
    }

    /// Returns the received bytes, or waits for more.
    func next() async throws(TransportError) -> Data? {
        if let result = takeBuffered(orLeave: nil) { return try result.get() }
        return try await wait().get()
    }

    private func wait() async -> Result<Data?, TransportError> {
        await withTaskCancellationHandler {
            await withUnsafeContinuation { (reader: Waiter) in
                guard let result = takeBuffered(orLeave: reader) else { return }
                state.withLock { $0.chunk = result }
                reader.resume()
            }
        } onCancel: {
            cancel()
        }
        let result = state.withLock { $0.chunk.take() }
        return result ?? .failure(.cancelled(in: .responseBody, processing: .unknown, origin: plan.origin))
    }

    /// Returns what there is for the reader. If there is nothing, stores `reader` to be woken.
    private func takeBuffered(orLeave reader: Waiter?) -> Result<Data?, TransportError>? {
        var mustUnpause = false
        let result = state.withLock { state -> Result<Data?, TransportError>? in
            guard !state.buffer.isEmpty || state.end != nil else {
                state.reader = reader
                if reader != nil { state.waitingSince = Monotonic.now }
                return nil
            }
            mustUnpause = state.isPaused
            state.isPaused = false
            return Self.take(&state)
        }
        if mustUnpause { loop.submit(.unpause(id)) }
        return result
    }

    private static func take(_ state: inout ExchangeState) -> Result<Data?, TransportError> {
        guard state.buffer.isEmpty else { return .success(state.buffer.take()) }
        if case .failed(let error) = state.end { return .failure(error) }
        return .success(nil)
    }

    var trailers: HTTPFields? {
        state.withLock { state in
            if case .complete(let trailers) = state.end { trailers } else { nil }
        }
    }

    func cancel() {
        let isOver = state.withLock { state in
            state.isCancelled = true
            return state.end != nil
        }
        if !isOver { loop.submit(.cancel(id)) }
    }

    // MARK: The loop's side

    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Stores the result for the caller, and returns the caller if it still waits for the head.
    func answer(_ result: Result<ResponseStart, TransportError>) -> Waiter? {
        state.withLock { state in
            guard let caller = state.caller.take() else { return nil }
            state.start = result
            return caller
        }
    }

    /// Takes bytes of the body, or refuses them if too many wait for the reader, which will then resume the loop.
    ///
    /// - Parameters:
    ///   - limit: The number of bytes that may wait.
    ///   - expected: The number of bytes that are still to arrive, including these, or `nil` if it is unknown.
    /// - Returns: Whether the bytes were taken.
    func append(_ bytes: UnsafeBufferPointer<UInt8>, limit: Int, expected: Int64?) -> Bool {
        state.withLock { state in
            if state.buffer.count >= limit {
                state.isPaused = true
                return false
            }
            guard state.buffer.isEmpty else {
                state.buffer.append(bytes)
                return true
            }
            if let expected, expected > Int64(bytes.count) {
                state.buffer.reserveCapacity(Int(min(expected, 256 << 10 + Int64(bytes.count))))
                state.buffer.append(bytes)
            } else {
                state.buffer = Data(buffer: bytes)
            }
            return true
        }
    }

    /// The instant since which a reader has waited, or `nil` if none waits.
    var waitingSince: Int64? { state.withLock { $0.waitingSince } }

    /// Ends the body.
    func finish(_ end: End) {
        state.withLock { state in
            guard state.end == nil else { return }
            state.end = end
            // Nobody reads the bytes of a cancelled exchange.
            if case .failed(let error) = end, error.isCancellation { state.buffer = Data() }
        }
    }

    /// Returns the waiting reader if there is something for it, and whether the loop may resume reading.
    func takeReader() -> (reader: Waiter, mustUnpause: Bool)? {
        state.withLock { state in
            guard !state.buffer.isEmpty || state.end != nil, let reader = state.reader.take() else { return nil }
            defer { state.isPaused = false }
            state.waitingSince = nil
            state.chunk = Self.take(&state)
            return (reader, state.isPaused)
        }
    }
}

extension Data {
    /// Returns the bytes and leaves none.
    fileprivate mutating func take() -> Data {
        var taken = Data()
        swap(&taken, &self)
        return taken
    }
}
