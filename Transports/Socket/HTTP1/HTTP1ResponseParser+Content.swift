extension HTTP1ResponseParser {
    func content(in input: RawSpan, from position: inout Int, remaining: Int64) -> Range<Int>? {
        let count = min(input.byteCount - position, Int(clamping: remaining))
        guard count > 0 else { return nil }
        let start = position
        position += count
        return start..<position
    }

    mutating func didReadContent(_ count: Int64, of remaining: Int64) {
        state = count == remaining ? .ending(trailers: nil) : .content(remaining: remaining - count)
    }

    mutating func didReadChunk(_ count: Int64, of remaining: Int64) {
        state = count == remaining ? .chunkEnd(hasReturn: false) : .chunk(remaining: remaining - count)
    }

    mutating func readChunkLine(in input: RawSpan, from position: inout Int) throws(HTTP1Violation) -> Bool {
        let size: Int64
        switch lines.next(in: input, from: &position, limit: limits.chunkLine, folds: false) {
        case .input(let range): size = try HTTP1ChunkLine.size(input.extracting(range))
        case .kept: size = try HTTP1ChunkLine.size(lines.kept.span.bytes)
        case .incomplete: return false
        case .tooLong:
            throw .malformed("the line before a chunk is longer than \(limits.chunkLine) bytes")
        }
        sectionBytes = 0
        state = size == 0 ? .trailer : .chunk(remaining: size)
        return true
    }
}
