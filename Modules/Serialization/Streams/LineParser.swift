public import Foundation

/// A parser of the lines of UTF-8 text, without their ends: LF, CR, or both. Invalid bytes become `U+FFFD`.
public struct LineParser: ByteStreamParser {
    private var splitter: LineSplitter

    /// Creates a parser.
    ///
    /// - Parameter maximumLength: The maximum length of a line, in bytes. A longer line fails the stream.
    public init(maximumLength: Int = defaultStreamElementLimit) {
        splitter = LineSplitter(.any, limit: maximumLength)
    }

    /// Parses the next bytes.
    ///
    /// - Throws: ``StreamParsingError`` for a line that is longer than the maximum length.
    public mutating func push(_ data: Data, into elements: inout [String]) throws(StreamParsingError) {
        try splitter.push(data) { line, _ throws(StreamParsingError) in
            elements.append(String(decoding: line, as: UTF8.self))
        }
    }

    /// Parses the end of the text. A last line needs no line end. Throws no error.
    public mutating func finish(into elements: inout [String]) throws(StreamParsingError) {
        if let line = splitter.finish() { elements.append(String(decoding: line, as: UTF8.self)) }
    }
}
