public import Foundation

/// A parser of the elements of one JSON array. It yields each element once it is complete, so that a long list is never
/// held in memory.
///
/// The parser validates the array's syntax (RFC 8259); the elements' contents are left to their decoder.
public struct JSONArrayFraming: JSONFraming {
    private enum Position {
        /// Before the array: only whitespace and a byte order mark have been read.
        case beforeArray(markLength: Int)
        case beforeFirst
        case beforeElement
        /// Inside an element, with the depth of its brackets.
        case inContainer(depth: Int)
        case inString(depth: Int, isEscaped: Bool)
        case inScalar
        case afterElement
        case afterArray
    }

    private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

    private let limit: Int
    private var position = Position.beforeArray(markLength: 0)
    private var element: [UInt8] = []
    private var offset = 0

    /// Creates a parser.
    ///
    /// - Parameter maximumLength: The maximum length of an element, in bytes. A longer element fails the stream.
    public init(maximumLength: Int = defaultStreamElementLimit) { limit = maximumLength }

    /// Parses the next bytes.
    ///
    /// - Throws: Also if the stream is not an array, and for bytes between its elements or after its end.
    public mutating func push(_ data: Data, into elements: inout [Element]) throws(StreamParsingError) {
        for byte in data {
            try take(byte, into: &elements)
            offset += 1
        }
    }

    /// Parses the end of the stream.
    ///
    /// - Throws: An error if the array is incomplete.
    public mutating func finish(into elements: inout [Element]) throws(StreamParsingError) {
        guard case .afterArray = position else { throw StreamParsingError(.truncated, at: offset) }
    }

    private mutating func take(_ byte: UInt8, into elements: inout [Element]) throws(StreamParsingError) {
        switch position {
        case .beforeArray(let markLength):
            try takeStart(byte, markLength)
        case .beforeFirst, .beforeElement:
            try takeBeforeElement(byte)
        case .inString(let depth, isEscaped: true):
            try hold(byte)
            position = .inString(depth: depth, isEscaped: false)
        case .inString(let depth, isEscaped: false):
            try takeInString(byte, depth, into: &elements)
        case .inContainer(let depth):
            try takeInContainer(byte, depth, into: &elements)
        case .inScalar:
            guard JSONScanner.isBlank(byte) || byte == UInt8(ascii: ",") || byte == UInt8(ascii: "]") else {
                return try hold(byte)
            }
            emit(into: &elements)
            if !JSONScanner.isBlank(byte) { try takeAfterElement(byte) }
        case .afterElement:
            if !JSONScanner.isBlank(byte) { try takeAfterElement(byte) }
        case .afterArray:
            guard JSONScanner.isBlank(byte) else { throw unexpected(byte) }
        }
    }

    private mutating func takeStart(_ byte: UInt8, _ markLength: Int) throws(StreamParsingError) {
        if markLength < Self.mark.count, offset == markLength, byte == Self.mark[markLength] {
            position = .beforeArray(markLength: markLength + 1)
        } else if markLength == 1 || markLength == 2 {
            throw StreamParsingError(.notAnArray, at: offset)
        } else if byte == UInt8(ascii: "[") {
            position = .beforeFirst
        } else if !JSONScanner.isBlank(byte) {
            throw StreamParsingError(.notAnArray, at: offset)
        }
    }

    private mutating func takeBeforeElement(_ byte: UInt8) throws(StreamParsingError) {
        switch byte {
        case _ where JSONScanner.isBlank(byte): return
        case UInt8(ascii: "]"):
            guard case .beforeFirst = position else { throw unexpected(byte) }
            position = .afterArray
            return
        case UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: ":"): throw unexpected(byte)
        case UInt8(ascii: "["), UInt8(ascii: "{"): position = .inContainer(depth: 1)
        case UInt8(ascii: "\""): position = .inString(depth: 0, isEscaped: false)
        default: position = .inScalar
        }
        try hold(byte)
    }

    private mutating func takeInString(
        _ byte: UInt8,
        _ depth: Int,
        into elements: inout [Element]
    ) throws(StreamParsingError) {
        try hold(byte)
        if byte == UInt8(ascii: "\\") {
            position = .inString(depth: depth, isEscaped: true)
        } else if byte == UInt8(ascii: "\"") {
            if depth == 0 { emit(into: &elements) } else { position = .inContainer(depth: depth) }
        }
    }

    private mutating func takeInContainer(
        _ byte: UInt8,
        _ depth: Int,
        into elements: inout [Element]
    ) throws(StreamParsingError) {
        try hold(byte)
        switch byte {
        case UInt8(ascii: "\""): position = .inString(depth: depth, isEscaped: false)
        case UInt8(ascii: "["), UInt8(ascii: "{"): position = .inContainer(depth: depth + 1)
        case UInt8(ascii: "]"), UInt8(ascii: "}"):
            if depth == 1 { emit(into: &elements) } else { position = .inContainer(depth: depth - 1) }
        default: break
        }
    }

    private mutating func takeAfterElement(_ byte: UInt8) throws(StreamParsingError) {
        switch byte {
        case UInt8(ascii: ","): position = .beforeElement
        case UInt8(ascii: "]"): position = .afterArray
        default: throw unexpected(byte)
        }
    }

    private mutating func hold(_ byte: UInt8) throws(StreamParsingError) {
        guard element.count < limit else { throw StreamParsingError(.tooLong(limit: limit), at: offset) }
        element.append(byte)
    }

    private mutating func emit(into elements: inout [Element]) {
        elements.append(.success(Data(element)))
        element.removeAll(keepingCapacity: element.capacity <= 64 << 10)
        position = .afterElement
    }

    private func unexpected(_ byte: UInt8) -> StreamParsingError {
        StreamParsingError(.unexpectedByte(byte), at: offset)
    }
}
