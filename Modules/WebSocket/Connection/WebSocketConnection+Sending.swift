internal import AirframeCore
internal import AirframeTransport
internal import AirframeWebSocketProtocol
internal import Foundation
internal import Synchronization

extension WebSocketConnection {
    /// Sends a whole text.
    func send(_ text: String, _ compressed: Bool?) async throws {
        let result = text.utf8.withContiguousStorageIfAvailable {
            sendAtOnce(.text, UnsafeRawBufferPointer($0), compressed)
        }
        switch result {
        case .whole?: return
        case .part(let rest)?: try await finishFrame(rest)
        case .nothing?, nil: try await sendWaiting(.text, Data(text.utf8), compressed)
        }
    }

    /// Sends a whole binary message.
    func send(_ data: Data, _ compressed: Bool?) async throws {
        switch data.withUnsafeBytes({ sendAtOnce(.binary, $0, compressed) }) {
        case .whole: return
        case .part(let rest): try await finishFrame(rest)
        case .nothing: try await sendWaiting(.binary, data, compressed)
        }
    }

    private func isCompressed(_ count: Int, _ compressed: Bool?) -> Bool {
        deflater != nil && compressed ?? (count >= configuration.compression?.minimumLength ?? .max)
    }

    private func sendWaiting(_ kind: MessageKind, _ data: Data, _ compressed: Bool?) async throws {
        if !sending.tryTake() { try await sending.take() }
        defer { sending.giveBack() }
        let payload = isCompressed(data.count, compressed) ? deflater?.compress(data, isLast: true) : nil
        do {
            try await write { $0.frame(kind.opcode, payload ?? data, isCompressed: payload != nil) }
        } catch let error as CancellationError {
            // The compressor's context has data that the server did not receive.
            if payload != nil { abort(.lost("a compressed message was cancelled", agreement.origin, error)) }
            throw error
        }
        note(.sent, kind == .text ? .text : .binary, data)
    }

    /// Sends a message in pieces.
    func send<Pieces: AsyncSequence & Sendable>(
        _ kind: MessageKind,
        _ pieces: Pieces,
        _ compressed: Bool,
        _ bytes: (Pieces.Element) -> Data
    ) async throws where Pieces.Element: Sendable {
        try await sending.take()
        defer { sending.giveBack() }
        try checkOpen()
        var (isFirst, isCompressed, length) = (true, false, 0)
        func send(_ data: Data, isLast: Bool) async throws {
            let payload = compressed && (isFirst || isCompressed) ? deflater?.compress(data, isLast: isLast) : nil
            if isFirst { isCompressed = payload != nil }
            let opcode = isFirst ? kind.opcode : .continuation
            let mark = isFirst && isCompressed
            isFirst = false
            length += data.count
            try await write { $0.frame(opcode, payload ?? data, isFinal: isLast, isCompressed: mark) }
        }
        do {
            for try await piece in pieces {
                let data = bytes(piece)
                if !data.isEmpty { try await send(data, isLast: false) }
            }
            // A sequence that ended because its task was cancelled must not look like a whole message.
            try Task.checkCancellation()
            try await send(Data(), isLast: true)
        } catch {
            if !isFirst { leave() }
            throw error
        }
        note(.sent, kind == .text ? .text : .binary, nil, length: length)
    }

    /// Sends a ping and waits for its pong.
    func ping() async throws -> Duration {
        try checkOpen()
        let sent = clock.now
        let number = state.withLock { state in
            state.nextPing &+= 1
            state.pings[state.nextPing] = sent
            return state.nextPing
        }
        defer {
            state.withLock { state in
                state.pings[number] = nil
                state.pongs[number] = nil
            }
        }
        sendUrgently(.ping, withUnsafeBytes(of: number.bigEndian) { Data($0) })
        guard let time = try await input({ $0.pongs[number] }) else { throw closed }
        return time
    }

    private func checkOpen() throws {
        let (isOpen, end) = state.withLock { ($0.isOpen, $0.end) }
        if let end { throw error(of: end) ?? closed }
        guard isOpen else { throw closed }
    }

    private var closed: WebSocketError {
        let isOurs = state.withLock { $0.end == nil || $0.isClosedHere }
        return WebSocketError(
            isOurs ? .closedLocally : .closed,
            closeCode: closeCode,
            message: isOurs ? "the connection was closed at this end" : "the server has closed the connection",
            origin: agreement.origin
        )
    }

    // MARK: Frames

    /// The result of a write that did not wait.
    private enum WriteAtOnce {
        /// Nothing was written.
        case nothing
        /// The whole frame was written.
        case whole
        /// The rest of the frame has to be written next. The turns to send and to write are still taken.
        case part(rest: Data)
    }

    /// The maximum length of messages that are sent without waiting. Their frames are on the stack. To wait for a write
    /// that rarely has to took 3,000 instructions of 18,000 for an echo, mostly for two values of `Data`.
    private static let maximumLengthAtOnce = 1000

