internal import CCurlHTTP2

/// The state of one HTTP/2 connection of libcurl's: its frame budget, its end, and uploads that wait for its window.
///
/// A class, because libnghttp2's callbacks reach it by its address. The holder of the loop's turn alone accesses its
/// properties.
final class HTTP2Session: HTTP2Record {
    /// The reason why the connection cannot be used any longer.
    enum Fault {
        /// The server violated the protocol, for the reason that libnghttp2 gives.
        case protocolError(code: UInt32, reason: String)
        /// The server sent too many frames without content.
        case flood
    }

    /// libnghttp2's session; `nil` once it is deleted.
    @exclusivity(unchecked) private var pointer: UnsafeMutableRawPointer?
    @exclusivity(unchecked) private var budget = FrameBudget()
    @exclusivity(unchecked) private(set) var fault: Fault?
    /// The code and the last stream of the GOAWAY that the server has sent.
    @exclusivity(unchecked) private(set) var goAway: (code: UInt32, lastStream: Int32)?
    /// The number of streams that have ended while their transfers have not.
    @exclusivity(unchecked) private var endingCount = 0
    /// The transfers that have a stream on the connection.
    @exclusivity(unchecked) private var live: [ExchangeID: Transfer] = [:]
    /// The transfers whose content has not been sent whole.
    @exclusivity(unchecked) private var uploads: [ExchangeID: Transfer] = [:]
    /// Whether the engine is to check the session after the current call of libcurl.
    @exclusivity(unchecked) private var mustCheck = false
    private unowned let engine: Engine

    init(_ pointer: UnsafeMutableRawPointer, engine: Engine) {
        self.pointer = pointer
        self.engine = engine
    }

    // MARK: What libnghttp2 reports

    override func read(_ count: Int) -> Bool {
        if budget.spend(byteCount: count) { return true }
        fail(.flood)
        return false
    }

    /// Takes the head of a frame. Returns `false` to close the connection.
    override func begin(_ frame: airframe_http2_frame) -> Bool {
        // The frames of a response cost nothing, because the reader's pace bounds them.
        budget.noteReport(frame)
        let isHead = frame.type == FrameType.headers && frame.easy != nil
        if !isHead, !budget.spend(frame) {
            fail(.flood)
            return false
        }
        return true
    }

    override func receive(_ frame: airframe_http2_frame) {
        switch frame.type {
        case FrameType.data, FrameType.headers:
            guard let transfer = Self.transfer(of: frame.easy) else { return }
            transfer.http2?.hasBegun = true
            if frame.type == FrameType.data {
                let count = frame.length - min(frame.length, frame.padding)
                if count > 0 { budget.refund(frame) }
                transfer.http2?.contentCount += Int64(count)
            }
            if frame.flags & FrameFlag.endStream != 0 {
                transfer.http2?.hasEnded = true
                hold(for: transfer)
            }
        case FrameType.reset:
            Self.transfer(of: frame.easy)?.http2?.resetCode = frame.code
        case FrameType.goAway:
            goAway = (frame.code, frame.last_stream)
        case FrameType.settings, FrameType.windowUpdate:
            checkWindowsLater()
        default:
            break
        }
    }

    override func send(_ frame: airframe_http2_frame) {
        switch frame.type {
        case FrameType.headers:
            budget.noteRequest()
            guard let transfer = Self.transfer(of: frame.easy) else { return }
            transfer.beginStream(HTTP2Stream(self, number: frame.stream))
            live[transfer.id] = transfer
            noteContent(frame, of: transfer)
        case FrameType.data:
            budget.noteData()
            if let transfer = Self.transfer(of: frame.easy) { noteContent(frame, of: transfer) }
        case FrameType.reset:
            Self.transfer(of: frame.easy)?.http2?.sentCode = frame.code
        case FrameType.goAway where frame.code != 0 && fault == nil:
            let text = UnsafeRawBufferPointer(start: frame.reason, count: frame.reason_length)
            fail(.protocolError(code: frame.code, reason: String(decoding: text, as: UTF8.self)))
        default:
            break
        }
    }

    override func close(_ easy: UnsafeMutableRawPointer, code: UInt32) {
        guard let transfer = Self.transfer(of: easy) else { return }
        transfer.http2?.closeCode = code
        endUpload(of: transfer)
        hold(for: transfer)
    }

    override func end() {
        pointer = nil
        uploads = [:]
    }

    private func fail(_ fault: Fault) {
        guard self.fault == nil else { return }
        self.fault = fault
        checkLater()
    }

    private static func transfer(of easy: UnsafeMutableRawPointer?) -> Transfer? {
        Transfer.of(easy.flatMap { EasyHandle.owner(of: $0) })
    }

    // MARK: Streams that end

    /// Whether libcurl is to keep the connection although nothing more can arrive on it.
    ///
    /// After GOAWAY, libcurl 7.88 closes the connection as soon as its last stream has ended, and drops the content
    /// that it has not handed over yet.
    override var holdsOpen: Bool { endingCount > 0 && fault == nil }

    private func hold(for transfer: Transfer) {
        guard transfer.http2?.isHeld == false else { return }
        transfer.http2?.isHeld = true
        endingCount += 1
    }

    /// Removes a transfer that has ended or starts over.
    func forget(_ transfer: Transfer) {
        uploads[transfer.id] = nil
        live[transfer.id] = nil
        if transfer.http2?.isHeld == true { endingCount -= 1 }
    }

