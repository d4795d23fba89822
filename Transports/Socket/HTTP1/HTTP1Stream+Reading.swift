internal import AirframeTransport
internal import FoundationEssentials
internal import HTTPTypes

/// The reading half.
extension HTTP1Stream {
    var hasInput: Bool {
        if mayHaveMore || input != nil || reader.hasOutcome { return true }
        return if case .nothing = following { false } else { true }
    }

    func next(_ demand: Demand) throws(StreamFailure) -> MessageEvent {
        switch following {
        case .nothing: break
        case .end(let trailers):
            following = .nothing
            return .end(trailers: trailers)
        case .failure(let error):
            guard demand == .more else { return .blocked }
            throw .failed(error)
        }
        if let rest = input {
            input = nil
            return try parse(rest, demand)
        }
        guard demand == .more else { return .blocked }
        return try read()
    }

    /// Reads once and returns the first event of the input.
    private func read() throws(StreamFailure) -> MessageEvent {
        let (buffer, result) = reader.read()
        switch result {
        case .bytes(let count):
            mayHaveMore = bytes.mayHaveMore(after: count, of: buffer.bytes.count)
            return try parse(Input(buffer: buffer, count: count, position: 0), .more)
        case .blocked:
            mayHaveMore = false
            buffers.give(buffer)
            return .blocked
        case .ended:
            buffers.give(buffer)
            return try endOfInput()
        case .failed(let code):
            buffers.give(buffer)
            throw .lost(code: code, words: bytes.tls?.failureWords)
        }
    }

    /// Handles the end of the connection.
    private func endOfInput() throws(StreamFailure) -> MessageEvent {
        let event: HTTP1ResponseEvent
        do throws(TransportError) {
            event = try parser.finish(cleanly: bytes.tls?.wasClosed ?? true)
        } catch {
            throw .failed(error)
        }
        guard case .end(let trailers) = event else { return .blocked }
        return .end(trailers: trailers)
    }

    // MARK: Parsing

    /// Returns the first event of `input`. Content is joined up to the end of the input or of the response. The buffer
    /// returns to its pool, or becomes the content.
    private func parse(_ input: Input, _ demand: Demand) throws(StreamFailure) -> MessageEvent {
        let buffer = input.buffer
        var position = input.position
        var content: Range<Int>?
        do throws(TransportError) {
            while true {
                let read = UnsafeRawBufferPointer(rebasing: buffer.bytes[..<input.count])
                switch try parser.next(in: read.bytes, from: &position) {
                case .needsMore:
                    return take(content, of: buffer) ?? .progress
                case .informational(let head):
                    keepRest(of: input, from: position)
                    return .informational(head)
                case .head(let head, let byteCount, let framing):
                    self.input = Input(buffer: buffer, count: input.count, position: position)
                    return .head(
                        MessageHead(
                            shared: head,
                            byteCount: byteCount,
                            content: MessageContent(framing),
                            version: parser.minorVersion == 0 ? .http1_0 : .http1_1
                        )
                    )
                case .body(let range):
                    content = Self.join(content, range, in: buffer)
                case .end(let trailers):
                    surplus = input.count - position
                    guard let event = take(content, of: buffer) else { return .end(trailers: trailers) }
                    following = .end(trailers: trailers)
                    return event
                }
            }
        } catch {
            // Content before the violation is delivered first.
            guard let event = take(content, of: buffer) else {
                guard demand == .more else {
                    following = .failure(error)
                    return .blocked
                }
                throw .failed(error)
            }
            following = .failure(error)
            return event
        }
    }

    /// Keeps the bytes after an informational response, or returns the buffer to its pool. To parse no bytes would be
    /// ``MessageEvent/progress``, though no part of the next head has arrived.
    private func keepRest(of input: Input, from position: Int) {
        guard position < input.count else { return buffers.give(input.buffer) }
        self.input = Input(buffer: input.buffer, count: input.count, position: position)
    }

    /// Moves `range` next to the content before it, overwriting the chunk framing in between.
    private static func join(_ content: Range<Int>?, _ range: Range<Int>, in buffer: Buffer) -> Range<Int> {
        guard let content else { return range }
        if content.upperBound != range.lowerBound, let base = buffer.bytes.baseAddress {
            (base + content.upperBound).copyMemory(from: base + range.lowerBound, byteCount: range.count)
        }
        return content.lowerBound..<content.upperBound + range.count
    }

    private func take(_ content: Range<Int>?, of buffer: Buffer) -> MessageEvent? {
        guard let content, !content.isEmpty else {
            buffers.give(buffer)
            return nil
        }
        return .content(buffers.data(content, of: buffer))
    }
}

extension MessageContent {
    fileprivate init(_ framing: HTTP1Framing) {
        self =
            switch framing {
            case .none: .none
            case .length(let length): .length(length)
            case .chunked, .untilClose: .unknown
            case .tunnel: .tunnel
            }
    }
}
