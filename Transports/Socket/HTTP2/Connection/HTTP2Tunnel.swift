internal import AirframeTransport
internal import FoundationEssentials
internal import Synchronization

/// A byte stream in both directions after CONNECT or extended CONNECT (RFC 9113 §8.5, RFC 8441).
final class HTTP2Tunnel: DuplexStream {
    private struct TunnelState {
        /// Ends the exchange; `nil` once the stream is closed.
        var onEnd: (@Sendable (String?) -> Void)?
        var isWritingOver = false
        var hasEnded = false
    }

    private let stream: HTTP2Stream
    // Guards whether the stream is open.
    private let state: Mutex<TunnelState>

    init(_ stream: HTTP2Stream, onEnd: @escaping @Sendable (String?) -> Void) {
        self.stream = stream
        state = Mutex(TunnelState(onEnd: onEnd))
    }

    deinit { close() }

    func read() async throws(TransportError) -> Data? {
        while true {
            try checkOpen(.responseBody)
            if state.withLock({ $0.hasEnded }) { return nil }
            do throws(StreamFailure) {
                switch try stream.next(.more) {
                case .content(let content): return content
                case .end:
                    state.withLock { $0.hasEnded = true }
                    return nil
                case .blocked, .progress, .informational, .head: break
                }
            } catch {
                throw transportError(error, .responseBody)
            }
            try await wait(for: .reading, .responseBody)
        }
    }

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
            case .blocked: try await wait(for: .writing, .requestBody)
            case .ended, .failed:
                try checkOpen(.requestBody)
                throw error(.connectionLost, .requestBody, "the server accepts no more bytes on this stream")
            }
        }
    }

    func finishWriting() async throws(TransportError) {
        try checkOpen(.requestBody)
        let isFirst = state.withLock { state in
            defer { state.isWritingOver = true }
            return !state.isWritingOver
        }
        guard isFirst else { return }
        do throws(StreamFailure) {
            try stream.finish(trailers: nil)
        } catch {
            throw transportError(error, .requestBody)
        }
        while try !flush() {
            try await wait(for: .writing, .requestBody)
            try checkOpen(.requestBody)
        }
    }

    /// Sends accepted bytes. Returns whether all have been sent.
    private func flush() throws(TransportError) -> Bool {
        do throws(StreamFailure) {
            return try stream.flush() == .done
        } catch {
            throw transportError(error, .requestBody)
        }
    }

    func close() {
        let onEnd = state.withLock { state in
            defer { state.onEnd = nil }
            return state.onEnd
        }
        guard let onEnd else { return }
        stream.end(.cancel)
        stream.rouse()
        // The connection continues to carry other streams.
        onEnd(nil)
    }

    // MARK: Waiting and errors

    private func wait(for direction: Socket.Direction, _ phase: TransportPhase) async throws(TransportError) {
        switch await stream.wait(for: direction, until: .max, nil, isAlone: false) {
        case .ready, .timeUp: return
        case .cancelled: throw .cancelled(in: phase, processing: .unknown, origin: stream.origin)
        case .failed(let code):
            throw error(.connectionLost, phase, "the connection was lost: \(SystemError.text(code))")
        }
    }

    private func checkOpen(_ phase: TransportPhase) throws(TransportError) {
        guard state.withLock({ $0.onEnd == nil }) else { return }
        throw .cancelled(in: phase, processing: .unknown, origin: stream.origin)
    }

    private func transportError(_ failure: StreamFailure, _ phase: TransportPhase) -> TransportError {
        switch failure {
        case .failed(let error): error
        case .lost(let code, let words):
            error(.connectionLost, phase, "the connection was lost: \(words ?? SystemError.text(code))")
        }
    }

    private func error(_ code: TransportError.Code, _ phase: TransportPhase, _ message: String) -> TransportError {
        TransportError(code, phase: phase, processing: .unknown, message: message, origin: stream.origin)
    }
}
