package import FoundationEssentials

/// Decodes bytes from the peer to messages and control frames: the receiving half of RFC 6455 and RFC 7692.
///
/// The decoder is a pure state machine. It holds at most the bytes of one read and delivers payload as it arrives, so
/// that a message of any length takes bounded memory.
package struct MessageDecoder: Sendable {
    /// The events of a connection.
    package enum Event: Sendable, Hashable {
        /// A whole text, in one frame whose bytes were all buffered.
        case text(String)
        /// A whole binary message, in one frame whose bytes were all buffered.
        case binary(Data)
        /// The first frame of a message that is delivered in pieces.
        case start(MessageKind)
        /// The next piece of a message, decompressed. Never empty.
        case piece(Data)
        /// The end of a message in pieces.
        case end
        /// A ping and its payload.
        case ping(Data)
        /// A pong and its payload.
        case pong(Data)
        /// A Close frame. Nothing follows it.
        case close(CloseStatus)
    }

    /// A message that has begun and not ended.
    private struct OpenMessage {
        let kind: MessageKind
        let isCompressed: Bool
        var validator = UTF8Validator()
    }

    private enum Phase {
        /// The next bytes are a frame's header.
        case header
        /// The next bytes are a control frame's payload.
        case control(FrameHeader)
        /// The next bytes are a data frame's payload, from a position on.
        case payload(FrameHeader, position: Int)
        /// The decompressor has a frame's payload and may have pieces left.
        case inflating(FrameHeader, position: Int)
        /// The message has ended, and its end is to be reported.
        case messageEnd
        /// A Close frame was received, or the peer violated the protocol.
        case closed
    }

    private let role: Role
    private let maximumFrameSize: Int
    private let decompressor: (any MessageDecompressor)?

    private var buffer = Data()
    private var position = 0
    private var phase = Phase.header
    private var message: OpenMessage?

    /// Creates a decoder.
    ///
    /// - Parameters:
    ///   - role: The end that the decoder represents.
    ///   - maximumFrameSize: The maximum payload of a frame, in bytes.
    ///   - decompressor: The decompressor, if permessage-deflate was negotiated.
    package init(role: Role, maximumFrameSize: Int = .max, decompressor: (any MessageDecompressor)? = nil) {
        self.role = role
        self.maximumFrameSize = maximumFrameSize
        self.decompressor = decompressor
    }

    /// Whether the next byte begins a message or a control frame, with no bytes buffered.
    package var isAtBoundary: Bool {
        if case .header = phase { message == nil && position == buffer.count } else { false }
    }

    /// Decodes a whole unfragmented, uncompressed and unmasked message without keeping its bytes.
    ///
    /// - Returns: The event; `nil` for other bytes, which ``receive(_:)`` has to be given.
    package func wholeMessage(in bytes: UnsafeRawBufferPointer) -> Event? {
        guard isAtBoundary, role == .client, let (header, size) = try? FrameHeader.read(from: bytes),
            header.isFinal, !header.isCompressed, header.maskingKey == nil,
            header.length == bytes.count - size, header.length <= maximumFrameSize
        else { return nil }
        let payload = UnsafeRawBufferPointer(rebasing: bytes[size...])
        switch header.opcode {
        case .text: return Self.text(payload).map { .text($0) }
        case .binary: return .binary(payload.baseAddress.map { Data(bytes: $0, count: payload.count) } ?? Data())
        default: return nil
        }
    }

    /// Appends bytes from the peer. Call ``next()`` until it returns `nil` before appending more.
    package mutating func receive(_ data: Data) {
        if position == buffer.count {
            buffer = data.startIndex == 0 ? data : Data(data)
        } else {
            buffer = buffer.subdata(in: position..<buffer.count) + data
        }
        position = 0
    }

    /// Returns the next event; `nil` if it needs more bytes.
    ///
    /// - Throws: The peer's violation. Nothing follows it.
    package mutating func next() throws(ProtocolViolation) -> Event? {
        do throws(ProtocolViolation) {
            while true {
                switch phase {
                case .header:
                    guard let header = try nextHeader() else {
                        releaseBuffer()
                        return nil
                    }
                    if let event = try begin(header) { return event }
                case .control(let header):
                    guard buffer.count - position >= header.length else { return nil }
                    return try control(header)
                case .payload(let header, let done):
                    guard let event = try payload(header, from: done) else {
                        if isStarved { return nil }
                        continue
                    }
                    return event
                case .inflating(let header, let done):
                    if let event = try inflated(header, done) { return event }
                case .messageEnd:
                    phase = .header
                    return .end
                case .closed: return nil
                }
            }
        } catch {
            phase = .closed
            throw error
        }
    }

    /// Releases the bytes of the last read, so that an idle connection holds none.
    private mutating func releaseBuffer() {
        guard position == buffer.count, position > 0 else { return }
        buffer = Data()
        position = 0
    }

    // MARK: Headers

    private mutating func nextHeader() throws(ProtocolViolation) -> FrameHeader? {
        guard position < buffer.count else { return nil }
        let result = buffer.withUnsafeBytes { bytes in
            Result { () throws(ProtocolViolation) in
                try FrameHeader.read(from: UnsafeRawBufferPointer(rebasing: bytes[position...]))
            }
        }
        guard let (header, size) = try result.get() else { return nil }
        position += size
        return header
    }

    /// Checks a frame against the state of the connection.
    ///
    /// - Returns: The event that the frame begins with, if any.
    private mutating func begin(_ header: FrameHeader) throws(ProtocolViolation) -> Event? {
        switch (role, header.maskingKey) {
        case (.client, .some): throw .protocolError("the server masked a frame", section: "RFC 6455 §5.1")
        case (.server, nil): throw .protocolError("the client did not mask a frame", section: "RFC 6455 §5.1")
        default: break
        }
        if header.isCompressed, decompressor == nil {
            throw .protocolError("a frame has RSV1 set, which no extension uses", section: "RFC 6455 §5.2")
        }
        guard !header.opcode.isControl else {
            try checkControl(header)
            phase = .control(header)
            return nil
        }
        guard header.length <= maximumFrameSize else {
            throw .tooBig("a frame has \(header.length) bytes; the limit is \(maximumFrameSize)")
        }
        switch header.opcode {
        case .continuation:
            guard message != nil else {
                throw .protocolError("a continuation frame continues no message", section: "RFC 6455 §5.4")
            }
            guard !header.isCompressed else {
                throw .protocolError("a continuation frame has RSV1 set", section: "RFC 7692 §6.1")
            }
            phase = .payload(header, position: 0)
            return nil
        case .text: return try start(.text, header)
        default: return try start(.binary, header)
        }
    }

    private func checkControl(_ header: FrameHeader) throws(ProtocolViolation) {
        guard header.isFinal else {
            throw .protocolError("a control frame is fragmented", section: "RFC 6455 §5.5")
        }
        guard header.length <= FrameHeader.maximumControlLength else {
            throw .protocolError("a control frame has \(header.length) bytes of payload", section: "RFC 6455 §5.5")
        }
        guard !header.isCompressed else {
            throw .protocolError("a control frame has RSV1 set", section: "RFC 7692 §6.1")
        }
    }

    private mutating func start(_ kind: MessageKind, _ header: FrameHeader) throws(ProtocolViolation) -> Event? {
        guard message == nil else {
            throw .protocolError("a message begins before the last one has ended", section: "RFC 6455 §5.4")
        }
        if header.isFinal, !header.isCompressed, buffer.count - position >= header.length {
            return kind == .text ? .text(try text(header)) : .binary(take(header.length, of: header, from: 0))
        }
        message = OpenMessage(kind: kind, isCompressed: header.isCompressed)
        phase = .payload(header, position: 0)
        return .start(kind)
    }

    // MARK: Payload

    /// Consumes the payload of a frame that is a whole text.
    private mutating func text(_ header: FrameHeader) throws(ProtocolViolation) -> String {
        let text: String?
        if header.maskingKey == nil {
            let range = position..<position + header.length
            text = buffer.withUnsafeBytes { Self.text(UnsafeRawBufferPointer(rebasing: $0[range])) }
            position = range.upperBound
        } else {
            text = take(header.length, of: header, from: 0).withUnsafeBytes { Self.text($0) }
        }
        guard let text else { throw Self.invalidText }
        return text
    }

    private static func text(_ bytes: UnsafeRawBufferPointer) -> String? {
        guard let text = try? UTF8Span(validating: bytes.bindMemory(to: UInt8.self).span) else { return nil }
        return String(copying: text)
    }

    private static var invalidText: ProtocolViolation {
        .invalidPayload("a text message is not UTF-8", section: "RFC 6455 §8.1")
    }

    /// Whether all buffered bytes are consumed.
    private var isStarved: Bool { if case .payload = phase { position == buffer.count } else { false } }

    private mutating func control(_ header: FrameHeader) throws(ProtocolViolation) -> Event {
        let data = take(header.length, of: header, from: 0)
        // Control frames occur only between frames, so a header is next.
        phase = .header
        switch header.opcode {
        case .ping: return .ping(data)
        case .pong: return .pong(data)
        default:
            let status = try CloseStatus(payload: data)
            phase = .closed
            return .close(status)
        }
    }

    /// Consumes the available part of a data frame's payload.
    private mutating func payload(_ header: FrameHeader, from done: Int) throws(ProtocolViolation) -> Event? {
        let count = min(header.length - done, buffer.count - position)
        guard count > 0 || header.length == done else { return nil }
        let data = take(count, of: header, from: done)
        let isFrameEnd = done + count == header.length
        let isLast = isFrameEnd && header.isFinal
        if let decompressor, message?.isCompressed == true {
            decompressor.append(data)
            if isLast { decompressor.finishMessage() }
            phase = .inflating(header, position: done + count)
            return nil
        }
        if message?.kind == .text { try check(data, isLast: isLast) }
        phase = isLast ? .messageEnd : isFrameEnd ? .header : .payload(header, position: done + count)
        if isLast { message = nil }
        return data.isEmpty ? nil : .piece(data)
    }

    private mutating func inflated(_ header: FrameHeader, _ done: Int) throws(ProtocolViolation) -> Event? {
        if let piece = try decompressor?.next() {
            if message?.kind == .text { try check(piece, isLast: false) }
            return .piece(piece)
        }
        guard done == header.length else {
            phase = .payload(header, position: done)
            return nil
        }
        guard header.isFinal else {
            phase = .header
            return nil
        }
        if message?.kind == .text { try check(Data(), isLast: true) }
        decompressor?.endMessage()
        message = nil
        phase = .messageEnd
        return nil
    }

    private mutating func check(_ data: Data, isLast: Bool) throws(ProtocolViolation) {
        guard var validator = message?.validator else { return }
        guard validator.accept(data), !isLast || validator.isComplete else { throw Self.invalidText }
        message?.validator = validator
    }

    /// Consumes bytes of a frame's payload and unmasks them.
    private mutating func take(_ count: Int, of header: FrameHeader, from done: Int) -> Data {
        guard count > 0 else { return Data() }
        var data = buffer.subdata(in: position..<position + count)
        position += count
        if let key = header.maskingKey {
            data.withUnsafeMutableBytes { key.apply(to: $0, at: done) }
        }
        return data
    }
}
