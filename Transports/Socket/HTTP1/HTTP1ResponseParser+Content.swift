internal import AirframeWire

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
        do throws(FramingViolation) {
            switch lines.next(in: input, from: &position, limit: limits.chunkLine, folds: false) {
            case .input(let range): size = try ChunkLine.size(input.extracting(range))
            case .kept: size = try ChunkLine.size(lines.kept.span.bytes)
            case .incomplete: return false
            case .tooLong:
                throw FramingViolation("the line before a chunk is longer than \(limits.chunkLine) bytes")
            }
        } catch {
            throw .malformed(error.message)
        }
        sectionBytes = 0
        state = size == 0 ? .trailer : .chunk(remaining: size)
        return true
    }
}