    // MARK: Windows

    private func noteContent(_ frame: airframe_http2_frame, of transfer: Transfer) {
        guard frame.flags & FrameFlag.endStream == 0 else { return endUpload(of: transfer) }
        uploads[transfer.id] = transfer
        checkWindowsLater()
    }

    /// Ends the upload of a transfer whose content has been sent whole or whose stream is closed: no window matters any
    /// more. libnghttp2 sends what it has buffered while libcurl is paused, and libcurl ends no paused transfer.
    private func endUpload(of transfer: Transfer) {
        guard transfer.isWindowClosed else {
            uploads[transfer.id] = nil
            return
        }
        transfer.http2?.isUploadOver = true
        checkLater()
    }

    private func checkWindowsLater() {
        if !uploads.isEmpty { checkLater() }
    }

    private func checkLater() {
        guard !mustCheck else { return }
        mustCheck = true
        engine.sessionsToCheck.append(self)
    }

    /// Performs the work that is not possible during a call of libcurl.
    func check() {
        mustCheck = false
        if fault != nil { failStreams() }
        checkWindows()
    }

    /// Ends the transfers that a fault of the connection cuts off. libcurl 7.88 would wait, because it looks at the
    /// session only when something arrives.
    private func failStreams() {
        for transfer in live.values {
            guard let stream = transfer.http2, stream.session === self, !stream.hasEnded else { continue }
            engine.endTransfer(transfer, on: stream)
        }
    }

    /// Pauses the uploads whose window is closed, and resumes those whose window has opened.
    ///
    /// While the window is closed, libcurl 7.88 waits for the socket to be writable. It nearly always is, so the thread
    /// would spin.
    private func checkWindows() {
        guard let pointer else { return }
        for transfer in uploads.values {
            guard let stream = transfer.http2, stream.session === self else { continue }
            if stream.isUploadOver { uploads[transfer.id] = nil }
            let isClosed = !stream.isUploadOver && airframe_http2_window(pointer, stream.number) <= 0
            if isClosed != transfer.isWindowClosed { transfer.pauseSending(isClosed) }
        }
    }
}

/// One HTTP/2 stream of a transfer.
struct HTTP2Stream {
    let session: HTTP2Session
    let number: Int32
    /// Whether part of a response has arrived, so that the server has processed the request.
    var hasBegun = false
    /// Whether the server has ended its side with END_STREAM.
    var hasEnded = false
    /// The number of bytes of content that have arrived in complete DATA frames.
    var contentCount: Int64 = 0
    /// The code of the server's RST_STREAM.
    var resetCode: UInt32?
    /// The code of the RST_STREAM that libnghttp2 has sent.
    var sentCode: UInt32?
    /// The code with which libnghttp2 has closed the stream.
    var closeCode: UInt32?
    /// Whether all content was sent, or the stream was closed, while libcurl was paused.
    var isUploadOver = false
    /// Whether the session counts it as ending.
    var isHeld = false

    init(_ session: HTTP2Session, number: Int32) {
        self.session = session
        self.number = number
    }

    /// Whether the server guarantees that it has not processed the request: it refused the stream, or sent GOAWAY with
    /// a lower number (RFC 9113 §8.7). libnghttp2 closes streams above that number as refused.
    var isRefused: Bool {
        guard !hasBegun else { return false }
        if closeCode == HTTP2Code.refusedStream || resetCode == HTTP2Code.refusedStream { return true }
        return isExcluded
    }

    /// Whether the server requires the request over HTTP/1.1 (RFC 9113 §7, HTTP_1_1_REQUIRED).
    var requiresHTTP1: Bool {
        guard !hasBegun else { return false }
        if resetCode == HTTP2Code.http11Required { return true }
        return isExcluded && session.goAway?.code == HTTP2Code.http11Required
    }

    /// Whether the server has sent GOAWAY with a lower number.
    private var isExcluded: Bool { session.goAway.map { number > $0.lastStream } ?? false }
}

/// Frame types (RFC 9113 §6).
enum FrameType {
    static let data: UInt8 = 0
    static let headers: UInt8 = 1
    static let reset: UInt8 = 3
    static let settings: UInt8 = 4
    static let goAway: UInt8 = 7
    static let windowUpdate: UInt8 = 8
}

/// Frame flags (RFC 9113 §6).
enum FrameFlag {
    static let endStream: UInt8 = 1
}

/// Error codes (RFC 9113 §7).
enum HTTP2Code {
    static let streamClosed: UInt32 = 5
    static let refusedStream: UInt32 = 7
    static let http11Required: UInt32 = 13

    static func name(_ code: UInt32) -> String {
        let names = [
            "NO_ERROR", "PROTOCOL_ERROR", "INTERNAL_ERROR", "FLOW_CONTROL_ERROR", "SETTINGS_TIMEOUT", "STREAM_CLOSED",
            "FRAME_SIZE_ERROR", "REFUSED_STREAM", "CANCEL", "COMPRESSION_ERROR", "CONNECT_ERROR", "ENHANCE_YOUR_CALM",
            "INADEQUATE_SECURITY", "HTTP_1_1_REQUIRED",
        ]
        return names.indices.contains(Int(code)) ? names[Int(code)] : "unknown code \(code)"
    }
}
