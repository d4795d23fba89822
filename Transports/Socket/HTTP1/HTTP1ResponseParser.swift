package import AirframeTransport
internal import HTTPTypes

/// Reads the responses of one connection, one exchange after another, without doing any I/O.
///
/// The connection feeds what it has read and takes one event at a time:
///
/// ```swift
/// parser.begin(.ordinary)
/// switch try parser.next(in: buffer.bytes, from: &position) { … }
/// ```
///
/// `position` moves over what is used up. With ``HTTP1ResponseEvent/needsMore`` everything is: the parser keeps what
/// it still needs of a line that is not whole, so the buffer can be filled anew from its start. How the bytes are cut
/// into pieces changes nothing but the cuts in the content.
package struct HTTP1ResponseParser: Sendable {
    enum State: Sendable {
        case idle
        /// Before a status line; how many empty lines were skipped.
        case statusLine(emptyLines: Int)
        case fields(HTTP1StatusLine)
        case content(remaining: Int64)
        case contentUntilClose
        case chunkLine
        case chunk(remaining: Int64)
        /// After a chunk's data; whether the CR was there.
        case chunkEnd(hasReturn: Bool)
        case trailer
        case ending(trailers: HTTPFields?)
        case complete
        case tunnel
        case failed(TransportError)
    }

    /// The server that errors name.
    package var origin: Origin?
    let limits: HTTP1Limits
    var state = State.idle
    var kind = HTTP1RequestKind.ordinary
    var lines = HTTP1LineReader()
    /// Beside the state and not in it, so that adding a field never copies those before it.
    var section = HTTP1FieldSection()
    /// What the last head said.
    var memory = HTTP1HeadMemory()
    /// The bytes of the head, or the trailer, so far.
    var sectionBytes = 0
    var informationalCount = 0
    var closeReason: HTTP1CloseReason?
    /// Whether a byte of this exchange's response has come. While none has, a kept connection that ends was closed
    /// before the server saw the request, in all likelihood.
    package internal(set) var hasBegun = false
    /// The minor version that the final response's status line named: 0 for HTTP/1.0.
    package internal(set) var minorVersion: UInt8 = 1

    /// Makes a parser for one connection.
    package init(limits: HTTP1Limits = HTTP1Limits(), origin: Origin? = nil) {
        self.limits = limits
        self.origin = origin
    }

    /// Starts to expect the response to a request.
    ///
    /// - Parameters:
    ///   - kind: What about the request decides how its response is read.
    ///   - asksToClose: Whether the request said `Connection: close` (RFC 9112 §9.6).
    package mutating func begin(_ kind: HTTP1RequestKind, asksToClose: Bool = false) {
        self.kind = kind
        state = .statusLine(emptyLines: 0)
        lines.reset()
        section = HTTP1FieldSection()
        sectionBytes = 0
        informationalCount = 0
        closeReason = asksToClose ? .askedByClient : nil
        hasBegun = false
    }

    /// Whether the response was read to its end.
    package var isComplete: Bool {
        if case .complete = state { true } else { false }
    }

    /// Why the connection cannot carry another exchange, or `nil` when it can.
    ///
    /// - Parameter surplus: How many bytes are in the buffer after the end of the response.
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

    /// The next event.
    ///
    /// - Parameters:
    ///   - input: What the connection has read.
    ///   - position: Where to go on in `input`; moved over what was used up.
    /// - Throws: ``TransportError/Code/malformedResponse`` or ``TransportError/Code/headTooLarge``, and the same again
    ///   when it is called after that.
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
