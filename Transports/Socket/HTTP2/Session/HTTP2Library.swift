internal import AirframeTransport
internal import CNGHTTP2

/// The callbacks and options that all sessions share.
///
/// `@unchecked Sendable`: both are immutable after creation, libnghttp2 only reads them, and they are never freed.
struct HTTP2Library: @unchecked Sendable {
    /// The library's callbacks into ``HTTP2Session``; `nil` if it was out of memory.
    static let callbacks: HTTP2Library? = HTTP2Library()

    /// The number of streams that may be opened before the server's SETTINGS arrive: the minimum that RFC 9113 §6.5.2
    /// recommends servers to allow.
    static let assumedStreamCount = 100

    let callbacks: OpaquePointer
    let options: OpaquePointer

    private init?() {
        var callbacks: OpaquePointer?
        var options: OpaquePointer?
        guard nghttp2_session_callbacks_new(&callbacks) == 0, let callbacks, nghttp2_option_new(&options) == 0,
            let options
        else { return nil }
        self.callbacks = callbacks
        self.options = options
        // The session returns credit itself, when the caller pulls.
        nghttp2_option_set_no_auto_window_update(options, 1)
        // ``HTTP2FieldSection`` and ``HTTP2StreamState`` check messages, so that errors name the rule. libnghttp2 drops
        // some malformed fields silently.
        nghttp2_option_set_no_http_messaging(options, 1)
        nghttp2_option_set_peer_max_concurrent_streams(options, UInt32(Self.assumedStreamCount))
        nghttp2_option_set_no_closed_streams(options, 1)
        nghttp2_option_set_builtin_recv_extension_type(options, UInt8(NGHTTP2_ORIGIN.rawValue))
        // ``HTTP2FieldSection`` bounds a section by its size: one of 256 KiB has 16 full frames.
        nghttp2_option_set_max_continuations(options, 1_000)
        Self.setReceiving(callbacks)
        Self.setSending(callbacks)
        Self.setEnds(callbacks)
    }

    private static func session(_ data: UnsafeMutableRawPointer?) -> HTTP2Session? {
        data.map { Unmanaged<HTTP2Session>.fromOpaque($0).takeUnretainedValue() }
    }

    private static func setReceiving(_ callbacks: OpaquePointer) {
        nghttp2_session_callbacks_set_on_begin_frame_callback(callbacks) { _, head, data in
            guard let head, let session = HTTP2Library.session(data) else { return 0 }
            let value = head.pointee
            session.didBeginFrame(value.type, length: value.length)
            return 0
        }
        nghttp2_session_callbacks_set_on_header_callback2(callbacks) { _, _, name, value, _, data in
            guard let session = HTTP2Library.session(data) else { return 0 }
            let name = nghttp2_rcbuf_get_buf(name)
            let value = nghttp2_rcbuf_get_buf(value)
            session.didReceiveField(
                UnsafeBufferPointer(start: name.base, count: name.len),
                UnsafeBufferPointer(start: value.base, count: value.len)
            )
            return 0
        }
        nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks) { _, _, stream, bytes, count, data in
            guard let session = HTTP2Library.session(data) else { return 0 }
            session.didReceiveContent(UnsafeBufferPointer(start: bytes, count: count), stream: stream)
            return 0
        }
        nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks) { _, frame, data in
            guard let frame, let session = HTTP2Library.session(data) else { return 0 }
            return session.didReceiveFrame(frame)
        }
    }

    private static func setSending(_ callbacks: OpaquePointer) {
        nghttp2_session_callbacks_set_send_data_callback(callbacks) { _, frame, head, length, _, data in
            guard let frame, let head, let session = HTTP2Library.session(data) else {
                return Int32(NGHTTP2_ERR_CALLBACK_FAILURE.rawValue)
            }
            return session.sendContent(
                airframe_h2_stream(frame), UnsafeBufferPointer(start: head, count: 9), length)
        }
    }

    private static func setEnds(_ callbacks: OpaquePointer) {
        nghttp2_session_callbacks_set_on_stream_close_callback(callbacks) { _, stream, code, data in
            HTTP2Library.session(data)?.didCloseStream(stream, HTTP2ErrorCode(rawValue: code))
            return 0
        }
        nghttp2_session_callbacks_set_on_invalid_frame_recv_callback(callbacks) { _, frame, code, data in
            guard let frame, let session = HTTP2Library.session(data) else { return 0 }
            session.didReceiveInvalidFrame(airframe_h2_type(frame), stream: airframe_h2_stream(frame), code)
            return 0
        }
        nghttp2_session_callbacks_set_on_frame_send_callback(callbacks) { _, frame, data in
            guard let frame, let session = HTTP2Library.session(data) else { return 0 }
            session.didSendFrame(frame)
            return 0
        }
        nghttp2_session_callbacks_set_on_frame_not_send_callback(callbacks) { _, frame, _, data in
            guard let frame, let session = HTTP2Library.session(data) else { return 0 }
            session.didDropFrame(airframe_h2_type(frame), stream: airframe_h2_stream(frame))
            return 0
        }
    }

    /// Returns libnghttp2's message for an error code.
    static func text(_ code: Int32) -> String { nghttp2_strerror(code).map { String(cString: $0) } ?? "error \(code)" }

    /// Returns the section of RFC 9113 that defines frames of `type`.
    static func section(ofFrame type: UInt8) -> String {
        // DATA is 6.1; the others follow in the order of their types.
        type <= 9 ? "RFC 9113 §6.\(type + 1)" : "RFC 9113 §4.1"
    }

    /// Returns the RFC section of a connection error, derived from libnghttp2's message, such as "SETTINGS: too large".
    static func section(_ reason: String, _ code: HTTP2ErrorCode) -> String {
        switch code {
        case .frameSizeError: return "RFC 9113 §4.2"
        case .compressionError: return "RFC 9113 §4.3"
        default: break
        }
        guard let type = HTTP2FrameNames.type(named: reason) else { return "RFC 9113 §5.4.1" }
        return section(ofFrame: type)
    }
}
