import AirframeSerialization
import Foundation
import Testing

@Suite("Streams of lines and of JSON", .timeLimit(.minutes(1)))
struct JSONStreamTests {
    private static func describe(_ element: Result<Data, StreamParsingError>) -> String {
        switch element {
        case .success(let data): String(decoding: data, as: UTF8.self)
        case .failure(let error): "\(error.reason)"
        }
    }

    private func check<Framing: JSONFraming>(
        _ framing: Framing,
        _ stream: String,
        _ expected: [String],
        _ failure: StreamParsingError.Reason? = nil
    ) {
        let bytes = Data(stream.utf8)
        let transcript = Transcript<String>(of: bytes, parser: framing, Self.describe)
        #expect(transcript.elements == expected, "\(stream.debugDescription)")
        #expect(transcript.failure?.reason == failure, "\(stream.debugDescription)")
        #expect(Transcript<String>.disagreement(about: bytes, parser: framing, Self.describe) == nil)
    }

    @Test(
        "lines end with LF, CR or both; the last line needs no end",
        arguments: [
            ("a\nb\rc\r\nd", ["a", "b", "c", "d"]), ("", []), ("\n", [""]), ("a\n\n\r\r\nb", ["a", "", "", "", "b"]),
            ("é\n€\n", ["é", "€"]), ("a\r", ["a"]), ("a\r\n", ["a"]),
        ])
    func lines(text: String, expected: [String]) {
        let bytes = Data(text.utf8)
        #expect(Transcript<String>(of: bytes, parser: LineParser()) { $0 }.elements == expected)
        #expect(Transcript<String>.disagreement(about: bytes, parser: LineParser()) { $0 } == nil)
    }

    @Test("newline-delimited JSON has one text per line, and empty lines are skipped")
    func ndjson() {
        check(NDJSONFraming(), "{\"a\":1}\n\n [2]\r\n\"x\"", ["{\"a\":1}", " [2]\r", "\"x\""])
        check(NDJSONFraming(), "", [])
        check(NDJSONFraming(), " \r\n\t\n", [])
        check(NDJSONFraming(maximumLength: 3), "1\n22\n4444\n5", ["1", "22"], .tooLong(limit: 3))
    }

    @Test("truncated texts of a JSON text sequence are failed elements, and the stream continues (RFC 7464 §2.3, §2.4)")
    func sequences() {
        let framing = JSONSequenceFraming()
        check(framing, "\u{1E}{\"a\":\n1}\n\u{1E}[2]\n", ["{\"a\":\n1}\n", "[2]\n"])
        check(framing, "\u{1E}\u{1E}\u{1E}1\n\u{1E}\n\u{1E}2\n", ["1\n", "2\n"])
        check(framing, "\u{1E}{\"a\":\u{1E}true\n\u{1E}12", ["truncated", "true\n", "truncated"])
        check(framing, "\u{1E}12\u{1E}12 \u{1E}\"x\"\u{1E}[1]", ["truncated", "12 ", "\"x\"", "[1]"])
        check(framing, "lost\u{1E}1\nlost\u{1E}\"a\\\"\n]\"\n", ["1\n", "\"a\\\"\n]\"\n"])
        check(framing, "", [])
        check(JSONSequenceFraming(maximumLength: 3), "\u{1E}1\n\u{1E}2222\n", ["1\n"], .tooLong(limit: 3))
    }

