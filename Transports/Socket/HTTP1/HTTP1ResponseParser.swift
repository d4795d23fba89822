package import AirframeTransport
internal import HTTPTypes

/// Parses the responses of one connection, one exchange after another, without I/O.
///
/// The connection passes the bytes that it has read and takes one event at a time:
///
/// ```swift
/// parser.begin(.ordinary)
/// switch try parser.next(in: buffer.bytes, from: &position) { … }
/// ```
///
/// `position` moves past consumed bytes. With ``HTTP1ResponseEvent/needsMore`` all input has been consumed: the parser
/// keeps an incomplete line itself, so that the buffer can be refilled from its start. How the bytes are divided into
/// pieces affects only the pieces of the content.
package struct HTTP1ResponseParser: Sendable {
    enum ParserState: Sendable {
        case idle
        /// Before a status line, with the number of skipped empty lines.
        case statusLine(emptyLines: Int)
        case fields(HTTP1StatusLine)
        case content(remaining: Int64)
        case contentUntilClose
        case chunkLine
        case chunk(remaining: Int64)
        /// After a chunk's data, with whether its CR was received.
        case chunkEnd(hasReturn: Bool)
        case trailer
        case ending(trailers: HTTPFields?)
        case complete
        case tunnel
        case failed(TransportError)
    }

    /// The server's origin, for errors.
    package var origin: Origin?
    let limits: HTTP1Limits
    var state = ParserState.idle
    var kind = HTTP1RequestKind.ordinary
    var lines = HTTP1LineReader()
    /// The fields of the current head or trailer. Outside the state enum, so that adding a field copies no others.
    var section = HTTP1FieldSection()
    /// The last head, and its meaning.
    var memory = HTTP1HeadMemory()
    /// The number of bytes of the current head or trailer so far.
    var sectionBytes = 0
    var informationalCount = 0
    var closeReason: HTTP1CloseReason?
    /// Whether a byte of this exchange's response has arrived. If a kept connection ends before, the server most likely
    /// closed it before it received the request.
    package internal(set) var hasBegun = false
    /// The minor version in the final response's status line: 0 for HTTP/1.0.
    package internal(set) var minorVersion: UInt8 = 1

    /// Creates the parser of a connection.
    package init(limits: HTTP1Limits = HTTP1Limits(), origin: Origin? = nil) {
        self.limits = limits
        self.origin = origin
    }

    /// Begins with the response to a request.
    ///
    /// - Parameters:
    ///   - kind: The property of the request that determines how its response is read.
    ///   - asksToClose: Whether the request has `Connection: close` (RFC 9112 §9.6).
    package mutating func begin(_ kind: HTTP1RequestKind, asksToClose: Bool = false) {
        self.kind = kind
        state = .statusLine(emptyLines: 0)
        lines.reset()
        if !section.isEmpty { section = HTTP1FieldSection() }
        sectionBytes = 0
        informationalCount = 0
        closeReason = asksToClose ? .askedByClient : nil
        hasBegun = false
    }

    /// Whether the response was read to its end.
    package var isComplete: Bool {
        if case .complete = state { true } else { false }
    }

    /// Returns why the connection cannot carry another exchange; `nil` if it can.
    ///
    /// - Parameter surplus: The number of bytes in the buffer after the end of the response.
    package func closeReason(surplus: Int) -> HTTP1CloseReason? {
        switch state {
        case .complete: closeReason ?? (surplus > 0 ? .surplus : nil)
        case .tunnel: .tunnel
        case .failed: .failed
        case .idle: nil
        default: .unfinished
        }
    }

    // MARK: Events

    /// Returns the next event.
    ///
    /// - Parameters:
    ///   - input: The bytes that the connection has read.
    ///   - position: The offset at which to continue; moved past consumed bytes.
    /// - Throws: ``TransportError/Code/malformedResponse`` or ``TransportError/Code/headTooLarge``, and the same error
    ///   on every later call.
    package mutating func next(
        in input: RawSpan,
        from position: inout Int
    ) throws(TransportError) -> HTTP1ResponseEvent {
        do throws(HTTP1Violation) {
            return try advance(in: input, from: &position)
        } catch {
            throw fail(error.code, error.message)
        }
    }

    mutating func advance(
        in input: RawSpan,
        from position: inout Int
    ) throws(HTTP1Violation) -> HTTP1ResponseEvent {
        let start = position
        while true {
            if position < input.byteCount { hasBegun = true }
            switch state {
            case .idle, .complete, .tunnel:
                return .needsMore
            case .failed(let error):
                throw HTTP1Violation(code: error.code, message: error.message)
            case .statusLine(let emptyLines):
                if let event = recallHead(in: input, from: &position) { return event }
                guard try readStatusLine(in: input, from: &position, emptyLines: emptyLines) else { return .needsMore }
            case .fields(let statusLine):
                guard try readFields(in: input, from: &position, isTrailer: false) else { return .needsMore }
                return try endHead(statusLine, in: input, start..<position)
            case .content(let remaining):
                guard let range = content(in: input, from: &position, remaining: remaining) else { return .needsMore }
                didReadContent(Int64(range.count), of: remaining)
                return .body(range)
            case .contentUntilClose:
                guard let range = content(in: input, from: &position, remaining: .max) else { return .needsMore }
                return .body(range)
            case .chunkLine:
                guard try readChunkLine(in: input, from: &position) else { return .needsMore }
            case .chunk(let remaining):
                guard let range = content(in: input, from: &position, remaining: remaining) else { return .needsMore }
                didReadChunk(Int64(range.count), of: remaining)
                return .body(range)
            case .chunkEnd(let hasReturn):
                guard position < input.byteCount else { return .needsMore }
                guard input.byte(position) == (hasReturn ? .lineFeed : .carriageReturn) else {
                    throw .malformed("a chunk's data is longer than its size, or not followed by CR LF")
                }
                position += 1
                state = hasReturn ? .chunkLine : .chunkEnd(hasReturn: true)
            case .trailer:
                guard try readFields(in: input, from: &position, isTrailer: true) else { return .needsMore }
                state = .ending(trailers: section.fields.isEmpty ? nil : section.fields)
                section = HTTP1FieldSection()
            case .ending(let trailers):
                state = .complete
                return .end(trailers: trailers)
            }
        }
    }
}
