internal import AirframeTransport
internal import AirframeWire
internal import FoundationEssentials
internal import HTTPTypes
internal import Synchronization

/// What the head of a response brings to the caller.
struct ResponseStart: Sendable {
    let head: HTTPResponse
    let connection: TransportConnection?
    let expectedLength: Int64?
}

/// The meeting point of the caller of one exchange and the loop that runs it: the head, and the bytes that have come
/// and wait for their reader.
///
/// The loop writes and only then, at the end of its turn, wakes: a small response that comes in one piece costs one
/// wake-up, and ``next()`` finds bytes and end without waiting.
final class Exchange: ResponseBodySource {
    /// Somebody who waits for the loop. What there is then is found in ``State``: passing it along with the wake-up
    /// would copy it several times.
    typealias Waiter = UnsafeContinuation<Void, Never>

    enum End {
        case complete(trailers: HTTPFields?)
        case failed(TransportError)
    }

    private struct State {
        /// Who waits for the head.
        var caller: Waiter?
        /// What the caller is to find.
        var start: Result<ResponseStart, TransportError>?
        var buffer = Data()
        var reader: Waiter?
        /// What a reader that has been woken is to find.
        var chunk: Result<Data?, TransportError>?
        /// When the reader began to wait, for the limit on its waiting.
        var waitingSince: Int64?
        var end: End?
        var isPaused = false
        var isCancelled = false
    }

    let id: ExchangeID
    let plan: RequestPlan
    /// The content, where it is sent piece by piece.
    let content: OpenedContent?
    private let loop: EventLoop
    private let state = Mutex(State())

    private static let lastID = Atomic<ExchangeID>(0)

    /// Makes an exchange, and opens its content.
    ///
    /// - Throws: Why the content cannot be opened.
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

    /// Has the loop begin; returns with the final response's head.
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

    /// The body as its reader gets it. One of known length that came with its head is there already: nobody has to wait
    /// for it.
    func makeBody(_ start: ResponseStart) -> ResponseBody {
        guard let length = start.expectedLength else { return ResponseBody(self, expectedLength: nil) }
        let whole = state.withLock { state -> (Data, trailers: HTTPFields?)? in
            guard case .complete(let trailers) = state.end, state.buffer.count == length else { return nil }
            return (state.buffer.take(), trailers)
        }
        guard let whole else { return ResponseBody(self, expectedLength: length) }
        return ResponseBody(whole.0, trailers: whole.trailers)
    }

    /// The bytes that have come, or what comes next.
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

    /// What there is for the reader; where there is nothing, `reader` is left to be woken.
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

    private static func take(_ state: inout State) -> Result<Data?, TransportError> {
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

    /// Answers the caller, and returns it if it still waits for its head.
    func answer(_ result: Result<ResponseStart, TransportError>) -> Waiter? {
        state.withLock { state in
            guard let caller = state.caller.take() else { return nil }
            state.start = result
            return caller
        }
    }

    /// Takes bytes of the body, or refuses them when the reader is far behind: it will ask the loop to go on.
    ///
    /// - Parameters:
    ///   - limit: How many bytes may wait.
    ///   - expected: How many bytes are still to come, these included, as far as it is known.
    /// - Returns: Whether they were taken.
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

    /// Since when a reader waits, if one does.
    var waitingSince: Int64? { state.withLock { $0.waitingSince } }

    /// Ends the body.
    func finish(_ end: End) {
        state.withLock { state in
            guard state.end == nil else { return }
            state.end = end
            // What the caller gave up is not read any more, and need not be kept.
            if case .failed(let error) = end, error.isCancellation { state.buffer = Data() }
        }
    }

    /// The reader that waits, if there is something for it, and whether the loop may go on reading.
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
    /// The bytes, of which none are left.
    fileprivate mutating func take() -> Data {
        var taken = Data()
        swap(&taken, &self)
        return taken
    }
}
