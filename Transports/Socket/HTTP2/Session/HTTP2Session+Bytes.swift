internal import AirframeTransport
internal import CNGHTTP2

/// The bytes that a session receives and sends.
extension HTTP2Session {
    /// Processes bytes from the server. After a protocol violation, ``failure`` names it, and all streams have failed.
    ///
    /// - Parameters:
    ///   - bytes: The bytes that were read.
    ///   - now: The monotonic clock, in nanoseconds.
    package func receive(_ bytes: UnsafeRawBufferPointer, at now: Int64) {
        guard failure == nil else { return }
        budget.refill(at: now)
        inputEnd = bytes.baseAddress.map { $0 + bytes.count }
        defer { inputEnd = nil }
        var position = 0
        while position < bytes.count, failure == nil {
            let (end, violation) = scan(bytes, from: position)
            let part = UnsafeRawBufferPointer(rebasing: bytes[position..<end])
            let count = nghttp2_session_mem_recv(handle, part.bindMemory(to: UInt8.self).baseAddress, part.count)
            if count < 0, failure == nil { fail(Self.failure(of: Int32(count))) }
            // libnghttp2 reports a connection error by the GOAWAY that it sends. An error in earlier frames has
            // precedence.
            if let violation {
                frameOutput()
                fail(violation)
            }
            position = end
        }
        frameOutput()
    }

    /// Charges up to 512 frames to the budget, before libnghttp2 processes them and their content earns tokens back.
    ///
    /// - Returns: The offset after the last frame, and the violation in the next.
    private func scan(_ bytes: UnsafeRawBufferPointer, from start: Int) -> (end: Int, violation: HTTP2Failure?) {
        var offset = start
        for _ in 0..<512 {
            guard let head = scanner.next(in: bytes, from: &offset) else { return (bytes.count, nil) }
            do throws(HTTP2Failure) {
                try check(head)
            } catch {
                // The header's nine bytes may have begun in an earlier read.
                return (max(start, offset - 9), error)
            }
        }
        return (offset, nil)
    }

    private func check(_ head: HTTP2FrameScanner.Head) throws(HTTP2Failure) {
        guard budget.spend() else {
            throw .flood("the server floods the connection with frames that make no progress")
        }
        switch Int(head.type) {
        case Int(NGHTTP2_HEADERS.rawValue):
            compressedSize = head.length + 9
        case Int(NGHTTP2_CONTINUATION.rawValue):
            compressedSize += head.length + 9
        case Int(NGHTTP2_PUSH_PROMISE.rawValue):
            // SETTINGS_ENABLE_PUSH is 0 from the first frame on.
            throw .violation("the server pushes, though SETTINGS_ENABLE_PUSH is 0", "RFC 9113 §8.4")
        default: return
        }
        // This ends the connection: skipping the rest would leave the compression state wrong (RFC 9113 §4.3).
        guard compressedSize <= limits.compressedFieldSection else {
            throw .tooLarge("a compressed field section has more than \(limits.compressedFieldSection) bytes")
        }
    }

    private static func failure(of code: Int32) -> HTTP2Failure {
        switch code {
        case Int32(NGHTTP2_ERR_FLOODED.rawValue):
            .flood("the server floods the connection with SETTINGS or PING frames")
        case Int32(NGHTTP2_ERR_NOMEM.rawValue):
            HTTP2Failure(.engineFailure, "libnghttp2 is out of memory")
        case Int32(NGHTTP2_ERR_TOO_MANY_CONTINUATIONS.rawValue):
            .flood("the server sends too many CONTINUATION frames")
        default:
            .violation(HTTP2Library.text(code), "RFC 9113 §5.4.1")
        }
    }

    /// Ends the session because the connection has ended.
    ///
    /// - Parameter words: The error message of the layer beneath; `nil` for an orderly end.
    package func finish(_ words: String? = nil) {
        var failure = HTTP2Failure(.connectionLost, words ?? "the server closed the connection")
        failure.isConnectionLoss = true
        fail(failure)
    }

    /// Whether there are bytes to write.
    package var hasOutput: Bool { output.count > 0 || nghttp2_session_want_write(handle) != 0 }

    /// Calls `body` with the bytes to write, and removes those that `body` has written.
    ///
    /// - Parameter body: Returns the number of bytes written.
    package func write(_ body: (UnsafeRawBufferPointer) -> Int) {
        frameOutput()
        guard output.count > 0 else { return }
        let count = output.withUnsafeBytes(body)
        output.remove(count)
    }

    /// Frames pending output: all control frames, and content while the output has room.
    func frameOutput() {
        while true {
            var bytes: UnsafePointer<UInt8>?
            let count = nghttp2_session_mem_send(handle, &bytes)
            guard count > 0, let bytes else {
                if count < 0, failure == nil { fail(Self.failure(of: Int32(count))) }
                return
            }
            output.append(UnsafeBufferPointer(start: bytes, count: count))
        }
    }

    // MARK: Content of requests

    /// Returns the length of a stream's next DATA frame to libnghttp2.
    static let readCallback: nghttp2_data_source_read_callback = { _, id, _, capacity, flags, _, data in
        guard let data, let flags else { return ssize_t(NGHTTP2_ERR_CALLBACK_FAILURE.rawValue) }
        let session = Unmanaged<HTTP2Session>.fromOpaque(data).takeUnretainedValue()
        return session.nextContent(id, capacity, flags)
    }

    private func nextContent(_ id: Int32, _ capacity: Int, _ flags: UnsafeMutablePointer<UInt32>) -> ssize_t {
        guard let stream = streams[id] else { return ssize_t(NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue) }
        guard output.hasRoom else { return ssize_t(NGHTTP2_ERR_PAUSE.rawValue) }
        let count = min(capacity, stream.outgoing.count)
        // libnghttp2 then calls `sendContent`, and copies no content itself.
        if count > 0 { flags.pointee |= NGHTTP2_DATA_FLAG_NO_COPY.rawValue }
        guard stream.outgoing.count == count else { return count }
        guard case .ended(let trailers) = stream.outgoing.ending else {
            guard count == 0 else { return count }
            stream.outgoing.isDeferred = true
            return ssize_t(NGHTTP2_ERR_DEFERRED.rawValue)
        }
        flags.pointee |= NGHTTP2_DATA_FLAG_EOF.rawValue
        if let trailers, !trailers.isEmpty {
            flags.pointee |= NGHTTP2_DATA_FLAG_NO_END_STREAM.rawValue
            let code = HTTP2RequestFields(trailers: trailers).withFields { fields, count in
                nghttp2_submit_trailer(handle, id, fields, count)
            }
            guard code == 0 else { return ssize_t(NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue) }
        }
        return count
    }

    /// Frames the content whose length ``nextContent(_:_:_:)`` has returned.
    ///
    /// - Parameters:
    ///   - id: The stream.
    ///   - head: The nine bytes of the frame header.
    ///   - length: The length of the content, not 0.
    func sendContent(_ id: Int32, _ head: UnsafeBufferPointer<UInt8>, _ length: Int) -> Int32 {
        guard let stream = streams[id], stream.outgoing.count >= length else {
            return Int32(NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue)
        }
        output.append(head)
        stream.outgoing.move(length, into: &output)
        budget.earn(contentOf: length)
        if stream.outgoing.isWriterWaiting {
            stream.outgoing.isWriterWaiting = false
            signal(stream)
        }
        return 0
    }
}
