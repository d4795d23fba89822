internal import AirframeTransport
internal import CNGHTTP2

/// Handles libnghttp2's callbacks while it processes received bytes.
extension HTTP2Session {
    private static let failed = Int32(NGHTTP2_ERR_CALLBACK_FAILURE.rawValue)

    /// Handles the start of a frame. libnghttp2 does not report frames that it ignores.
    func didBeginFrame(_ type: UInt8, length: Int) {
        switch Int(type) {
        case Int(NGHTTP2_HEADERS.rawValue):
            section = HTTP2FieldSection()
            if let matchedLength {
                section.addFrame(ofLength: matchedLength)
                headMemory.beginMatch()
            } else {
                section.addFrame(ofLength: length)
                headMemory.begin()
            }
        case Int(NGHTTP2_CONTINUATION.rawValue):
            section.addFrame(ofLength: length)
        default: break
        }
    }

    /// Handles a decoded field of the current section.
    func didReceiveField(_ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>) {
        if headMemory.isRecalling {
            if headMemory.recall(name, value) { return }
            headMemory.stopRecalling(&section)
        }
        section.add(name, value, limits)
        headMemory.record(name, value)
    }

    /// Handles received content.
    func didReceiveContent(_ bytes: UnsafeBufferPointer<UInt8>, stream id: Int32) {
        // The windows of the streams bound the content that is held. If the connection's credit waited for the reader,
        // readers that do not pull could use it up and stop the other streams.
        nghttp2_session_consume_connection(handle, bytes.count)
        // Otherwise this side has reset the stream, and the server has not seen that yet.
        guard let stream = streams[id] else { return }
        budget.earn(contentOf: bytes.count)
        do throws(HTTP2Failure) {
            try stream.accept(bytes, remaining: remainingCount(from: bytes))
        } catch {
            return fail(stream, error)
        }
        signal(stream)
        let isDue = windows.count(bytes.count, at: receivedAt)
        // The window does not limit small responses.
        guard isDue, stream.receivedCount >= limits.streamWindow / 4 else { return }
        windows.beginProbe(ping(), at: receivedAt)
    }

    /// A frame of this size or above indicates that more frames of its stream arrive with it.
    private static let frameOfLargeContent = 8 << 10

    /// Returns how many bytes of the current read, from `bytes` on, are likely to be content of the same stream.
    ///
    /// The read's first frame has often begun in the read before, so that its size indicates nothing.
    private func remainingCount(from bytes: UnsafeBufferPointer<UInt8>) -> Int {
        guard streams.count == 1 || bytes.count >= Self.frameOfLargeContent, let inputEnd, let start = bytes.baseAddress
        else { return bytes.count }
        return inputEnd - UnsafeRawPointer(start)
    }

    /// Handles a complete frame; for HEADERS, together with its CONTINUATION frames.
    func didReceiveFrame(_ frame: UnsafePointer<nghttp2_frame>) -> Int32 {
        let id = airframe_h2_stream(frame)
        let flags = airframe_h2_flags(frame)
        switch Int(airframe_h2_type(frame)) {
        case Int(NGHTTP2_HEADERS.rawValue):
            didReceiveSection(stream: id, endsStream: flags & UInt8(NGHTTP2_FLAG_END_STREAM.rawValue) != 0)
        case Int(NGHTTP2_DATA.rawValue):
            guard flags & UInt8(NGHTTP2_FLAG_END_STREAM.rawValue) != 0, let stream = streams[id] else { break }
            end(stream)
        case Int(NGHTTP2_RST_STREAM.rawValue):
            guard let stream = streams[id] else { break }
            didReceiveReset(HTTP2ErrorCode(rawValue: frame.pointee.rst_stream.error_code), stream)
        case Int(NGHTTP2_SETTINGS.rawValue):
            if flags & UInt8(NGHTTP2_FLAG_ACK.rawValue) == 0 { didReceiveSettings(frame.pointee.settings) }
        case Int(NGHTTP2_PING.rawValue):
            guard flags & UInt8(NGHTTP2_FLAG_ACK.rawValue) != 0 else { break }
            didReceivePing(frame.pointee.ping.opaque_data)
        case Int(NGHTTP2_GOAWAY.rawValue):
            // libnghttp2 then closes the streams above the GOAWAY's last one, whose failures name this code.
            goAwayCode = HTTP2ErrorCode(rawValue: frame.pointee.goaway.error_code)
            excludeQueued()
        case Int(NGHTTP2_ORIGIN.rawValue):
            didReceiveOrigins(frame.pointee.ext)
        default: break
        }
        return hasFailed ? Self.failed : 0
    }

