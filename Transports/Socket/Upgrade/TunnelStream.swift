internal import AirframeTransport
internal import FoundationEssentials
internal import Glibc
internal import Synchronization

/// The byte stream of a connection that has left HTTP/1.1 (RFC 9110 §7.8, §9.3.6).
final class TunnelStream: DuplexStream {
    private struct TunnelState {
        /// Ends the exchange; `nil` once the stream is closed.
        var onEnd: (@Sendable () -> Void)?
        var pending: Data?
        /// The end that ``readAtOnce(into:)`` found, for ``read()`` to report.
        var readEnd: IOResult?
        var isWritingOver = false
        /// Whether a writer waits for the reactor to report room.
        var hasWaitingWriter = false
    }

    private let stream: ByteStream
    private let buffers: BufferPool
    private let origin: Origin
    private let spin: @Sendable () -> SpinBudget?
    /// Whether the last read filled its buffer, so that another read may succeed without a wait. Only the reader
    /// accesses it.
    private let mayHaveMore = Atomic(true)
    // Guards whether the stream is open, and the bytes that arrived with the response head.
    private let state: Mutex<TunnelState>

    /// - Parameters:
    ///   - pending: Bytes that arrived with the response head.
    ///   - spin: Returns the budget for spinning before a read is suspended; `nil` for none.
    ///   - onEnd: Called once, when the stream is closed or released.
    init(
        _ stream: ByteStream,
        _ buffers: BufferPool,
        origin: Origin,
        pending: Data?,
        spin: @escaping @Sendable () -> SpinBudget?,
        onEnd: @escaping @Sendable () -> Void
    ) {
        self.stream = stream
        self.buffers = buffers
        self.origin = origin
        self.spin = spin
        state = Mutex(TunnelState(onEnd: onEnd, pending: pending))
    }

    deinit { end() }

    // MARK: Reading

    func read() async throws(TransportError) -> Data? {
        if let pending = takePending() { return pending }
        while true {
            try await untilReadable()
            try checkOpen(.responseBody)
            let buffer = buffers.take()
            switch takeReadEnd() ?? stream.read(into: buffer.bytes) {
            case .bytes(let count):
                mayHaveMore.store(stream.mayHaveMore(after: count, of: buffer.bytes.count), ordering: .relaxed)
                return buffers.data(0..<count, of: buffer)
            case .ended:
                buffers.give(buffer)
                mayHaveMore.store(true, ordering: .relaxed)
                guard stream.tls?.wasClosed ?? true else { throw lost("it ended without close_notify", .responseBody) }
                return nil
            case .failed(let code):
                buffers.give(buffer)
                mayHaveMore.store(true, ordering: .relaxed)
                try checkOpen(.responseBody)
                throw lost(stream.tls?.failureWords ?? SystemError.text(code), .responseBody)
            case .blocked:
                buffers.give(buffer)
                mayHaveMore.store(false, ordering: .relaxed)
            }
        }
    }

    func untilReadable() async throws(TransportError) {
        // A read that did not fill its buffer has drained the socket: another would fail, and wait then.
        guard !mayHaveMore.load(ordering: .relaxed) else { return }
        let budget = spin()
        if budget != nil { stopWatching() }
        try await wait(for: stream.readDirection, .responseBody, budget)
        mayHaveMore.store(true, ordering: .relaxed)
    }

    func readAtOnce(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        guard state.withLock({ $0.onEnd != nil && $0.pending == nil && $0.readEnd == nil }) else { return 0 }
        let result = stream.read(into: buffer)
        switch result {
        case .bytes(let count):
            mayHaveMore.store(stream.mayHaveMore(after: count, of: buffer.count), ordering: .relaxed)
            return count
        case .blocked: mayHaveMore.store(false, ordering: .relaxed)
        case .ended, .failed: state.withLock { $0.readEnd = result }
        }
        return 0
    }

    private func takeReadEnd() -> IOResult? { state.withLock { $0.readEnd.take() } }

