internal import HTTPTypes

/// Content of a request that waits for the windows of its stream and connection (RFC 9113 §5.2).
struct HTTP2OutgoingContent {
    /// How the content ends.
    enum Ending {
        case open
        case ended(trailers: HTTPFields?)
    }

    /// The most bytes that are held: what a connection with an average delay takes at once.
    static let capacity = 128 << 10

    private var bytes: [UInt8] = []
    private var start = 0
    /// Whether more content follows.
    var ending = Ending.open
    /// Whether libnghttp2 has been told that there is nothing to send at the moment.
    var isDeferred = false
    /// Whether the writer waits for room.
    var isWriterWaiting = false
    /// Whether content has been framed since ``takeProgress()``.
    private var hasMoved = false

    /// The count of bytes that wait.
    var count: Int { bytes.count - start }
    /// The count of bytes that there is room for.
    var room: Int { Self.capacity - count }

    /// Takes as many bytes as there is room for. Returns their count.
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

    /// Discards what waits.
    mutating func discard() {
        bytes = []
        start = 0
    }
}
