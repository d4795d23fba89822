/// Framed bytes that the connection has not written.
struct HTTP2Output {
    /// The number of bytes above which no more content is framed: framed content cannot be removed when its stream is
    /// reset.
    static let capacity = 64 << 10

    private var bytes: [UInt8] = []
    private var start = 0
    /// The number of bytes of control frames among them, or more: which bytes have been written is not recorded.
    private(set) var controlCount = 0

    /// The number of bytes to write.
    var count: Int { bytes.count - start }
    /// Whether content may be framed.
    var hasRoom: Bool { count < Self.capacity }

    mutating func append(_ frame: UnsafeBufferPointer<UInt8>) {
        if start == bytes.count {
            bytes.removeAll(keepingCapacity: true)
            start = 0
        }
        bytes.append(contentsOf: frame)
    }

    /// Appends a frame other than HEADERS and DATA.
    mutating func appendControl(_ frame: UnsafeBufferPointer<UInt8>) {
        append(frame)
        controlCount += frame.count
    }

    /// Removes and returns all bytes.
    mutating func take() -> HTTP2Output {
        defer { self = HTTP2Output() }
        return self
    }

    /// Inserts unwritten bytes before the others.
    mutating func prepend(_ rest: HTTP2Output) {
        guard rest.count > 0 else {
            // Reuse the written array, whose memory would otherwise be allocated again for the next frame.
            if bytes.capacity == 0 { self = rest }
            return
        }
        guard count > 0 else {
            self = rest
            return
        }
        bytes = Array(rest.bytes[rest.start...]) + bytes[start...]
        start = 0
        controlCount += rest.controlCount
    }

    func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[start...])) }
    }

    /// Removes written bytes.
    mutating func remove(_ count: Int) {
        start += count
        if start == bytes.count {
            // An idle connection keeps no more memory than a few requests use.
            bytes.removeAll(keepingCapacity: bytes.capacity <= 4 << 10)
            start = 0
        } else if start > 4 * Self.capacity {
            bytes.removeFirst(start)
            start = 0
        }
        controlCount = min(controlCount, self.count)
    }
}
