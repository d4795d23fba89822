internal import Foundation

/// A splitter of bytes into lines without their ends.
struct LineSplitter: Sendable {
    /// The bytes that end a line.
    enum Ending: Sendable {
        /// A line feed.
        case lineFeed
        /// A line feed, a carriage return, or both.
        case any
    }

    private let ending: Ending
    private let limit: Int
    private var line: [UInt8] = []
    /// Whether the last byte was a carriage return that ended a line: a following line feed belongs to the same end.
    private var endedByReturn = false
    /// The number of bytes before the current chunk.
    private var offset = 0
    /// The number of bytes before the current line.
    private var lineOffset = 0

    init(_ ending: Ending, limit: Int) {
        self.ending = ending
        self.limit = limit
    }

    /// Calls `take` with each line that `data` completes and the number of bytes before the line.
    mutating func push(
        _ data: Data,
        _ take: ([UInt8], Int) throws(StreamParsingError) -> Void
    ) throws(StreamParsingError) {
        try data.bytes.withUnsafeBytes { bytes throws(StreamParsingError) in try push(bytes, take) }
    }

    private mutating func push(
        _ bytes: UnsafeRawBufferPointer,
        _ take: ([UInt8], Int) throws(StreamParsingError) -> Void
    ) throws(StreamParsingError) {
        var index = 0
        if endedByReturn, let first = bytes.first {
            if first == 10 {
                index = 1
                lineOffset += 1
            }
            endedByReturn = false
        }
        var lineStart = index
        while index < bytes.count {
            let byte = bytes[index]
            guard byte == 10 || (byte == 13 && ending == .any) else {
                index += 1
                continue
            }
            try hold(bytes[lineStart..<index])
            try take(line, lineOffset)
            line.removeAll(keepingCapacity: line.capacity <= 64 << 10)
            index += 1
            if byte == 13 {
                if index == bytes.count {
                    endedByReturn = true
                } else if bytes[index] == 10 {
                    index += 1
                }
            }
            lineStart = index
            lineOffset = offset + index
        }
        try hold(bytes[lineStart...])
        offset += bytes.count
    }

    /// Returns the last line if it has no end; otherwise `nil`.
    mutating func finish() -> [UInt8]? {
        defer { line = [] }
        return line.isEmpty ? nil : line
    }

    private mutating func hold(_ bytes: Slice<UnsafeRawBufferPointer>) throws(StreamParsingError) {
        guard line.count + bytes.count <= limit else {
            throw StreamParsingError(.tooLong(limit: limit), at: lineOffset)
        }
        line.append(contentsOf: bytes)
    }
}
