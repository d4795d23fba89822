internal import AirframeTransport
internal import AirframeWire
internal import HTTPTypes

/// The last head on a connection, with the lines that it was read from. libcurl hands over one line at a time, so they are
/// compared one by one.
struct HeadMemory {
    /// What the whole head means.
    struct Meaning {
        let head: HTTPResponse
        /// The head's status: it would have to be read again from its digits.
        let status: HTTPResponse.Status
        let version: HTTPVersion
        /// What `Content-Length` announces.
        let length: Int64?
        /// Whether a transfer coding frames the content.
        let isCoded: Bool
    }

    private var lines = HeadLines(capacity: 4096)
    /// What the lines meant when all of them had come; some may have been replaced since.
    private(set) var meaning: Meaning?

    /// Whether `line` is the one that stood at `index` last time.
    func isSame(_ line: UnsafeBufferPointer<UInt8>, at index: Int) -> Bool { lines.isSame(line.span.bytes, at: index) }

    /// What the status line means.
    var versionAndStatus: (HTTPVersion, HTTPResponse.Status)? {
        switch meaning {
        case .some(let meaning): (meaning.version, meaning.status)
        case .none: nil
        }
    }

    /// Whether the first `count` lines are all that there were.
    func isWhole(_ count: Int) -> Bool { count == lines.count }

    /// Notes a line that is new at `index`.
    mutating func note(_ line: UnsafeBufferPointer<UInt8>, at index: Int) { lines.note(line.span.bytes, at: index) }

    /// A head of `count` lines has come to its end.
    mutating func keep(_ meaning: Meaning, count: Int) {
        guard count <= lines.count else { return clear() }
        lines.truncate(to: count)
        self.meaning = meaning
    }

    /// Forgets all.
    mutating func clear() { self = HeadMemory() }
}
