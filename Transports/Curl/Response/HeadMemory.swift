internal import AirframeTransport
internal import Glibc
internal import HTTPTypes

/// The last head on a connection, with the lines that it was read from.
///
/// A server says nearly the same with each response. A line that comes again in the same place means the same: it is
/// compared, not parsed, and takes no memory. When all lines come again, so does the whole head. It holds no secrets.
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

    /// More is not worth what an idle connection would hold.
    private static let capacity = 4096

    /// The lines, the status line first, one behind the other, and where each ends.
    private var bytes: [UInt8] = []
    private var ends: [Int] = []
    /// What the lines meant when all of them had come; some may have been replaced since.
    private(set) var meaning: Meaning?

    /// Whether `line` is the one that stood at `index` last time.
    @inline(__always)
    func isSame(_ line: UnsafeBufferPointer<UInt8>, at index: Int) -> Bool {
        guard index < ends.count else { return false }
        let start = index == 0 ? 0 : ends[index - 1]
        guard ends[index] - start == line.count, let address = line.baseAddress else { return false }
        return bytes.withUnsafeBufferPointer { bytes in
            guard let base = bytes.baseAddress else { return false }
            return memcmp(base + start, address, line.count) == 0
        }
    }

    /// What the status line means.
    var versionAndStatus: (HTTPVersion, HTTPResponse.Status)? {
        switch meaning {
        case .some(let meaning): (meaning.version, meaning.status)
        case .none: nil
        }
    }

    /// Whether the first `count` lines are all that there were.
    func isWhole(_ count: Int) -> Bool { count == ends.count }

    /// Notes a line that is new at `index`.
    mutating func note(_ line: UnsafeBufferPointer<UInt8>, at index: Int) {
        guard index <= ends.count else { return }
        let start = index == 0 ? 0 : ends[index - 1]
        if index < ends.count, ends[index] - start == line.count {
            // A date that has moved on: what follows it stays.
            bytes.replaceSubrange(start..<ends[index], with: line)
            return
        }
        bytes.removeSubrange(start...)
        ends.removeSubrange(index...)
        guard start + line.count <= Self.capacity else { return }
        if start == 0 { bytes.reserveCapacity(512) }
        bytes.append(contentsOf: line)
        ends.append(start + line.count)
    }

    /// A head of `count` lines has come to its end.
    mutating func keep(_ meaning: Meaning, count: Int) {
        guard count <= ends.count else { return clear() }
        if count < ends.count {
            bytes.removeSubrange(ends[count - 1]...)
            ends.removeSubrange(count...)
        }
        self.meaning = meaning
    }

    /// Forgets all.
    mutating func clear() { self = HeadMemory() }
}
