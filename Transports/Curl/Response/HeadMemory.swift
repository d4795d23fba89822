internal import AirframeTransport
internal import AirframeWire
internal import HTTPTypes

/// The last head on a connection, with the lines that it was read from. libcurl hands over one line at a time, so they
/// are compared one by one.
struct HeadMemory {
    /// The parsed form of a whole head.
    struct Meaning {
        let head: HTTPResponse
        /// The head's status, which `head` would parse from its digits again.
        let status: HTTPResponse.Status
        let version: HTTPVersion
        /// The length that `Content-Length` announces.
        let length: Int64?
        /// Whether a transfer coding frames the content.
        let isCoded: Bool
    }

    private var lines = HeadLines(capacity: 4096)
    /// The parsed form of the last complete head. Some lines may have been replaced since.
    private(set) var meaning: Meaning?

    /// Whether `line` equals the last head's line at `index`.
    func isSame(_ line: UnsafeBufferPointer<UInt8>, at index: Int) -> Bool { lines.isSame(line.span.bytes, at: index) }

    /// The version and the status of the status line.
    var versionAndStatus: (HTTPVersion, HTTPResponse.Status)? {
        switch meaning {
        case .some(let meaning): (meaning.version, meaning.status)
        case .none: nil
        }
    }

    /// Whether the last head had `count` lines.
    func isWhole(_ count: Int) -> Bool { count == lines.count }

    /// Stores a new line at `index`.
    mutating func note(_ line: UnsafeBufferPointer<UInt8>, at index: Int) { lines.note(line.span.bytes, at: index) }

    /// Stores the parsed form of a complete head of `count` lines.
    mutating func keep(_ meaning: Meaning, count: Int) {
        guard count <= lines.count else { return clear() }
        lines.truncate(to: count)
        self.meaning = meaning
    }

    /// Removes everything.
    mutating func clear() { self = HeadMemory() }
}