    private func didReceiveSettings(_ settings: nghttp2_settings) {
        hasSettings = true
        // Of several sizes in one frame, libnghttp2 reports the smallest and the last. Both matter: the smallest has
        // evicted fields of the server's table (RFC 7541 §4.2).
        for entry in UnsafeBufferPointer(start: settings.iv, count: settings.niv)
        where entry.settings_id == Int32(NGHTTP2_SETTINGS_HEADER_TABLE_SIZE.rawValue) {
            compressor.setTableSize(entry.value)
        }
    }

    /// Handles an ORIGIN frame, which extends the origin set (RFC 8336 §2).
    private func didReceiveOrigins(_ frame: nghttp2_extension) {
        guard let payload = frame.payload?.assumingMemoryBound(to: nghttp2_ext_origin.self).pointee else { return }
        var origins = originSet ?? HTTP2OriginSet()
        for entry in UnsafeBufferPointer(start: payload.ov, count: payload.nov) {
            origins.insert(UnsafeBufferPointer(start: entry.origin, count: entry.origin_len))
        }
        originSet = origins
    }

    private func didReceiveSection(stream id: Int32, endsStream: Bool) {
        guard let stream = streams[id] else { return }
        budget.earnHead()
        do throws(HTTP2Failure) {
            if let (head, contentLength) = headMemory.takeRecalled() {
                try stream.accept(
                    remembered: head, contentLength, byteCount: section.compressedSize, endsStream: endsStream, limits)
            } else {
                headMemory.stopRecalling(&section)
                section.finish()
                try stream.accept(section, endsStream: endsStream, limits)
                if let head = section.head {
                    let length = section.contentLength
                    headMemory.keep(.init(response: head.head, contentLength: length, shared: head))
                }
                section = HTTP2FieldSection()
            }
        } catch {
            return fail(stream, error)
        }
        signal(stream)
    }

    private func end(_ stream: HTTP2StreamState) {
        do throws(HTTP2Failure) { try stream.acceptEnd() } catch { return fail(stream, error) }
        signal(stream)
    }

    private func didReceiveReset(_ code: HTTP2ErrorCode, _ stream: HTTP2StreamState) {
        stream.outgoing.discard()
        if code == .refusedStream, !stream.hasBegun, !isExcess(stream) { hasRefused = true }
        // RFC 9113 §8.1: after a complete response the server may reset the stream to stop the request.
        stream.fail(.reset(code))
        signal(stream)
    }

    /// Whether a stream was opened before the server's SETTINGS, and is one more than they allow. The others of that
    /// time are no reason to leave the connection.
    private func isExcess(_ stream: HTTP2StreamState) -> Bool {
        let limit = nghttp2_session_get_remote_settings(handle, NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS)
        return hasSettings && limit > 0 && stream.openCount > limit
    }

    private func didReceivePing(_ data: (UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8)) {
        let number = withUnsafeBytes(of: data) { UInt64(bigEndian: $0.loadUnaligned(as: UInt64.self)) }
        // Ignore a number that was never sent.
        guard number <= sentPing else { return }
        acknowledgedPing = max(acknowledgedPing, number)
        windows.endProbe(number)
    }

    // MARK: Ends

    /// Handles the end of a stream: both sides have ended it, or one has reset it.
    func didCloseStream(_ id: Int32, _ code: HTTP2ErrorCode) {
        guard let stream = streams[id] else { return }
        closedID = id
        forget(stream)
        stream.outgoing.discard()
        if stream.isComplete {
            stream.isClosed = true
        } else if let goAwayCode, code == .refusedStream {
            stream.fail(.excluded(by: goAwayCode))
        } else {
            // Has no effect after a received RST_STREAM, which has already failed the stream.
            stream.fail(.streamViolation(code))
        }
        signal(stream)
    }

