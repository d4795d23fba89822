public import Foundation

/// What a parser makes of a sequence of data. Pulled: no more data is asked for than the elements that are read need.
public struct ParsedSequence<Base: AsyncSequence, Parser: ByteStreamParser>: AsyncSequence where Base.Element == Data {
    /// What the parser makes.
    public typealias Element = Parser.Element

    private let base: Base
    private let parser: Parser

    /// Reads `base` through `parser`.
    public init(_ base: Base, parser: Parser) {
        self.base = base
        self.parser = parser
    }

    /// An iterator from the start of the sequence.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(base: base.makeAsyncIterator(), parser: parser)
    }

    /// Parses as far as it is asked.
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

        /// The next element, or `nil` at the end.
        ///
        /// - Throws: What the sequence throws, or a ``StreamParsingError``, after all elements before it.
        public mutating func next() async throws -> Parser.Element? {
            try await next(isolation: nil)
        }

        /// The next element, or `nil` at the end.
        ///
        /// - Throws: What the sequence throws, or a ``StreamParsingError``, after all elements before it.
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
    /// What a parser makes of this sequence.
    ///
    /// ```swift
    /// for try await event in chunks.parsed(by: ServerSentEventParser()) { print(event.data) }
    /// ```
    public func parsed<Parser: ByteStreamParser>(by parser: Parser) -> ParsedSequence<Self, Parser> {
        ParsedSequence(self, parser: parser)
    }

    /// The lines of a text in UTF-8, without their ends.
    public func textLines() -> ParsedSequence<Self, LineParser> { parsed(by: LineParser()) }

    /// The values of newline-delimited JSON. The first one that cannot be decoded ends the sequence with its error;
    /// ``parsed(by:)`` with an ``NDJSONParser`` goes on.
    ///
    /// - Parameters:
    ///   - type: The type of the values.
    ///   - decoder: Decodes them.
    public func jsonLines<Value: Decodable & Sendable>(
        of type: Value.Type = Value.self,
        decoder: any DataDecoder = JSONDecoder()
    ) -> AsyncThrowingMapSequence<ParsedSequence<Self, NDJSONParser<Value>>, Value> {
        parsed(by: NDJSONParser(of: type, decoder: decoder)).map { try $0.get() }
    }

    /// The elements of a JSON array, each as soon as it is whole. The first one that cannot be decoded ends the sequence
    /// with its error; ``parsed(by:)`` with a ``JSONArrayParser`` goes on.
    ///
    /// - Parameters:
    ///   - type: The type of the elements.
    ///   - decoder: Decodes them.
    public func jsonArrayElements<Value: Decodable & Sendable>(
        of type: Value.Type = Value.self,
        decoder: any DataDecoder = JSONDecoder()
    ) -> AsyncThrowingMapSequence<ParsedSequence<Self, JSONArrayParser<Value>>, Value> {
        parsed(by: JSONArrayParser(of: type, decoder: decoder)).map { try $0.get() }
    }
}
