internal import AirframeWire
internal import Glibc

/// A strict decoder of the chunked coding of a response (RFC 9112 §7.1).
///
/// libcurl 7.88 accepts anything after a chunk size, and bare line feeds. The engine has libcurl leave the coding in;
/// libcurl still follows the chunks to find their end.
struct ChunkDecoder {
    /// A part of the content or of the trailer.
    enum Part {
        case content(UnsafeBufferPointer<UInt8>)
        /// A line of the trailer, its end of line included.
        case trailerLine([UInt8])
        /// The empty line that ends the trailer.
        case end
    }

    private enum Section {
        case size
        case content(remaining: Int64)
        /// After a chunk's content, and whether its CR has been read.
        case contentEnd(hasReturn: Bool)
        case trailer
        case complete
    }

    private static let sizeLineLimit = 4 * 1024
    private static let trailerLineLimit = 128 * 1024

    private var section = Section.size
    /// The beginning of a line whose end has not arrived.
    private var line: [UInt8] = []

    /// Whether the last chunk and the trailer section have been read.
    var isComplete: Bool {
        if case .complete = section { true } else { false }
    }

    /// Returns the next part in `bytes`, or `nil` if all of them have been read.
    ///
    /// - Parameter position: The index in `bytes` to continue at, which is advanced.
    mutating func next(
        in bytes: UnsafeBufferPointer<UInt8>,
        from position: inout Int
    ) throws(HeadParser.Failure) -> Part? {
        while position < bytes.count {
            switch section {
            case .size:
                guard let whole = try readLine(bytes, &position, limit: Self.sizeLineLimit) else { return nil }
                section = try Self.afterSize(whole)
            case .content(let remaining):
                let count = min(bytes.count - position, Int(clamping: remaining))
                let content = UnsafeBufferPointer(rebasing: bytes[position..<position + count])
                position += count
                let rest = remaining - Int64(count)
                section = rest == 0 ? .contentEnd(hasReturn: false) : .content(remaining: rest)
                return .content(content)
            case .contentEnd(let hasReturn):
                guard bytes[position] == (hasReturn ? 10 : 13) else {
                    throw .malformed("a chunk's data is longer than its size, or not followed by CR LF")
                }
                position += 1
                section = hasReturn ? .size : .contentEnd(hasReturn: true)
            case .trailer:
                guard let whole = try readLine(bytes, &position, limit: Self.trailerLineLimit) else { return nil }
                guard whole == [13, 10] else { return .trailerLine(whole) }
                section = .complete
                return .end
            case .complete:
                return nil
            }
        }
        return nil
    }

    private static func afterSize(_ line: [UInt8]) throws(HeadParser.Failure) -> Section {
        do throws(FramingViolation) {
            let size = try ChunkLine.size(line.span.bytes)
            return size == 0 ? .trailer : .content(remaining: size)
        } catch {
            throw .malformed(error.message)
        }
    }

    private mutating func readLine(
        _ bytes: UnsafeBufferPointer<UInt8>,
        _ position: inout Int,
        limit: Int
    ) throws(HeadParser.Failure) -> [UInt8]? {
        let rest = UnsafeBufferPointer(rebasing: bytes[position...])
        guard let base = rest.baseAddress else { return nil }
        let lineFeed = memchr(base, 10, rest.count).map { UnsafeRawPointer($0) - UnsafeRawPointer(base) }
        let count = lineFeed.map { $0 + 1 } ?? rest.count
        guard line.count + count <= limit else {
            throw .malformed("a line between chunks, or of the trailer, is longer than \(limit) bytes")
        }
        line.append(contentsOf: rest[..<count])
        position += count
        guard lineFeed != nil else { return nil }
        defer { line = [] }
        return line
    }
}
