public import Foundation

/// A parser that finds the JSON texts in a stream without decoding them.
///
/// An element is the bytes of a JSON text, or the error that makes this one element unusable while the stream
/// continues.
public protocol JSONFraming: ByteStreamParser where Element == Result<Data, StreamParsingError> {}

/// A parser of newline-delimited JSON: one text per line. Empty lines are skipped.
public struct NDJSONFraming: JSONFraming {
    private var splitter: LineSplitter

    /// Creates a parser.
    ///
    /// - Parameter maximumLength: The maximum length of a line, in bytes. A longer line fails the stream.
    public init(maximumLength: Int = defaultStreamElementLimit) {
        splitter = LineSplitter(.lineFeed, limit: maximumLength)
    }

    /// Parses the next bytes.
    ///
    /// - Throws: ``StreamParsingError`` for a line that is longer than the maximum length.
    public mutating func push(_ data: Data, into elements: inout [Element]) throws(StreamParsingError) {
        try splitter.push(data) { line, _ throws(StreamParsingError) in Self.append(line, to: &elements) }
    }

    /// Parses the end of the stream. A last line needs no line end. Throws no error.
    public mutating func finish(into elements: inout [Element]) throws(StreamParsingError) {
        if let line = splitter.finish() { Self.append(line, to: &elements) }
    }

    private static func append(_ line: [UInt8], to elements: inout [Element]) {
        guard !line.allSatisfy(JSONScanner.isBlank) else { return }
        elements.append(.success(Data(line)))
    }
}

/// A parser of JSON text sequences (RFC 7464): each text begins with a record separator and ends with a line feed.
///
/// A truncated text is a failed element; the stream continues with the next one (§2.3). A number, `true`, `false` or
/// `null` without a following byte counts as truncated (§2.4).
public struct JSONSequenceFraming: JSONFraming {
    private let limit: Int
    private var scanner = JSONScanner()
    private var text: [UInt8] = []
    private var isInText = false
    private var offset = 0

    /// Creates a parser.
    ///
    /// - Parameter maximumLength: The maximum length of a JSON text, in bytes. A longer one fails the stream.
    public init(maximumLength: Int = defaultStreamElementLimit) { limit = maximumLength }

    /// Parses the next bytes.
    ///
    /// - Throws: ``StreamParsingError`` for a JSON text that is longer than the maximum length.
    public mutating func push(_ data: Data, into elements: inout [Element]) throws(StreamParsingError) {
        for byte in data {
            offset += 1
            guard byte != 0x1E else {
                end(into: &elements)
                isInText = true
                continue
            }
            // Bytes outside of a JSON text are the remainder of a truncated one.
            guard isInText else { continue }
            guard text.count < limit else { throw StreamParsingError(.tooLong(limit: limit), at: offset) }
            text.append(byte)
            scanner.take(byte)
            // Delivered now, without waiting for the next text.
            if byte == UInt8(ascii: "\n"), scanner.isComplete {
                elements.append(.success(Data(text)))
                begin()
                isInText = false
            }
        }
    }

    /// Parses the end of the stream. A truncated text is a failed element. Throws no error.
    public mutating func finish(into elements: inout [Element]) throws(StreamParsingError) { end(into: &elements) }

    private mutating func end(into elements: inout [Element]) {
        defer { begin() }
        guard !text.allSatisfy(JSONScanner.isBlank) else { return }
        let isWhole = scanner.isComplete && !scanner.mayGoOn
        elements.append(isWhole ? .success(Data(text)) : .failure(StreamParsingError(.truncated, at: offset)))
    }

    private mutating func begin() {
        text = []
        scanner = JSONScanner()
    }
}
