internal import HTTPTypes

/// Request content that waits for the windows of its stream and connection (RFC 9113 §5.2).
struct HTTP2OutgoingContent {
    /// Whether the content has ended.
    enum Ending {
        case open
        case ended(trailers: HTTPFields?)
    }

    /// The maximum number of bytes held.
    static let capacity = 128 << 10

    private var bytes: [UInt8] = []
    private var start = 0
    /// Whether the content has ended.
    var ending = Ending.open
    /// Whether libnghttp2 has deferred the stream's content until `nghttp2_session_resume_data`.
    var isDeferred = false
    /// Whether the writer waits for room.
    var isWriterWaiting = false
    /// Whether content has been framed since ``takeProgress()``.
    private var hasMoved = false

    /// The number of bytes held.
    var count: Int { bytes.count - start }
    /// The number of bytes that there is room for.
    var room: Int { Self.capacity - count }

    /// Appends as many bytes as there is room for. Returns their number.
    mutating func append(_ content: UnsafeRawBufferPointer) -> Int {
        let taken = min(content.count, room)
        guard taken > 0 else { return 0 }
        if start == bytes.count {
            bytes.removeAll(keepingCapacity: true)
            start = 0
        } else if start > Self.capacity {
            bytes.removeFirst(start)
            start = 0
        }
        bytes.append(contentsOf: content.prefix(taken))
        return taken
    }

    /// Moves the first `length` bytes, at most ``count``, into `output`.
    mutating func move(_ length: Int, into output: inout HTTP2Output) {
        bytes.withUnsafeBufferPointer { bytes in
            output.append(UnsafeBufferPointer(rebasing: bytes[start..<start + length]))
        }
        start += length
        hasMoved = true
        if start == bytes.count {
            bytes = []
            start = 0
        }
    }

    /// Returns whether content has been framed since the last call.
    mutating func takeProgress() -> Bool {
        defer { hasMoved = false }
        return hasMoved
    }

    /// Discards all bytes.
    mutating func discard() {
        bytes = []
        start = 0
    }
}
