public import Foundation

/// Makes values of bytes that come in pieces, cut anywhere: the cuts change nothing.
///
/// Parsers know nothing of requests: bytes in, values out. To read a sequence of data through one, there is
/// ``_Concurrency/AsyncSequence/parsed(by:)``.
///
/// ```swift
/// var parser = ServerSentEventParser()
/// for chunk in chunks { print(try parser.push(chunk)) }
/// ```
public protocol ByteStreamParser<Element>: Sendable {
    /// What the parser makes.
    associatedtype Element: Sendable

    /// Takes the next bytes.
    ///
    /// - Parameters:
    ///   - data: The bytes.
    ///   - elements: Gets what they complete, also before an error.
    /// - Throws: Why no more can be made of the stream. The parser must not be used after that.
    mutating func push(_ data: Data, into elements: inout [Element]) throws(StreamParsingError)

    /// Takes the end of the stream.
    ///
    /// - Parameter elements: Gets what the end completes, also before an error.
    /// - Throws: Why the stream may not end here.
    mutating func finish(into elements: inout [Element]) throws(StreamParsingError)
}

extension ByteStreamParser {
    /// Takes the next bytes, and returns what they complete.
    public mutating func push(_ data: Data) throws(StreamParsingError) -> [Element] {
        var elements: [Element] = []
        try push(data, into: &elements)
        return elements
    }

    /// Takes the end of the stream, and returns what it completes.
    public mutating func finish() throws(StreamParsingError) -> [Element] {
        var elements: [Element] = []
        try finish(into: &elements)
        return elements
    }
}

/// Why a stream could not be read on.
public struct StreamParsingError: Error, Sendable, Hashable {
    /// What is wrong.
    public enum Reason: Sendable, Hashable {
        /// A line, an event or a value is longer than the parser was told to hold.
        case tooLong(limit: Int)
        /// The stream, or an element of it, ends in the middle.
        case truncated
        /// The stream is no JSON array.
        case notAnArray
        /// A byte that may not stand there.
        case unexpectedByte(UInt8)
        /// The stream has no `Content-Type` of a `multipart` type with a boundary.
        case notMultipart
    }

    /// What is wrong.
    public let reason: Reason
    /// The number of bytes of the stream before the place where it was seen.
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
            case .tooLong(let limit): "an element is longer than the limit of \(limit) bytes"
            case .truncated: "it ends in the middle of an element"
            case .notAnArray: "it is no JSON array"
            case .unexpectedByte(let byte): "byte 0x\(String(byte, radix: 16)) may not stand there"
            case .notMultipart: "its Content-Type is no multipart type with a boundary"
            }
        return "the stream cannot be read on after \(offset) bytes: \(words)"
    }

    /// The error as a sentence.
    public var errorDescription: String? { description }
}

/// How much a parser holds of an unfinished element unless it is told otherwise: 16 MiB. A server could fill the memory
/// without a limit.
public let defaultStreamElementLimit = 16 << 20
