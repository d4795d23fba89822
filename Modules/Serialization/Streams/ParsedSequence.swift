public import Foundation

/// The elements that a parser makes of a sequence of data. The sequence is pulled: it takes only as much data as the
/// requested elements need.
public struct ParsedSequence<Base: AsyncSequence, Parser: ByteStreamParser>: AsyncSequence where Base.Element == Data {
    /// The type of the elements.
    public typealias Element = Parser.Element

    private let base: Base
    private let parser: Parser

    /// Creates the sequence of the elements that `parser` makes of `base`.
    public init(_ base: Base, parser: Parser) {
        self.base = base
        self.parser = parser
    }

    /// Creates an iterator from the start of the sequence.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(base: base.makeAsyncIterator(), parser: parser)
    }

    /// An iterator that parses on demand.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private enum Input {
            case open(Base.AsyncIterator)
            case ended
            case failed(StreamParsingError)
        }

        private var input: Input
        private var parser: Parser
        private var elements: ArraySlice<Parser.Element> = []

        fileprivate init(base: Base.AsyncIterator, parser: Parser) {
            input = .open(base)
            self.parser = parser
        }

        /// Returns the next element, or `nil` at the end.
        ///
        /// - Throws: The sequence's error or a ``StreamParsingError``, after all elements before it.
        public mutating func next() async throws -> Parser.Element? {
            try await next(isolation: nil)
        }

        /// Returns the next element, or `nil` at the end.
        ///
        /// - Throws: The sequence's error or a ``StreamParsingError``, after all elements before it.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws -> Parser.Element? {
            while true {
                if let element = elements.popFirst() { return element }
                switch input {
                case .ended: return nil
                case .failed(let error):
                    input = .ended
                    throw error
                case .open(var base):
                    input = .ended
                    let data = try await base.next(isolation: actor)
                    parse(data, base)
                }
            }
        }

        private mutating func parse(_ data: Data?, _ base: Base.AsyncIterator) {
            var made: [Parser.Element] = []
            do throws(StreamParsingError) {
                if let data {
                    try parser.push(data, into: &made)
                    input = .open(base)
                } else {
                    try parser.finish(into: &made)
                }
            } catch {
                input = .failed(error)
            }
            elements = made[...]
        }
    }
}

extension ParsedSequence: Sendable where Base: Sendable {}

extension AsyncSequence where Element == Data {
    /// Returns the elements that a parser makes of this sequence.
    ///
    /// ```swift
    /// for try await event in chunks.parsed(by: ServerSentEventParser()) { print(event.data) }
    /// ```
    public func parsed<Parser: ByteStreamParser>(by parser: Parser) -> ParsedSequence<Self, Parser> {
        ParsedSequence(self, parser: parser)
    }

    /// The lines of UTF-8 text, without their ends.
    public func textLines() -> ParsedSequence<Self, LineParser> { parsed(by: LineParser()) }

    /// Returns the values of newline-delimited JSON. The first value that cannot be decoded ends the sequence with its
    /// error; ``parsed(by:)`` with an ``NDJSONParser`` continues.
    ///
    /// - Parameters:
    ///   - type: The type of the values.
    ///   - decoder: The decoder of the values.
    public func jsonLines<Value: Decodable & Sendable>(
        of type: Value.Type = Value.self,
        decoder: any DataDecoder = JSONDecoder()
    ) -> AsyncThrowingMapSequence<ParsedSequence<Self, NDJSONParser<Value>>, Value> {
        parsed(by: NDJSONParser(of: type, decoder: decoder)).map { try $0.get() }
    }

    /// Returns the elements of a JSON array, each once it is complete. The first element that cannot be decoded ends
    /// the sequence with its error; ``parsed(by:)`` with a ``JSONArrayParser`` continues.
    ///
    /// - Parameters:
    ///   - type: The type of the elements.
    ///   - decoder: The decoder of the values.
    public func jsonArrayElements<Value: Decodable & Sendable>(
        of type: Value.Type = Value.self,
        decoder: any DataDecoder = JSONDecoder()
    ) -> AsyncThrowingMapSequence<ParsedSequence<Self, JSONArrayParser<Value>>, Value> {
        parsed(by: JSONArrayParser(of: type, decoder: decoder)).map { try $0.get() }
    }
}