    /// Handles a frame that violates a rule for its stream or for the connection.
    func didReceiveInvalidFrame(_ type: UInt8, stream id: Int32, _ code: Int32) {
        let name = HTTP2FrameNames.name(type)
        let message = "the server sent an invalid \(name) frame: \(HTTP2Library.text(code))"
        let failure = HTTP2Failure.violation(message, HTTP2Library.section(ofFrame: type))
        guard let stream = streams[id] else { return }
        stream.outgoing.discard()
        stream.fail(failure)
        signal(stream)
    }

    /// Handles a sent frame. libnghttp2 reports a connection error by the GOAWAY that it sends.
    func didSendFrame(_ frame: UnsafePointer<nghttp2_frame>) {
        guard Int(airframe_h2_type(frame)) == Int(NGHTTP2_GOAWAY.rawValue) else { return }
        let goAway = frame.pointee.goaway
        let code = HTTP2ErrorCode(rawValue: goAway.error_code)
        guard code != .noError, !hasFailed else { return }
        let words = String(
            decoding: UnsafeBufferPointer(start: goAway.opaque_data, count: goAway.opaque_data_len), as: UTF8.self)
        let reason = words.isEmpty ? code.description : "\(code), \(words)"
        fail(
            .violation(
                "the server violated the protocol: \(reason)", HTTP2Library.section(words, code), wireCode: code)
        )
    }

    /// Handles a frame that could not be sent: its stream is closed, or the server has sent GOAWAY.
    func didDropFrame(_ type: UInt8, stream id: Int32) {
        guard Int(type) == Int(NGHTTP2_HEADERS.rawValue), let stream = streams[id], !stream.isHeadFramed else { return }
        exclude(stream)
    }

    /// Fails the requests that libnghttp2 still has queued because the server allows no more streams. After a GOAWAY it
    /// never sends them, but drops each of them only once another stream has ended.
    private func excludeQueued() {
        for stream in streams.streams where !stream.isHeadFramed { exclude(stream) }
    }

    /// Fails a stream whose request can no longer be sent because of the server's GOAWAY (RFC 9113 §6.8).
    private func exclude(_ stream: HTTP2StreamState) {
        forget(stream)
        stream.outgoing.discard()
        stream.fail(.excluded(by: goAwayCode ?? .noError))
        signal(stream)
    }

    /// Resets a stream whose response violates a rule (RFC 9113 §8.1.1).
    private func fail(_ stream: HTTP2StreamState, _ failure: HTTP2Failure) {
        stream.outgoing.discard()
        stream.fail(failure)
        signal(stream)
        guard streams.contains(stream) else { return }
        expectLateContent(of: stream)
        nghttp2_submit_rst_stream(handle, 0, stream.id, failure.wireCode.rawValue)
        forget(stream)
    }

    // MARK: Windows

    /// Enlarges the window of a stream whose rate the window limits.
    func grow(_ stream: HTTP2StreamState) {
        guard let size = windows.growth(from: stream.grantedWindow) else { return }
        guard nghttp2_session_set_local_window_size(handle, 0, stream.id, Int32(size)) == 0 else { return }
        windows.reserve(size, insteadOf: stream.grantedWindow)
        stream.grantedWindow = size
    }
}

/// The names of frames in RFC 9113 §6.
enum HTTP2FrameNames {
    private static let names = [
        "DATA", "HEADERS", "PRIORITY", "RST_STREAM", "SETTINGS", "PUSH_PROMISE", "PING", "GOAWAY", "WINDOW_UPDATE",
        "CONTINUATION",
    ]

    static func name(_ type: UInt8) -> String { Int(type) < names.count ? names[Int(type)] : "unknown" }

    /// Returns the type of the frame whose name `text` starts with.
    static func type(named text: String) -> UInt8? {
        names.firstIndex { text.hasPrefix($0) }.map { UInt8($0) }
    }
}
