internal import AirframeTransport
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
    typealias HeadContinuation = UnsafeContinuation<Result<ResponseStart, TransportError>, Never>
    typealias ChunkContinuation = UnsafeContinuation<Result<Data?, TransportError>, Never>

    enum End {
        case complete(trailers: HTTPFields?)
        case failed(TransportError)
    }

    private struct State {
        var headContinuation: HeadContinuation?
        var buffer = Data()
        var reader: ChunkContinuation?
        /// When the reader began to wait, for the limit on its waiting.
        var waitingSince: Int64?
        var end: End?
        var isPaused = false
        var isCancelled = false
    }

    let id: ExchangeID
    let plan: RequestPlan
    private let loop: EventLoop
    private let state = Mutex(State())

    private static let lastID = Atomic<ExchangeID>(0)

    init(_ plan: RequestPlan, loop: EventLoop) {
        id = Self.lastID.add(1, ordering: .relaxed).newValue
        self.plan = plan
        self.loop = loop
    }

    // MARK: The caller's side

    /// Has the loop begin; returns with the final response's head.
    func start() async -> Result<ResponseStart, TransportError> {
        await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                state.withLock { $0.headContinuation = continuation }
                if !loop.submit(.start(self)) {
                    let error = plan.error(.transportShutDown, phase: .options, message: "the transport was shut down")
                    takeHeadContinuation()?.resume(returning: .failure(error))
                }
            }
        } onCancel: {
            cancel()
        }
    }

    /// The bytes that have come, or what comes next.
    func next() async throws(TransportError) -> Data? {
        if let result = takeBuffered(orLeave: nil) { return try result.get() }
        return try await wait().get()
    }

    private func wait() async -> Result<Data?, TransportError> {
        await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                if let result = takeBuffered(orLeave: continuation) { continuation.resume(returning: result) }
            }
        } onCancel: {
            cancel()
        }
    }

    /// What there is for the reader; where there is nothing, `reader` is left to be woken.
    private func takeBuffered(orLeave reader: ChunkContinuation?) -> Result<Data?, TransportError>? {
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
        guard state.buffer.isEmpty else {
            var taken = Data()
            swap(&taken, &state.buffer)
            return .success(taken)
        }
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

    /// The exchange that waits for its head.
    func takeHeadContinuation() -> HeadContinuation? {
        state.withLock { state in
            defer { state.headContinuation = nil }
            return state.headContinuation
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
            if state.buffer.isEmpty, let expected, expected > Int64(bytes.count) {
                state.buffer.reserveCapacity(Int(min(expected, 256 << 10 + Int64(bytes.count))))
            }
            state.buffer.append(bytes)
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
    func takeReader() -> (wakeUp: WakeUp, mustUnpause: Bool)? {
        state.withLock { state in
            guard let reader = state.reader, !state.buffer.isEmpty || state.end != nil else { return nil }
            defer { state.isPaused = false }
            state.reader = nil
            state.waitingSince = nil
            return (.chunk(reader, Self.take(&state)), state.isPaused)
        }
    }
}

/// Somebody who waits for the loop, and what to tell them.
enum WakeUp {
    case head(Exchange.HeadContinuation, Result<ResponseStart, TransportError>)
    case chunk(Exchange.ChunkContinuation, Result<Data?, TransportError>)
    case done(UnsafeContinuation<Void, Never>)
    /// A source of a request's body is asked for its next bytes.
    case pull(StreamPump)
    /// The body's sending is held: libcurl is to ask again when it is not any more.
    case hold(UploadGate, ExchangeID)
    /// A trust evaluation is asked for its answer.
    case ask(TrustQuestion)

    func resume(_ loop: EventLoop) {
        switch self {
        case .head(let continuation, let result): continuation.resume(returning: result)
        case .chunk(let continuation, let result): continuation.resume(returning: result)
        case .done(let continuation): continuation.resume()
        case .pull(let pump): pump.pull(loop)
        case .hold(let gate, let id):
            let mayGoOn = gate.pass { [weak loop] in loop?.submit(.uploadReady(id)) }
            if mayGoOn { loop.submit(.uploadReady(id)) }
        case .ask(let question): question.ask(loop)
        }
    }
}

extension [WakeUp] {
    func resume(_ loop: EventLoop) {
        for wakeUp in self { wakeUp.resume(loop) }
    }
}
