internal import AirframeTransport
internal import Glibc

/// A head that libcurl does not recognize, because empty lines precede it.
///
/// libcurl takes such a response for HTTP/0.9, which has no head. The engine allows HTTP/0.9, so that libcurl hands
/// over all bytes, and parses them itself. Some servers end an informational response with one empty line too many.
struct MisplacedHead {
    /// The maximum number of empty lines that are skipped.
    static let emptyLineLimit = 4

    var emptyLineCount = 0
    /// The beginning of a line whose end has not arrived.
    private var line: [UInt8] = []

    var byteCount: Int { line.count }

    /// Whether the bytes of the line so far can still become an empty line or a status line.
    var mayBecomeStatusLine: Bool { line == [13] || "HTTP/".utf8.starts(with: line.prefix(5)) }

    /// Returns the next line of `bytes` with its end, or `nil` if there is no complete one.
    mutating func nextLine(in bytes: UnsafeBufferPointer<UInt8>, from position: inout Int) -> [UInt8]? {
        let rest = UnsafeBufferPointer(rebasing: bytes[position...])
        guard let base = rest.baseAddress, let place = memchr(base, 10, rest.count) else {
            line.append(contentsOf: rest)
            position = bytes.count
            return nil
        }
        let count = UnsafeRawPointer(place) - UnsafeRawPointer(base) + 1
        line.append(contentsOf: rest[..<count])
        position += count
        defer { line = [] }
        return line
    }
}

extension Transfer {
    /// Reads a head that libcurl takes for content, and the content after it. Returns `false` to end the transfer.
    func readMisplacedHead(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        do throws(HeadParser.Failure) {
            return try readMisplaced(bytes)
        } catch {
            failure = responseError(error)
            return false
        }
    }

    private func readMisplaced(_ bytes: UnsafeBufferPointer<UInt8>) throws(HeadParser.Failure) -> Bool {
        guard stage.hasSent, misplacedHead != nil || bytes.first == 13 else {
            throw .malformed("the response does not begin with a status line")
        }
        var head = misplacedHead ?? MisplacedHead()
        defer { misplacedHead = head }
        var position = 0
        while stage != .body, let line = head.nextLine(in: bytes, from: &position) {
            if line == [13, 10], parser.expectsStatusLine {
                head.emptyLineCount += 1
                guard head.emptyLineCount <= MisplacedHead.emptyLineLimit else {
                    throw .malformed("\(MisplacedHead.emptyLineLimit + 1) empty lines precede the status line")
                }
                continue
            }
            guard line.withUnsafeBufferPointer({ readHeader($0) }) else { return false }
        }
        guard !parser.expectsStatusLine || head.mayBecomeStatusLine else {
            throw .malformed("the response does not begin with a status line")
        }
        guard head.byteCount + parser.byteCount <= parser.rules.sizeLimit else {
            throw .tooLarge(limit: parser.rules.sizeLimit)
        }
        guard stage == .body else { return true }
        misplacedHead = head
        return takeContent(UnsafeBufferPointer(rebasing: bytes[position...]))
    }
}
