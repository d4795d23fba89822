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
        guard !hasFailed else { return }
        budget.refill(at: now)
        receivedAt = now
        inputEnd = bytes.baseAddress.map { $0 + bytes.count }
        defer { inputEnd = nil }
        var (position, offset) = (0, 0)
        while position < bytes.count, !hasFailed {
            let part = scan(bytes, from: position, &offset)
            process(bytes, position..<part.end)
            position = part.end
            switch part.next {
            case _ where hasFailed: break
            case .anything: break
            case .section(let section):
                processSection(bytes, section)
                position = section.upperBound
            case .unexamined:
                payOwed()
                headMemory.forgetBlock()
            case .part:
                payOwed()
                process(bytes, position..<bytes.count)
                position = bytes.count
            // libnghttp2 reports a connection error by the GOAWAY that it sends. An error in earlier frames has
            // precedence.
            case .violation(let violation):
                frameOutput()
                terminate(violation)
            }
        }
        frameOutput()
        guard output.controlCount > Self.controlCapacity, !hasFailed else { return }
        terminate(.flood("the server sends frames that must be answered, and does not read the answers"))
        frameOutput()
    }

    /// The maximum number of bytes of control frames that wait for a server that does not read. libnghttp2's own limit
    /// counts only frames that have not been framed.
    private static let controlCapacity = 1 << 20

    /// Ends the session because of a violation that libnghttp2 does not see, and queues a GOAWAY that names its code
    /// (RFC 9113 §5.4.1).
    private func terminate(_ violation: HTTP2Failure) {
        guard !hasFailed else { return }
        // Before the GOAWAY is framed, which would otherwise be reported as an error of libnghttp2's own.
        fail(violation)
        nghttp2_session_terminate_session(handle, violation.wireCode.rawValue)
    }

    private func process(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) {
        guard !range.isEmpty else { return }
        let part = UnsafeRawBufferPointer(rebasing: bytes[range])
        let count = nghttp2_session_mem_recv(handle, part.bindMemory(to: UInt8.self).baseAddress, part.count)
        if count < 0, !hasFailed { fail(Self.failure(of: Int32(count))) }
    }

    /// Frames that ``scan(_:from:_:)`` has charged to the budget.
    private struct Scanned {
        /// The offset after the last frame.
        var end: Int
        var next = Next.anything

        /// What follows these frames.
        enum Next {
            case anything
            /// A frame that is a whole field section.
            case section(Range<Int>)
            /// A field section whose bytes are not examined, and may change the dynamic table.
            case unexamined
            /// A part of a frame header, before which libnghttp2 must decode the owed blocks.
            case part
            case violation(HTTP2Failure)
        }
    }

    /// Charges a batch of frames to the budget, before libnghttp2 processes them and their content earns tokens back.
    ///
    /// - Parameters:
    ///   - start: The start of the bytes that have not been processed.
    ///   - offset: The end of the bytes that have been scanned.
    private func scan(_ bytes: UnsafeRawBufferPointer, from start: Int, _ offset: inout Int) -> Scanned {
        for _ in 0..<budget.batchSize {
            guard let head = scanner.next(in: bytes, from: &offset) else {
                let end = bytes.count - scanner.partialCount
                return headMemory.owedCount > 0 && end >= start && end < bytes.count
                    ? Scanned(end: end, next: .part) : Scanned(end: bytes.count)
            }
            let isLate = budget.expectsLateContent && streams[head.stream] == nil && spendLate(head)
            do throws(HTTP2Failure) {
                try check(head, isLate: isLate)
            } catch {
                // The header's nine bytes may have begun in an earlier read.
                return Scanned(end: max(start, offset - 9), next: .violation(error))
            }
            guard head.type == UInt8(NGHTTP2_HEADERS.rawValue) else { continue }
            guard let section = section(head, in: bytes, from: start, to: offset) else {
                // If the header began in an earlier read, nothing is owed.
                return Scanned(end: max(start, offset - 9), next: .unexamined)
            }
            scanner.skipPayload()
            offset = section.upperBound
            return Scanned(end: section.lowerBound, next: .section(section))
        }
        // With its payload: the content of the last frame also pays for the next batch.
        scanner.finishFrame(in: bytes, from: &offset)
        return Scanned(end: offset)
    }

    /// Charges a frame of a closed stream. Returns whether the server may have sent it before it received the reset.
    private func spendLate(_ head: HTTP2FrameScanner.Head) -> Bool {
        switch Int(head.type) {
        case Int(NGHTTP2_DATA.rawValue) where head.length > 0: budget.spendLateContent(head.length)
        case Int(NGHTTP2_DATA.rawValue), Int(NGHTTP2_HEADERS.rawValue): budget.spendLateEnd()
        default: false
        }
    }

    // MARK: Field sections

    /// Returns the range of a HEADERS frame that is a whole field section without padding or a priority.
    ///
    /// - Parameters:
    ///   - start: The start of the bytes that have not been processed.
    ///   - offset: The end of the frame header.
    private func section(
        _ head: HTTP2FrameScanner.Head,
        in bytes: UnsafeRawBufferPointer,
        from start: Int,
        to offset: Int
    ) -> Range<Int>? {
        guard offset - 9 >= start, head.length <= bytes.count - offset else { return nil }
        let flags = Int(bytes[offset - 5])
        let others = Int(NGHTTP2_FLAG_PADDED.rawValue | NGHTTP2_FLAG_PRIORITY.rawValue)
        guard flags & Int(NGHTTP2_FLAG_END_HEADERS.rawValue) != 0, flags & others == 0 else { return nil }
        return offset - 9..<offset + head.length
    }

    /// Processes a HEADERS frame. If it has the same bytes as the remembered head, libnghttp2 receives the frame
    /// without them: it counts the stream's state, and has nothing to decode.
    private func processSection(_ bytes: UnsafeRawBufferPointer, _ frame: Range<Int>) {
        let block = UnsafeRawBufferPointer(rebasing: bytes[(frame.lowerBound + 9)..<frame.upperBound])
        let id = bytes.loadUnaligned(fromByteOffset: frame.lowerBound + 5, as: UInt32.self).bigEndian
        guard headMemory.matches(block), streams[Int32(truncatingIfNeeded: id & 0x7FFF_FFFF)]?.awaitsHead == true
        else {
            payOwed()
            process(bytes, frame)
            return headMemory.keep(block, mayOwe: closedID != nil)
        }
        matchedLength = block.count
        defer { matchedLength = nil }
        withUnsafeTemporaryAllocation(byteCount: 9, alignment: 8) { empty in
            empty.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[frame.lowerBound..<frame.lowerBound + 9]))
            for index in 0..<3 { empty[index] = 0 }
            process(UnsafeRawBufferPointer(empty), 0..<9)
        }
    }

    /// Has libnghttp2 decode the blocks that it was not given, so that its dynamic table is the server's. It decodes
    /// the fields of a closed stream and reports none of them (RFC 9113 §4.3).
    private func payOwed() {
        guard headMemory.owedCount > 0, let closedID else { return }
        let (block, count) = (headMemory.block, headMemory.owedCount)
        headMemory.settle()
        var frame: [UInt8] = []
        for shift in [16, 8, 0] { frame.append(UInt8(truncatingIfNeeded: block.count >> shift)) }
        frame.append(UInt8(NGHTTP2_HEADERS.rawValue))
        frame.append(UInt8(NGHTTP2_FLAG_END_HEADERS.rawValue))
        withUnsafeBytes(of: closedID.bigEndian) { frame.append(contentsOf: $0) }
        frame += block
        frame.withUnsafeBytes { frame in
            for _ in 0..<count where !hasFailed { process(frame, 0..<frame.count) }
        }
    }

    private func check(_ head: HTTP2FrameScanner.Head, isLate: Bool) throws(HTTP2Failure) {
        guard isLate || budget.spend() else {
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

    /// Ends the session because the connection has ended or broken.
    ///
    /// - Parameter words: The error message of the layer beneath; `nil` for an orderly end.
    package func finish(_ words: String? = nil) {
        guard let words else { return finishAtEnd("the server closed the connection") }
        fail(.lost(words, after: goAwayCode))
    }

    /// Ends the session because the server has ended the connection.
    ///
    /// - Parameter words: How it ended.
    package func finishAtEnd(_ words: String) {
        var failure = HTTP2Failure.lost(words, after: goAwayCode)
        failure.isEnd = goAwayCode == nil || goAwayCode == .noError
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
                if count < 0, !hasFailed { fail(Self.failure(of: Int32(count))) }
                return
            }
            frame(UnsafeBufferPointer(start: bytes, count: count))
        }
    }

    /// Appends a frame of libnghttp2's to the output. Its HEADERS frames have no fields.
    private func frame(_ frame: UnsafeBufferPointer<UInt8>) {
        guard frame.count >= 9 else { return output.append(frame) }
        switch Int(frame[3]) {
        case Int(NGHTTP2_HEADERS.rawValue): break
        case Int(NGHTTP2_DATA.rawValue): return output.append(frame)
        default: return output.appendControl(frame)
        }
        let id = UnsafeRawBufferPointer(frame).loadUnaligned(fromByteOffset: 5, as: UInt32.self).bigEndian
        guard let stream = streams[Int32(truncatingIfNeeded: id)], let section = stream.section.take() else { return }
        stream.isHeadFramed = true
        if !compressor.append(section, frame, to: &output) {
            fail(HTTP2Failure(.engineFailure, "libnghttp2 is out of memory"))
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
            stream.section = HTTP2RequestSection(HTTP2RequestFields(trailers: trailers), stream.kind)
            let code = nghttp2_submit_trailer(handle, id, nil, 0)
            guard code == 0 else {
                // libnghttp2 then resets the stream. The server has violated nothing.
                stream.fail(Self.failure(of: code))
                return ssize_t(NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue)
            }
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
        budget.earn(sentContentOf: length)
        if stream.outgoing.isWriterWaiting {
            stream.outgoing.isWriterWaiting = false
            signal(stream)
        }
        return 0
    }
}
