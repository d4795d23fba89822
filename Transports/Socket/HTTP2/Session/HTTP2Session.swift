package import AirframeTransport
internal import CNGHTTP2
package import HTTPTypes

/// The client's side of an HTTP/2 connection (RFC 9113), without I/O: bytes in, bytes out.
///
/// libnghttp2 frames and compresses. This type checks messages, limits frames that make no progress, and returns the
/// credit of a stream only for content that has been pulled. A class, because libnghttp2 calls back with its address.
///
/// `@unchecked Sendable`: one task or thread at a time may use the session and its streams. ``HTTP2Connection`` guards
/// both with its lock.
package final class HTTP2Session: @unchecked Sendable {
    /// The pointer to libnghttp2's session. Valid for the life of this object.
    let handle: OpaquePointer
    let limits: HTTP2Limits
    // Only the owner of the session uses it, so that accesses cannot overlap.
    @exclusivity(unchecked) var streams = HTTP2StreamTable()
    @exclusivity(unchecked) var windows: HTTP2Windows
    @exclusivity(unchecked) var budget = HTTP2FrameBudget()
    @exclusivity(unchecked) var scanner = HTTP2FrameScanner()
    /// The size of the last field section's frames that have been scanned so far.
    @exclusivity(unchecked) var compressedSize = 0
    /// The field section that is being received, and its stream.
    @exclusivity(unchecked) var section = HTTP2FieldSection()
    @exclusivity(unchecked) var headMemory: HTTP2HeadMemory
    /// The length of the section that libnghttp2 is not given, because it is the remembered head.
    @exclusivity(unchecked) var matchedLength: Int?
    /// A stream that has ended.
    @exclusivity(unchecked) var closedID: Int32?
    @exclusivity(unchecked) var compressor: HTTP2FieldCompressor
    /// The failure that ended all streams; `nil` while the session is alive.
    @exclusivity(unchecked) package private(set) var failure: HTTP2Failure?
    /// Whether there is a ``failure``, which a comparison with `nil` would copy, 150 instructions.
    @exclusivity(unchecked) package private(set) var hasFailed = false
    /// The error code of the server's GOAWAY; `nil` if it has sent none.
    @exclusivity(unchecked) package internal(set) var goAwayCode: HTTP2ErrorCode?
    /// Whether the server has refused a stream that its SETTINGS allow: it is shutting down or full, so that new
    /// streams need another connection.
    @exclusivity(unchecked) var hasRefused = false
    /// The server's origin set (RFC 8336 §2.3); `nil` if it has sent none.
    var originSet: HTTP2OriginSet?
    /// Whether the server's first SETTINGS has been received.
    @exclusivity(unchecked) package internal(set) var hasSettings = false
    /// Streams with events for their reader or writer.
    @exclusivity(unchecked) var signalled: [HTTP2StreamState] = []
    /// The number of the last PING that the server has acknowledged.
    @exclusivity(unchecked) package internal(set) var acknowledgedPing: UInt64 = 0
    @exclusivity(unchecked) var sentPing: UInt64 = 0
    /// When the last bytes were received, by the monotonic clock in nanoseconds.
    @exclusivity(unchecked) var receivedAt: Int64 = 0
    /// The end of the bytes that are being processed; `nil` if there are none.
    @exclusivity(unchecked) var inputEnd: UnsafeRawPointer?
    /// Framed bytes that have not been written.
    @exclusivity(unchecked) var output = HTTP2Output()

    /// Creates a session. Its first output is the client's preface and SETTINGS.
    ///
    /// - Throws: ``TransportError/Code/engineFailure`` if libnghttp2 is out of memory.
    package init(_ limits: HTTP2Limits = HTTP2Limits()) throws(HTTP2Failure) {
        self.limits = limits
        windows = HTTP2Windows(limits)
        headMemory = HTTP2HeadMemory(limits)
        guard let library = HTTP2Library.callbacks, let compressor = HTTP2FieldCompressor() else {
            throw Self.outOfMemory
        }
        self.compressor = compressor
        var handle: OpaquePointer?
        guard nghttp2_session_client_new2(&handle, library.callbacks, nil, library.options) == 0, let handle else {
            throw Self.outOfMemory
        }
        self.handle = handle
        nghttp2_session_set_user_data(handle, Unmanaged.passUnretained(self).toOpaque())
        try submitSettings()
    }

    deinit { nghttp2_session_del(handle) }

    private static let outOfMemory = HTTP2Failure(.engineFailure, "libnghttp2 is out of memory")

    private func submitSettings() throws(HTTP2Failure) {
        let settings = [
            nghttp2_settings_entry(settings_id: Int32(NGHTTP2_SETTINGS_ENABLE_PUSH.rawValue), value: 0),
            nghttp2_settings_entry(
                settings_id: Int32(NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE.rawValue), value: UInt32(limits.streamWindow)),
            nghttp2_settings_entry(
                settings_id: Int32(NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE.rawValue), value: UInt32(limits.fieldSection)),
        ]
        // Without SETTINGS_NO_RFC7540_PRIORITIES (RFC 9218 §2.1): with it, libnghttp2 1.52 frames only the content of
        // the stream with the lowest identifier while that stream has content and room.
        // Twice the windows of all streams: libnghttp2 returns the connection's credit once content for half of it has
        // arrived, and the other half then covers all content under way.
        guard nghttp2_submit_settings(handle, 0, settings, settings.count) == 0,
            nghttp2_session_set_local_window_size(handle, 0, 0, Int32(2 * limits.connectionWindow)) == 0
        else { throw Self.outOfMemory }
    }

    // MARK: State

    /// The maximum number of concurrent streams; 0 if no new ones are possible.
    package var capacity: Int { isRetired ? 0 : streamLimit }

    /// The maximum number of concurrent streams, by the server's SETTINGS and by the bound on memory.
    package var streamLimit: Int {
        let granted = nghttp2_session_get_remote_settings(handle, NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS)
        return min(hasSettings ? Int(granted) : limits.assumedStreamCount, limits.streamCapacity)
    }

    /// Whether no new streams are possible: the server sent GOAWAY or refused a stream, identifiers are running out, or
    /// the session has failed.
    package var isRetired: Bool { hasFailed || goAwayCode != nil || hasRefused || isOutOfIdentifiers }

    /// RFC 9113 §5.1.1: a client's last identifier is 2^31-1. Requests queued in libnghttp2 already have identifiers.
    private var isOutOfIdentifiers: Bool { nghttp2_session_get_next_stream_id(handle) >= UInt32(Int32.max) - 2_000 }

    /// Whether the server accepts extended CONNECT (RFC 8441 §3).
    package var allowsExtendedConnect: Bool {
        nghttp2_session_get_remote_settings(handle, NGHTTP2_SETTINGS_ENABLE_CONNECT_PROTOCOL) == 1
    }

    /// Returns whether the server's origin set contains `origin`; `nil` if it has sent none (RFC 8336).
    package func claims(_ origin: Origin) -> Bool? { originSet?.contains(origin) }

    /// The number of open streams.
    package var streamCount: Int { streams.count }

    // MARK: Streams

    /// Opens a stream with the head of a request.
    ///
    /// - Returns: The stream, and the size of the head before compression in bytes.
    /// - Throws: ``TransportError/Code/invalidRequest`` if the head cannot be expressed,
    ///   ``TransportError/Code/unsupportedOption`` if the server lacks extended CONNECT.
    package func open(
        _ head: borrowing HTTP2RequestHead
    ) throws(HTTP2Failure) -> (stream: HTTP2StreamState, headByteCount: Int) {
        let fields = try HTTP2RequestFields(head)
        // Read here, since a closure that captures the head copies it.
        let (method, hasContent) = (head.request.method, head.hasContent)
        if let failure { throw failure.ofUnsentRequest }
        if let goAwayCode { throw .excluded(by: goAwayCode) }
        guard method != .connect || head.isHandshake else {
            throw HTTP2Failure(
                .invalidRequest, "CONNECT opens a tunnel: set the request's `upgrade` to `.tunnel(to:)`")
        }
        guard head.protocolName == nil || allowsExtendedConnect else {
            throw HTTP2Failure(.unsupportedOption, "the server does not accept extended CONNECT (RFC 8441 §3)")
        }
        let kind: HTTP2StreamState.Kind = method == .connect ? .connect : method == .head ? .head : .ordinary
        let stream = try submit(HTTP2RequestSection(fields, kind, of: head.shared), hasContent: hasContent)
        return (stream, fields.size)
    }

    /// Opens a stream for a request without content whose field section is remembered.
    ///
    /// - Returns: `nil` if it is not remembered. Otherwise, as ``open(_:)``.
    package func reopen(
        _ head: SharedRequestHead
    ) throws(HTTP2Failure) -> (stream: HTTP2StreamState, headByteCount: Int)? {
        guard let section = compressor.recall(head), !hasFailed, goAwayCode == nil else { return nil }
        return (try submit(section, hasContent: false), section.fields.size)
    }

    private func submit(_ section: HTTP2RequestSection, hasContent: Bool) throws(HTTP2Failure) -> HTTP2StreamState {
        var provider = nghttp2_data_provider()
        provider.read_callback = HTTP2Session.readCallback
        let id =
            hasContent
            ? nghttp2_submit_request(handle, nil, nil, 0, &provider, nil)
            : nghttp2_submit_request(handle, nil, nil, 0, nil, nil)
        guard id > 0 else {
            var failure = HTTP2Failure(.connectionLost, "no stream can be opened: \(HTTP2Library.text(id))")
            failure.isUnprocessed = true
            throw failure
        }
        let stream = HTTP2StreamState(id: id, kind: section.kind, windowSize: limits.streamWindow)
        stream.section = section
        if !hasContent { stream.outgoing.ending = .ended(trailers: nil) }
        streams.insert(stream)
        stream.openCount = streams.count
        windows.reserve(limits.streamWindow, insteadOf: 0)
        return stream
    }

    /// Accepts content of a request.
    ///
    /// - Returns: The number of accepted bytes; 0 if there is no room, `nil` if the stream accepts no more content.
    package func send(_ content: UnsafeRawBufferPointer, on stream: HTTP2StreamState) -> Int? {
        guard !stream.isClosed else { return nil }
        let count = stream.outgoing.append(content)
        if count > 0 { resume(stream) }
        stream.outgoing.isWriterWaiting = count == 0
        return count
    }

    /// Ends the request.
    ///
    /// - Parameter trailers: Fields that follow the content (RFC 9110 §6.5).
    package func finish(_ stream: HTTP2StreamState, trailers: HTTPFields?) {
        guard !stream.isClosed else { return }
        stream.outgoing.ending = .ended(trailers: trailers)
        resume(stream)
    }

    /// Whether content of the request has not been framed, or its end waits for the server's credit: libnghttp2 frames
    /// no DATA while a window is closed, not even the end alone, which needs no room (RFC 9113 §6.9.1).
    func isUnfinished(_ stream: HTTP2StreamState) -> Bool {
        guard streams.contains(stream) else { return false }
        guard stream.outgoing.count == 0 else { return true }
        guard nghttp2_session_get_stream_local_close(handle, stream.id) == 0 else { return false }
        return nghttp2_session_get_stream_remote_window_size(handle, stream.id) <= 0
            || nghttp2_session_get_remote_window_size(handle) <= 0
    }

    private func resume(_ stream: HTTP2StreamState) {
        guard stream.outgoing.isDeferred else { return }
        stream.outgoing.isDeferred = false
        nghttp2_session_resume_data(handle, stream.id)
    }

    /// Resets a stream (RFC 9113 §6.4). Frames that the server still sends on it are discarded.
    package func reset(_ stream: HTTP2StreamState, _ code: HTTP2ErrorCode = .cancel) {
        guard streams.contains(stream) else { return }
        stream.outgoing.discard()
        stream.isClosed = true
        if !stream.isComplete { expectLateContent(of: stream) }
        nghttp2_submit_rst_stream(handle, 0, stream.id, code.rawValue)
        forget(stream)
    }

    /// Returns the stream's credit for all content that the caller has pulled or discarded (RFC 9113 §6.9).
    package func returnCredit(for stream: HTTP2StreamState) { returnCredit(stream.uncreditedCount, for: stream) }

    /// Returns the stream's credit for `count` bytes of the content that the caller has pulled or discarded
    /// (RFC 9113 §6.9).
    package func returnCredit(_ count: Int, for stream: HTTP2StreamState) {
        guard count > 0 else { return }
        stream.uncreditedCount = max(0, stream.uncreditedCount - count)
        guard streams.contains(stream) else { return release(count, of: stream) }
        nghttp2_session_consume_stream(handle, stream.id, count)
        grow(stream)
    }

    /// Expects the frames that the server can send before it receives the reset of `stream`: as much content as the
    /// window of the stream has room for, the head of the response, and the end.
    func expectLateContent(of stream: HTTP2StreamState) {
        guard stream.isHeadFramed else { return }
        budget.expectLateContent(stream.grantedWindow - stream.heldCount, limit: limits.connectionWindow)
        budget.expectLateEnd(hasHead: !stream.awaitsHead, limit: limits.streamCapacity)
    }

    /// Removes a stream that has ended or whose owner has cancelled it.
    func forget(_ stream: HTTP2StreamState) {
        guard streams.remove(stream) else { return }
        // Content without credit is still held.
        stream.reservedCount = min(stream.heldCount, stream.grantedWindow)
        windows.reserve(stream.reservedCount, insteadOf: stream.grantedWindow)
    }

    /// Releases what is reserved for content of a stream that has ended, once it has been credited.
    private func release(_ count: Int, of stream: HTTP2StreamState) {
        let rest = stream.reservedCount - min(count, stream.reservedCount)
        windows.reserve(rest, insteadOf: stream.reservedCount)
        stream.reservedCount = rest
    }

    /// Changes the priority of an open stream (RFC 9218 §7.1).
    ///
    /// - Parameter value: A Priority Field Value, such as `u=1, i`.
    package func updatePriority(of stream: HTTP2StreamState, _ value: String) {
        guard streams.contains(stream) else { return }
        var value = value
        value.withUTF8 { bytes in
            _ = nghttp2_submit_priority_update(handle, 0, stream.id, bytes.baseAddress, bytes.count)
        }
    }

    // MARK: The connection

    /// Sends a PING (RFC 9113 §6.7). Returns its number; ``acknowledgedPing`` reaches it with the acknowledgement.
    @discardableResult
    package func ping() -> UInt64 {
        sentPing += 1
        withUnsafeBytes(of: sentPing.bigEndian) { bytes in
            _ = nghttp2_submit_ping(handle, 0, bytes.bindMemory(to: UInt8.self).baseAddress)
        }
        return sentPing
    }

    /// Sends GOAWAY: the client will close the connection (RFC 9113 §6.8).
    package func goAway(_ code: HTTP2ErrorCode = .noError) {
        nghttp2_submit_goaway(handle, 0, 0, code.rawValue, nil, 0)
    }

    /// Ends the session and fails its streams.
    package func fail(_ failure: HTTP2Failure) {
        guard !hasFailed else { return }
        self.failure = failure
        hasFailed = true
        for stream in streams.streams {
            stream.outgoing.discard()
            stream.fail(stream.isHeadFramed ? failure : failure.ofUnsentRequest)
            signal(stream)
        }
        streams.removeAll()
    }

    /// Returns the streams with events for their reader or writer since the last call.
    package func takeSignalled() -> [HTTP2StreamState] {
        guard !signalled.isEmpty else { return [] }
        let taken = signalled
        signalled = []
        for stream in taken { stream.isSignalled = false }
        return taken
    }

    func signal(_ stream: HTTP2StreamState) {
        guard !stream.isSignalled else { return }
        stream.isSignalled = true
        signalled.append(stream)
    }
}
