public import Foundation

/// The lines of a text in UTF-8, without their ends: LF, CR, or both. What is not UTF-8 becomes `U+FFFD`.
public struct LineParser: ByteStreamParser {
    private var splitter: LineSplitter

    /// Makes a parser.
    ///
    /// - Parameter maximumLength: The length of a line, in bytes, from which on the stream is refused.
    public init(maximumLength: Int = defaultStreamElementLimit) {
        splitter = LineSplitter(.any, limit: maximumLength)
    }

    /// Takes the next bytes.
    public mutating func push(_ data: Data, into elements: inout [String]) throws(StreamParsingError) {
        try splitter.push(data) { line, _ throws(StreamParsingError) in
            elements.append(String(decoding: line, as: UTF8.self))
        }
    }

    /// Takes the end of the text. A last line without an end is a line.
    public mutating func finish(into elements: inout [String]) throws(StreamParsingError) {
        if let line = splitter.finish() { elements.append(String(decoding: line, as: UTF8.self)) }
    }
}
