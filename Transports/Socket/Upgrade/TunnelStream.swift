internal import AirframeTransport
internal import FoundationEssentials
internal import Glibc
internal import Synchronization

/// A connection that has left HTTP/1.1: a stream of bytes in both directions.
final class TunnelStream: DuplexStream {
    private struct State {
        var exchange: Exchange?
        var pending: Data?
        var isWritingOver = false
    }

    private let stream: ByteStream
    private let entry: PoolEntry
    private let buffers: BufferPool
    private let origin: Origin
    // Guards what is left of the exchange: `nil` once the stream is closed.
    private let state: Mutex<State>

    init(_ exchange: Exchange, _ connection: Connection, _ entry: PoolEntry, pending: Data?) {
        stream = connection.stream
        self.entry = entry
        buffers = exchange.engine.buffers
        origin = exchange.plan.origin
        state = Mutex(State(exchange: exchange, pending: pending))
    }

    deinit { end() }

    // MARK: Reading

    func read() async throws(TransportError) -> Data? {
        if let pending = takePending() { return pending }
        while true {
            try checkOpen(.responseBody)
            let buffer = buffers.take()
            switch stream.read(into: buffer.bytes) {
            case .bytes(let count):
                return buffers.data(0..<count, of: buffer)
            case .ended:
                buffers.give(buffer)
                guard stream.tls?.wasClosed ?? true else { throw lost("it ended without the TLS close", .responseBody) }
                return nil
            case .failed(let code):
                buffers.give(buffer)
                try checkOpen(.responseBody)
                throw lost(stream.tls?.failureWords ?? SystemError.text(code), .responseBody)
            case .blocked:
                buffers.give(buffer)
                try await wait(for: stream.readDirection, .responseBody)
            }
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
            throw error(.invalidRequest, .requestBody, "our direction of the stream has been ended")
        }
        var position = 0
        while position < data.count {
            try checkOpen(.requestBody)
            let result = data.withUnsafeBytes { bytes in
                stream.write(UnsafeRawBufferPointer(rebasing: bytes[position...]))
            }
            switch result {
            case .bytes(let count): position += count
            case .blocked: try await wait(for: .writing, .requestBody)
            case .ended: throw lost(SystemError.text(EPIPE), .requestBody)
            case .failed(let code):
                try checkOpen(.requestBody)
                throw lost(stream.tls?.failureWords ?? SystemError.text(code), .requestBody)
            }
        }
    }

    func finishWriting() async throws(TransportError) {
        try checkOpen(.requestBody)
        state.withLock { $0.isWritingOver = true }
        if let tls = stream.tls { tls.finishWriting() } else { stream.socket.shutDown(both: false) }
    }

    // MARK: The end

    func close() {
        // What waits finds the connection at its end, and then the stream closed.
        stream.socket.shutDown(both: true)
        end()
        stream.socket.rouse()
    }

    private func end() {
        let exchange = state.withLock { state in
            defer { state.exchange = nil }
            return state.exchange
        }
        exchange?.endTunnel(entry)
    }

    private func checkOpen(_ phase: TransportPhase) throws(TransportError) {
        guard state.withLock({ $0.exchange == nil }) else { return }
        throw .cancelled(in: phase, processing: .unknown, origin: origin)
    }

    private func wait(for direction: Socket.Direction, _ phase: TransportPhase) async throws(TransportError) {
        let end = await stream.socket.wait(for: direction, until: .max, nil, alarm: stream.socket.makeAlarm())
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
