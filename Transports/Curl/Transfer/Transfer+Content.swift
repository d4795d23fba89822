internal import AirframeTransport
internal import CCurl

// The content of a response. libcurl finds its end and hands it over raw: its own decoder of chunks is lenient.

extension Transfer {
    /// Bytes came that libcurl takes for content. How many were taken, or that the transfer is to pause.
    func readBody(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
        guard !isDiscarding else { return bytes.count }
        guard stage == .body else { return readMisplacedHead(bytes) ? bytes.count : 0 }
        let limit = engine.configuration.bodyBufferSize
        if decoder == nil, misplacedHead == nil {
            if takePlain(bytes, limit: limit) { return bytes.count }
        } else if hasRoom(limit) {
            return takeContent(bytes) ? bytes.count : 0
        }
        // On HTTP/2, libcurl 7.88 keeps what still comes, up to the stream's window of 32 MiB, and its other streams
        // go on.
        isPaused = true
        return Int(airframe_writefunc_pause)
    }

    /// Whether the reader is not far behind. If it is, it asks the loop to continue.
    private func hasRoom(_ limit: Int) -> Bool {
        exchange.append(UnsafeBufferPointer(start: nil, count: 0), limit: limit, expected: nil)
    }

    /// Takes bytes of the content. `false` ends the transfer: the framing is broken, or the response is whole and
    /// libcurl does not know.
    func takeContent(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        do throws(HeadParser.Failure) {
            if decoder == nil { _ = takePlain(bytes, limit: .max) } else { try takeChunks(bytes) }
        } catch {
            failure = responseError(error)
            return false
        }
        isAnswered = isAnswered || (mustEndContent && isContentComplete)
        return !isAnswered
    }

    /// Takes bytes of content that is not chunked, or refuses them when the reader is `limit` bytes behind.
    private func takePlain(_ bytes: UnsafeBufferPointer<UInt8>, limit: Int) -> Bool {
        let expected = expectedLength.map { $0 - receivedCount }
        let count = min(bytes.count, Int(clamping: max(0, expected ?? .max)))
        let content = UnsafeBufferPointer(rebasing: bytes[..<count])
        guard exchange.append(content, limit: limit, expected: expected) else { return false }
        note(received: count)
        return true
    }

    private func takeChunks(_ bytes: UnsafeBufferPointer<UInt8>) throws(HeadParser.Failure) {
        var position = 0
        var count = 0
        while let part = try decoder?.next(in: bytes, from: &position) {
            switch part {
            case .content(let content):
                _ = exchange.append(content, limit: .max, expected: nil)
                count += content.count
            case .trailerLine(let line):
                _ = try line.withUnsafeBufferPointer { line throws(HeadParser.Failure) in try parser.read(line) }
            case .end:
                break
            }
        }
        // The response stands, but the connection cannot be used again (RFC 9112 §9.2).
        if position < bytes.count { forbidReuse() }
        note(received: count)
    }

    private func note(received count: Int) {
        receivedCount += Int64(count)
        noteActivity()
        if count > 0 { emit(.responseBodyReceived(byteCount: Int64(count), total: receivedCount)) }
        engine.markDirty(self)
    }

    /// Whether all of the content has come, as far as its framing says where it ends.
    private var isContentComplete: Bool {
        if let decoder { return decoder.isComplete }
        return expectedLength.map { receivedCount >= $0 } ?? false
    }

    /// Whether libcurl would wait for the end of the connection: it has framed the response in another way.
    private var mustEndContent: Bool { misplacedHead != nil || parser.hasFoldedCoding }

    // MARK: The connection

    /// Has libcurl close the connection after the response.
    func forbidReuse() {
        easy.set(CURLOPT_FORBID_REUSE, true)
        mustReset = true
    }

    /// Has libcurl report bytes that follow a response without content, which it would drop in silence.
    ///
    /// It says so in a message of its verbose log and nowhere else.
    func listenForSurplus() {
        easy.set(CURLOPT_VERBOSE, true)
        isListening = true
    }

    /// libcurl has something to say.
    func noteMessage(_ text: UnsafeBufferPointer<UInt8>) {
        if text.starts(with: "Excess found".utf8) { forbidReuse() }
    }
}
