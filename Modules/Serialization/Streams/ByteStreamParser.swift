public import Foundation

/// An incremental parser of bytes. The way that the bytes are cut into chunks does not affect its elements.
///
/// Parsers are independent of requests: bytes in, elements out. To parse a sequence of data, use
/// ``_Concurrency/AsyncSequence/parsed(by:)``.
///
/// ```swift
/// var parser = ServerSentEventParser()
/// for chunk in chunks { print(try parser.push(chunk)) }
/// ```
public protocol ByteStreamParser<Element>: Sendable {
    /// The type of the elements.
    associatedtype Element: Sendable

    /// Parses the next bytes.
    ///
    /// - Parameters:
    ///   - data: The bytes.
    ///   - elements: The array that receives completed elements, those before an error included.
    /// - Throws: An error if the stream cannot be parsed any further. The parser must not be used afterwards.
    mutating func push(_ data: Data, into elements: inout [Element]) throws(StreamParsingError)

    /// Parses the end of the stream.
    ///
    /// - Parameter elements: The array that receives completed elements, those before an error included.
    /// - Throws: An error if the stream must not end here.
    mutating func finish(into elements: inout [Element]) throws(StreamParsingError)
}

extension ByteStreamParser {
    /// Parses the next bytes and returns the completed elements. If it throws, they are lost: use ``push(_:into:)`` to
    /// keep them.
    ///
    /// - Throws: ``StreamParsingError`` if the stream cannot be parsed any further.
    public mutating func push(_ data: Data) throws(StreamParsingError) -> [Element] {
        var elements: [Element] = []
        try push(data, into: &elements)
        return elements
    }

    /// Parses the end of the stream and returns the completed elements. If it throws, they are lost: use
    /// ``finish(into:)`` to keep them.
    ///
    /// - Throws: ``StreamParsingError`` if the stream must not end here.
    public mutating func finish() throws(StreamParsingError) -> [Element] {
        var elements: [Element] = []
        try finish(into: &elements)
        return elements
    }
}

/// An error that ends the parsing of a stream.
public struct StreamParsingError: Error, Sendable, Hashable {
    /// The reason of the error.
    public enum Reason: Sendable, Hashable {
        /// A line, an event or a value exceeds the parser's limit.
        case tooLong(limit: Int)
        /// The stream or an element is truncated.
        case truncated
        /// The stream is not a JSON array.
        case notAnArray
        /// A byte is not allowed at its position.
        case unexpectedByte(UInt8)
        /// The response's `Content-Type` is not a `multipart` type with a boundary.
        case notMultipart
    }

    /// The reason of the error.
    public let reason: Reason
    /// The position of the error, in bytes from the start of the stream.
    public let offset: Int

    init(_ reason: Reason, at offset: Int) {
        self.reason = reason
        self.offset = offset
    }
}

extension StreamParsingError: LocalizedError, CustomStringConvertible {
    /// The error as a sentence.
    public var description: String {
        let words =
            switch reason {
            case .tooLong(let limit): "an element exceeds the limit of \(limit) bytes"
            case .truncated: "the stream ends within an element"
            case .notAnArray: "the stream is not a JSON array"
            case .unexpectedByte(let byte): "byte 0x\(String(byte, radix: 16)) is not allowed here"
            case .notMultipart: "the Content-Type is not a multipart type with a boundary"
            }
        return "parsing the stream failed at byte \(offset): \(words)"
    }

    /// The error as a sentence.
    public var errorDescription: String? { description }
}

/// The default limit for an unfinished element: 16 MiB. Without a limit a server could exhaust the memory.
public let defaultStreamElementLimit = 16 << 20
