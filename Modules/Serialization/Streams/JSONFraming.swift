public import Foundation

/// A parser that finds the JSON texts in a stream, and leaves their contents alone.
///
/// An element is the text's bytes, or why this one element is lost although the stream goes on.
public protocol JSONFraming: ByteStreamParser where Element == Result<Data, StreamParsingError> {}

/// Newline-delimited JSON: a text a line. Empty lines are passed over.
public struct NDJSONFraming: JSONFraming {
    private var splitter: LineSplitter

    /// Makes a parser.
    ///
    /// - Parameter maximumLength: The length of a line, in bytes, from which on the stream is refused.
    public init(maximumLength: Int = defaultStreamElementLimit) {
        splitter = LineSplitter(.lineFeed, limit: maximumLength)
    }

    /// Takes the next bytes.
    public mutating func push(_ data: Data, into elements: inout [Element]) throws(StreamParsingError) {
        try splitter.push(data) { line, _ throws(StreamParsingError) in Self.append(line, to: &elements) }
    }

    /// Takes the end of the stream. A last line without an end is a line.
    public mutating func finish(into elements: inout [Element]) throws(StreamParsingError) {
        if let line = splitter.finish() { Self.append(line, to: &elements) }
    }

    private static func append(_ line: [UInt8], to elements: inout [Element]) {
        guard !line.allSatisfy(JSONScanner.isBlank) else { return }
        elements.append(.success(Data(line)))
    }
}

/// JSON text sequences (RFC 7464): each text begins with a record separator, and ends with a line feed.
///
/// A text that was cut short is a lost element, and the stream goes on with the next (§2.3). A number, `true`, `false` or
/// `null` without anything after it counts as cut short (§2.4).
public struct JSONSequenceFraming: JSONFraming {
    private let limit: Int
    private var scanner = JSONScanner()
    private var text: [UInt8] = []
    private var isInText = false
    private var offset = 0

    /// Makes a parser.
    ///
    /// - Parameter maximumLength: The length of a text, in bytes, from which on the stream is refused.
    public init(maximumLength: Int = defaultStreamElementLimit) { limit = maximumLength }

    /// Takes the next bytes.
    public mutating func push(_ data: Data, into elements: inout [Element]) throws(StreamParsingError) {
        for byte in data {
            offset += 1
            guard byte != 0x1E else {
                end(into: &elements)
                isInText = true
                continue
            }
            // What stands outside of a text is what was left of a cut one.
            guard isInText else { continue }
            guard text.count < limit else { throw StreamParsingError(.tooLong(limit: limit), at: offset) }
            text.append(byte)
            scanner.take(byte)
            // Not held back until the next one begins.
            if byte == UInt8(ascii: "\n"), scanner.isComplete {
                elements.append(.success(Data(text)))
                begin()
                isInText = false
            }
        }
    }

    /// Takes the end of the stream.
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