    /// Writes a whole message as far as the stream accepts it, if nothing precedes it.
    private func sendAtOnce(
        _ kind: MessageKind,
        _ payload: UnsafeRawBufferPointer,
        _ compressed: Bool?
    ) -> WriteAtOnce {
        guard payload.count <= Self.maximumLengthAtOnce, observer == nil, !isCompressed(payload.count, compressed),
            sending.tryTake()
        else { return .nothing }
        guard writing.tryTake() else {
            sending.giveBack()
            return .nothing
        }
        var result = WriteAtOnce.nothing
        if state.withLock({ $0.isOpen && $0.urgentFrames.isEmpty }) {
            let header = encoder.withLock { $0.header(kind.opcode, length: payload.count) }
            result = write(header, payload)
            if case .part = result { return result }
        }
        writing.giveBack()
        sending.giveBack()
        flushUrgentFrames()
        return result
    }

    private func write(_ header: FrameHeader, _ payload: UnsafeRawBufferPointer) -> WriteAtOnce {
        withUnsafeTemporaryAllocation(byteCount: header.frameSize, alignment: 16) { frame in
            guard let address = frame.baseAddress else { return .nothing }
            header.writeFrame(payload, to: address)
            let count = stream.writeAtOnce(frame.bytes)
            guard count < frame.count else { return .whole }
            return .part(rest: Data(bytes: address + count, count: frame.count - count))
        }
    }

    /// Writes the rest of a frame, and gives the turns back.
    private func finishFrame(_ rest: Data) async throws {
        defer { sending.giveBack() }
        do {
            try await writeBytes(rest)
        } catch {
            writing.giveBack()
            throw error
        }
        writing.giveBack()
        flushUrgentFrames()
    }

    /// Writes a frame, after the queued control frames.
    private func write(_ frame: (inout FrameEncoder) -> Data) async throws {
        if !writing.tryTake() { try await writing.take() }
        do {
            if state.withLock({ !$0.isOpen || !$0.urgentFrames.isEmpty }) {
                try await writeUrgentFrames()
                try checkOpen()
            }
            let bytes = encoder.withLock { frame(&$0) }
            try await writeBytes(bytes)
        } catch {
            writing.giveBack()
            throw error
        }
        writing.giveBack()
        // A control frame that was queued in the meantime found the turn taken.
        flushUrgentFrames()
    }

    private func writeBytes(_ bytes: Data) async throws {
        do throws(TransportError) {
            try await stream.write(bytes)
        } catch {
            // Part of the frame may have been sent, so nothing can follow it.
            let lost = WebSocketError.lost("the connection was lost", agreement.origin, error)
            abort(lost)
            let (end, isClosedHere) = state.withLock { ($0.end, $0.isClosedHere) }
            throw end.flatMap { self.error(of: $0) } ?? (isClosedHere ? closed : lost)
        }
    }

    /// Queues a control frame before the next message, without waiting. The reader, which answers pings, must not wait
    /// for a server that does not read until it is read from.
    func sendUrgently(_ opcode: Opcode, _ payload: Data) {
        let frame = encoder.withLock { $0.frame(opcode, payload) }
        let isQueued = state.withLock { state in
            guard !state.hasSentClose else { return false }
            // Bounds the memory for a server that pings and does not read: one pong answers all earlier pings. A ping
            // stays, because its caller waits for the pong.
            if state.urgentFrames.count >= 64, let pong = state.urgentFrames.firstIndex(where: \.isPong) {
                state.urgentFrames.remove(at: pong)
            }
            state.urgentFrames.append(frame)
            return true
        }
        guard isQueued else { return }
        note(.sent, opcode == .ping ? .ping : .pong, payload)
        flushUrgentFrames()
    }

    /// Queues a Close frame, unless one is queued. Nothing is sent after it (RFC 6455 §5.5.1).
    @discardableResult
    func sendClose(_ status: CloseStatus) -> Bool {
        let frame = encoder.withLock { $0.close(status) }
        let isQueued = state.withLock { state in
            guard !state.hasSentClose else { return false }
            state.hasSentClose = true
            state.urgentFrames.append(frame)
            return true
        }
        guard isQueued else { return false }
        note(.sent, .close(status.code.map { .init($0) }), status.reason)
        flushUrgentFrames()
        return true
    }

    /// Starts to write control frames if no task is writing. A writer checks for them when it is done.
    private func flushUrgentFrames() {
        guard state.withLock({ !$0.urgentFrames.isEmpty && !$0.isStreamClosed }), writing.tryTake() else { return }
        Task.immediate { [self] in
            try? await writeUrgentFrames()
            writing.giveBack()
            flushUrgentFrames()
        }
    }

    /// Writes the queued control frames. Call it with the turn to write.
    private func writeUrgentFrames() async throws {
        while let bytes = state.withLock({ state -> Data? in
            guard !state.urgentFrames.isEmpty else { return nil }
            defer { state.urgentFrames = [] }
            return state.urgentFrames.dropFirst().reduce(state.urgentFrames[0], +)
        }) {
            try await writeBytes(bytes)
        }
    }

    /// Waits until the control frames are written.
    func untilFlushed() async throws {
        try await writing.take()
        defer { writing.giveBack() }
        try await writeUrgentFrames()
    }
}

extension Data {
    /// Whether the bytes are the frame of a pong (RFC 6455 §5.2).
    fileprivate var isPong: Bool { first.map { $0 & 0x0F } == Opcode.pong.rawValue }
}
