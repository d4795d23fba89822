internal import AirframeTransport
internal import CCurl

// The content of a response. libcurl finds its end and hands it over undecoded, because its chunk decoder is lenient.

extension Transfer {
    /// Reads bytes that libcurl takes for content. Returns how many were taken, or the request to pause the transfer.
    func readBody(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
        guard !isDiscarding else { return bytes.count }
        if heldChallenge != nil, !releaseChallenge() { return 0 }
        guard stage == .body else { return readMisplacedHead(bytes) ? bytes.count : 0 }
        let limit = max(1, engine.configuration.bodyBufferSize)
        if decoder == nil, misplacedHead == nil {
            if takePlain(bytes, limit: limit) { return bytes.count }
        } else if hasRoom(limit) {
            return takeContent(bytes) ? bytes.count : 0
        }
        // Over HTTP/2, libcurl 7.88 keeps what still arrives, up to the stream's window of 32 MiB, and other streams
        // continue.
        isPaused = true
        return Int(airframe_writefunc_pause)
    }

    /// Whether the buffer has room. If it has none, the reader will ask the loop to continue.
    private func hasRoom(_ limit: Int) -> Bool {
        exchange.append(UnsafeBufferPointer(start: nil, count: 0), limit: limit, expected: nil)
    }

    /// Takes bytes of the content. Returns `false` to end the transfer: the framing is malformed, or the response is
    /// complete and libcurl does not notice.
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

    /// Takes bytes of content that is not chunked, or refuses them if `limit` bytes wait for the reader.
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
        // The response is valid, but the connection cannot be reused (RFC 9112 §9.2).
        if position < bytes.count { forbidReuse() }
        note(received: count)
    }

    private func note(received count: Int) {
        receivedCount += Int64(count)
        restartReadIdle()
        if count > 0 { emit(.responseBodyReceived(byteCount: Int64(count), total: receivedCount)) }
        engine.markDirty(self)
    }

    /// Whether all of the content has arrived, as far as its framing says where it ends.
    private var isContentComplete: Bool {
        if let decoder { return decoder.isComplete }
        return expectedLength.map { receivedCount >= $0 } ?? false
    }

    /// Whether libcurl would wait for the end of the connection, because it frames the response in another way.
    private var mustEndContent: Bool { misplacedHead != nil || parser.hasFoldedCoding }

    // MARK: The connection

    /// Has libcurl close the connection after the response.
    func forbidReuse() {
        easy.set(CURLOPT_FORBID_REUSE, true)
        mustReset = true
    }

    /// Has libcurl report bytes that follow a response without content. It drops them, and mentions them in its verbose
    /// log only.
    func listenForSurplus() {
        easy.set(CURLOPT_VERBOSE, true)
        isListening = true
    }

    /// Reads a message of libcurl's verbose log.
    func noteMessage(_ text: UnsafeBufferPointer<UInt8>) {
        if text.starts(with: "Excess found".utf8) { forbidReuse() }
        noteSecurityMessage(text)
    }
}