    /// Makes the reactor ignore the socket while the reader spins. Otherwise each message also wakes the reactor's
    /// thread: two context switches an echo instead of one. The lock is held during the system call, because a writer
    /// that begins to wait at the same time starts the watch again.
    private func stopWatching() {
        guard stream.socket.isWatched else { return }
        state.withLock { state in
            if !state.hasWaitingWriter { stream.socket.stopWatching() }
        }
    }

    private func takePending() -> Data? {
        state.withLock { state in
            defer { state.pending = nil }
            return state.pending
        }
    }

    // MARK: Writing

    func write(_ data: Data) async throws(TransportError) {
        guard !state.withLock({ $0.isWritingOver }) else {
            throw error(.invalidRequest, .requestBody, "writing has already been finished on this stream")
        }
        var position = 0
        while position < data.count {
            try checkOpen(.requestBody)
            let result = data.withUnsafeBytes { bytes in
                stream.write(UnsafeRawBufferPointer(rebasing: bytes[position...]))
            }
            switch result {
            case .bytes(let count): position += count
            case .blocked: try await waitForRoom()
            case .ended: throw lost(SystemError.text(EPIPE), .requestBody)
            case .failed(let code):
                try checkOpen(.requestBody)
                throw lost(stream.tls?.failureWords ?? SystemError.text(code), .requestBody)
            }
        }
    }

    func writeAtOnce(_ bytes: RawSpan) -> Int {
        guard state.withLock({ !$0.isWritingOver && $0.onEnd != nil }) else { return 0 }
        return bytes.withUnsafeBytes { bytes in
            if case .bytes(let count) = stream.write(bytes) { count } else { 0 }
        }
    }

    func finishWriting() async throws(TransportError) {
        try checkOpen(.requestBody)
        state.withLock { $0.isWritingOver = true }
        guard let tls = stream.tls else { return stream.socket.shutDown(both: false) }
        while !tls.finishWriting() {
            try await waitForRoom()
            try checkOpen(.requestBody)
        }
    }

    private func waitForRoom() async throws(TransportError) {
        state.withLock { $0.hasWaitingWriter = true }
        defer { state.withLock { $0.hasWaitingWriter = false } }
        try await wait(for: .writing, .requestBody)
    }

    // MARK: The end

    func close() {
        // The end of the TLS stream would send close_notify only after the shutdown (RFC 8446 §6.1).
        stream.tls?.finishWriting()
        // A waiting task first sees the end of the connection, and then that the stream is closed.
        stream.socket.shutDown(both: true)
        end()
        stream.socket.rouse()
    }

    private func end() {
        let onEnd = state.withLock { state in
            defer { state.onEnd = nil }
            return state.onEnd
        }
        onEnd?()
    }

    private func checkOpen(_ phase: TransportPhase) throws(TransportError) {
        guard state.withLock({ $0.onEnd == nil }) else { return }
        throw .cancelled(in: phase, processing: .unknown, origin: origin)
    }

    private func wait(
        for direction: Socket.Direction,
        _ phase: TransportPhase,
        _ spin: SpinBudget? = nil
    ) async throws(TransportError) {
        let end = await stream.socket.wait(for: direction, until: .max, spin, alarm: stream.socket.makeAlarm())
        switch end {
        case .ready, .timeUp: return
        case .cancelled: throw .cancelled(in: phase, processing: .unknown, origin: origin)
        case .failed(let code): throw lost(SystemError.text(code), phase)
        }
    }

    private func lost(_ words: String, _ phase: TransportPhase) -> TransportError {
        TransportError(
            .connectionLost,
            phase: phase,
            processing: .unknown,
            message: "the connection was lost",
            origin: origin,
            libraryMessage: words
        )
    }

    private func error(_ code: TransportError.Code, _ phase: TransportPhase, _ message: String) -> TransportError {
        TransportError(code, phase: phase, processing: .unknown, message: message, origin: origin)
    }
}
