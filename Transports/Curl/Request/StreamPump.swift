internal import AirframeTransport
internal import FoundationEssentials
internal import HTTPTypes
internal import Synchronization

/// A pump that brings the bytes of a source to libcurl. It pulls a chunk, in a task, when libcurl asks for bytes and
/// there are none.
///
/// The loop calls ``take(into:)``. If there is nothing, the loop has ``pull(_:)`` called, and a command notifies it of
/// the chunk.
final class StreamPump: Sendable {
    /// The result of asking for bytes.
    enum Taken {
        case bytes(Int)
        /// Nothing yet. `mustPull` is set if no pull is running.
        case nothing(mustPull: Bool)
        case end
        case failed(TransportError)
    }

    private enum Phase {
        case idle
        case pulling
        case ended(trailers: HTTPFields?)
        case failed(TransportError)
    }

    private struct PumpState {
        var phase = Phase.idle
        var source: (any RequestBodySource)?
        var chunk = Data()
        var pulledCount: Int64 = 0
        /// The number of the sending, which grows with each reopening: a pull for an earlier sending has no effect.
        var sending = 0
        var isCancelled = false
        var task: ThrowingTask?

        func isCurrent(_ sending: Int) -> Bool { self.sending == sending && !isCancelled }
    }

    private let exchange: ExchangeID
    private let origin: Origin
    private let length: Int64?
    private let executor: (any TaskExecutor)?
    private let open: @Sendable () throws -> any RequestBodySource
    private let makeTrailers: (@Sendable () async throws -> HTTPFields)?
    private let state = Mutex(PumpState())

    /// - Parameters:
    ///   - length: The number of bytes that the source must deliver, or `nil` if it is unknown.
    ///   - executor: The executor of a source that blocks its thread.
    ///   - open: Opens the source, for each sending again.
    init(
        exchange: ExchangeID,
        origin: Origin,
        length: Int64?,
        trailers: (@Sendable () async throws -> HTTPFields)?,
        executor: (any TaskExecutor)? = nil,
        open: @escaping @Sendable () throws -> any RequestBodySource
    ) {
        self.exchange = exchange
        self.origin = origin
        self.length = length
        self.executor = executor
        self.open = open
        makeTrailers = trailers
    }

    // MARK: The loop's side

    /// Copies available bytes into libcurl's buffer.
    func take(into buffer: UnsafeMutableRawBufferPointer) -> Taken {
        state.withLock { state in
            if !state.chunk.isEmpty {
                let count = state.chunk.copyBytes(to: buffer, count: min(buffer.count, state.chunk.count))
                state.chunk = count == state.chunk.count ? Data() : state.chunk.dropFirst(count)
                return .bytes(count)
            }
            switch state.phase {
            case .idle:
                state.phase = .pulling
                return .nothing(mustPull: true)
            case .pulling: return .nothing(mustPull: false)
            case .ended: return .end
            case .failed(let error): return .failed(error)
            }
        }
    }

    /// Whether libcurl waits for the source.
    var isPulling: Bool {
        state.withLock { state in
            if case .pulling = state.phase { true } else { false }
        }
    }

    /// Whether the source has not been called yet.
    var isUntouched: Bool {
        state.withLock { state in
            if case .idle = state.phase { state.source == nil && state.pulledCount == 0 } else { false }
        }
    }

    /// The trailer fields, once the source has ended.
    var trailers: HTTPFields? {
        state.withLock { state in
            if case .ended(let trailers) = state.phase { trailers } else { nil }
        }
    }

    /// Starts over with a source that is opened again.
    func rewind() {
        let source = state.withLock { state in
            defer {
                state.source = nil
                state.chunk = Data()
                state.pulledCount = 0
                state.phase = .idle
                state.sending += 1
            }
            return state.source
        }
        source?.cancel()
    }

    /// Cancels the pull and the source, because the exchange has ended.
    func cancel() {
        let (source, task) = state.withLock { state in
            state.isCancelled = true
            defer {
                state.source = nil
                state.chunk = Data()
            }
            return (state.source, state.task)
        }
        task?.cancel()
        source?.cancel()
    }

    // MARK: The source's side

    /// Pulls the next chunk and notifies `loop`.
    func pull(_ loop: EventLoop) {
        state.withLock { state in
            guard !state.isCancelled else { return }
            let sending = state.sending
            state.task = ThrowingTask.started(on: executor, priority: .exchange) {
                let (result, trailers) = await self.fetchWithTrailers(sending)
                self.settle(result, trailers: trailers, sending)
                loop.submit(.uploadReady(self.exchange))
            }
        }
    }