    @Test("the elements of an array arrive one by one, whatever they contain")
    func arrays() {
        let framing = JSONArrayFraming()
        check(framing, "[]", [])
        check(framing, " [ ] \n", [])
        check(framing, "\u{FEFF}[1]", ["1"])
        check(framing, "[1,2.5e3 , true,null,\"a,]\\\"\"]", ["1", "2.5e3", "true", "null", "\"a,]\\\"\""])
        check(framing, "[{\"a\":[1,{\"b\":\"}]\"}]},[[]],\"\"]", ["{\"a\":[1,{\"b\":\"}]\"}]}", "[[]]", "\"\""])
        check(framing, "[1,2", ["1"], .truncated)
        check(framing, "[1,{\"a\":", ["1"], .truncated)
        check(framing, "", [], .truncated)
        check(framing, "{}", [], .notAnArray)
        check(framing, "\u{FEFF}7", [], .notAnArray)
        check(framing, "[1,]", ["1"], .unexpectedByte(0x5D))
        check(framing, "[,1]", [], .unexpectedByte(0x2C))
        check(framing, "[1 2]", ["1"], .unexpectedByte(0x32))
        check(framing, "[1]]", ["1"], .unexpectedByte(0x5D))
        check(framing, "[{}{}]", ["{}"], .unexpectedByte(0x7B))
        check(JSONArrayFraming(maximumLength: 3), "[1,22,4444]", ["1", "22"], .tooLong(limit: 3))
    }

    @Test("a value is delivered once it is complete")
    func promptness() throws {
        var array = JSONArrayFraming()
        #expect(try array.push(Data("[{\"a\":1}".utf8)).count == 1)
        #expect(try array.push(Data(",2".utf8)).isEmpty)
        #expect(try array.push(Data(",".utf8)).count == 1)
        var sequence = JSONSequenceFraming()
        #expect(try sequence.push(Data("\u{1E}{}\n".utf8)).count == 1)
    }

    @Test("values that cannot be decoded are failed elements between the others")
    func decoding() throws {
        var parser = NDJSONParser(of: Int.self)
        let values = try parser.push(Data("1\nx\n3\n".utf8)).map { try? $0.get() }
        #expect(values == [1, nil, 3])
    }

    @Test("sequences of data are parsed, and errors follow the complete elements")
    func asyncSequences() async throws {
        func chunks(_ texts: String...) -> AsyncStream<Data> {
            AsyncStream { continuation in
                for text in texts { continuation.yield(Data(text.utf8)) }
                continuation.finish()
            }
        }
        #expect(try await chunks("a\nb", "c\n").textLines().reduce(into: []) { $0.append($1) } == ["a", "bc"])
        #expect(try await chunks("1\n", "2").jsonLines(of: Int.self).reduce(0, +) == 3)
        #expect(
            try await chunks("[1", "2,", "3]").jsonArrayElements(of: Int.self).reduce(into: []) { $0.append($1) } == [
                12, 3,
            ])
        var elements = chunks("[1,2,]").jsonArrayElements(of: Int.self).makeAsyncIterator()
        #expect(try await elements.next() == 1)
        #expect(try await elements.next() == 2)
        await #expect(throws: StreamParsingError.self) { try await elements.next() }
        #expect(try await elements.next() == nil)
        let results = chunks("1\nx\n", "3").parsed(by: NDJSONParser(of: Int.self))
        #expect(try await results.reduce(into: 0) { $0 += (try? $1.get()) ?? 10 } == 14)
    }

    @Test("the way that a stream is cut does not change its elements")
    func randomStreams() {
        var generator = SplitGenerator(state: 1)
        let alphabet = Array("[]{},:\"\\ \n\r\u{1E}1ae-data:id:event".utf8)
        for _ in 0..<40 {
            let count = Int.random(in: 0..<60, using: &generator)
            let bytes = Data((0..<count).compactMap { _ in alphabet.randomElement(using: &generator) })
            #expect(Transcript<String>.disagreement(about: bytes, parser: JSONArrayFraming(), Self.describe) == nil)
            #expect(Transcript<String>.disagreement(about: bytes, parser: JSONSequenceFraming(), Self.describe) == nil)
            #expect(Transcript<String>.disagreement(about: bytes, parser: NDJSONFraming(), Self.describe) == nil)
            #expect(Transcript<String>.disagreement(about: bytes, parser: LineParser()) { $0 } == nil)
            #expect(
                Transcript<ServerSentEvent>.disagreement(about: bytes, parser: ServerSentEventParser()) { $0 } == nil)
        }
    }
}