    private func fetchWithTrailers(_ sending: Int) async -> (Result<Data?, TransportError>, HTTPFields?) {
        let result = await fetch(sending)
        guard case .success(nil) = result, let makeTrailers else { return (result, nil) }
        let trailers: HTTPFields
        do {
            trailers = try await makeTrailers()
        } catch {
            return (.failure(failure("the request's trailers could not be made: \(error)", error)), nil)
        }
        if let fault = trailers.trailerFault ?? trailers.curlTrailerFault {
            let error = TransportError(
                .invalidRequest, phase: .requestBody, processing: .unknown, message: fault, origin: origin)
            return (.failure(error), nil)
        }
        return (result, trailers)
    }

    private func fetch(_ sending: Int) async -> Result<Data?, TransportError> {
        do {
            let source = try takeSource(sending)
            let chunk = try await Self.nextChunk(of: source)
            let pulledCount = state.withLock { state -> Int64? in
                guard state.isCurrent(sending) else { return nil }
                state.pulledCount += Int64(chunk?.count ?? 0)
                return state.pulledCount
            }
            guard let count = pulledCount else { return .failure(obsolete) }
            guard let length else { return .success(chunk) }
            if count > length { return .failure(mismatch("more than \(length)", of: length)) }
            if chunk == nil, count < length { return .failure(mismatch("\(count)", of: length)) }
            // libcurl stops asking at the announced length, so only this check notices bytes after it.
            if count == length, chunk != nil, try await Self.nextChunk(of: source) != nil {
                return .failure(mismatch("more than \(length)", of: length))
            }
            return .success(chunk)
        } catch let error as TransportError {
            return .failure(error)
        } catch {
            return .failure(failure("the source of the request's body failed: \(error)", error))
        }
    }

    private func takeSource(_ sending: Int) throws -> any RequestBodySource {
        let (isCurrent, opened) = state.withLock { ($0.isCurrent(sending), $0.source) }
        guard isCurrent else { throw obsolete }
        if let opened { return opened }
        let source = try open()
        let isWanted = state.withLock { state in
            guard state.isCurrent(sending) else { return false }
            state.source = source
            return true
        }
        guard isWanted else {
            source.cancel()
            throw obsolete
        }
        return source
    }

    private static func nextChunk(of source: any RequestBodySource) async throws -> Data? {
        while let chunk = try await source.next() {
            if !chunk.isEmpty { return chunk }
        }
        return nil
    }

    private func settle(_ result: Result<Data?, TransportError>, trailers: HTTPFields?, _ sending: Int) {
        state.withLock { state in
            guard state.isCurrent(sending) else { return }
            switch result {
            case .success(let chunk?):
                state.chunk = chunk
                state.phase = .idle
            case .success(nil):
                state.phase = .ended(trailers: trailers)
                state.source = nil
            case .failure(let error):
                state.phase = .failed(error)
            }
        }
    }

    // MARK: Errors

    /// The result of a pull for an earlier sending. It is dropped.
    private var obsolete: TransportError {
        .cancelled(in: .requestBody, processing: .unknown, origin: origin)
    }

    private func mismatch(_ count: String, of length: Int64) -> TransportError {
        TransportError(
            .bodyLengthMismatch,
            phase: .requestBody,
            processing: .unknown,
            message: "the source of the request's body delivered \(count) bytes; \(length) were announced",
            origin: origin
        )
    }

    private func failure(_ message: String, _ error: any Error) -> TransportError {
        TransportError(
            .bodyFailed,
            phase: .requestBody,
            processing: .unknown,
            message: message,
            origin: origin,
            underlying: error
        )
    }
}

extension HTTPFields {
    /// Returns a sentence on the first trailer field that cannot be sent, or `nil` if there is none.
    fileprivate var curlTrailerFault: String? {
        var size = 0
        for field in self {
            var name = field.name.rawName
            guard name.withUTF8({ $0.canBeFieldName }) else {
                return "the field name \(name.debugDescription) is not a token"
            }
            guard !field.withUnsafeBytesOfValue({ $0.holdsLineBreakOrNUL }) else {
                return "the field \(field.name) contains a line break or NUL"
            }
            size += name.utf8.count + field.withUnsafeBytesOfValue { $0.count } + 4
        }
        // libcurl 7.88 has a buffer of 64 KiB for trailers.
        return size < 64 * 1024 - 2 ? nil : "libcurl sends trailers of up to 64 KiB; the request has \(size) bytes"
    }
}
