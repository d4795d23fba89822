import Foundation
import Testing

@testable import AirframeTransport

@Suite("structured fields (RFC 9651)", .timeLimit(.minutes(1)))
struct StructuredFieldTests {
    @Test(
        "items",
        arguments: [
            ("42", "42"), (" -0 ", "0"), ("999999999999999", "999999999999999"), ("4.5", "4.5"), ("-0.050", "-0.05"),
            ("123456789012.125", "123456789012.125"), (#""a \"b\" \\""#, #""a \"b\" \\""#),
            ("*foo/bar:baz", "*foo/bar:baz"),
            (":aGk=:", ":aGk=:"), (":aGk:", ":aGk=:"), ("?1", "?1"), ("?0;a;b=?0", "?0;a;b=?0"),
            ("@1659578233", "@1659578233"),
            ("a;x=1;x=2", "a;x=2"), ("a;x=?1", "a;x"),
        ]
    )
    func items(_ text: String, _ expected: String) throws {
        #expect(try StructuredFieldParser.item(text).serialized == expected)
    }

    @Test(
        "malformed items are refused",
        arguments: [
            "", "1000000000000000", "1.", "1.1234", "1234567890123.1", "-", "--1", "\"a", "\"\\a\"", "\"é\"", ":a:b",
            ":!:",
            "?2", "?", "@1.5", "@", "a b", "a;", "a;B", "é", "(a)", "a, b", "{",
        ]
    )
    func badItems(_ text: String) {
        #expect(throws: StructuredFieldError.self) { try StructuredFieldParser.item(text) }
    }

    @Test("lists and dictionaries")
    func collections() throws {
        let list = try StructuredFieldParser.list("a;x , (1  2;y);z=3,\t\"s\"")
        #expect(list.serialized == "a;x, (1 2;y);z=3, \"s\"")
        #expect(try StructuredFieldParser.list("").isEmpty)
        let dictionary = try StructuredFieldParser.dictionary("a=1, b;x=2, c=(), a=3")
        #expect(dictionary.serialized == "a=3, b;x=2, c=()")
        for text in ["a,", ",a", "a b", "(a", "(a,b)", "(a\"b\")"] {
            #expect(throws: StructuredFieldError.self) { try StructuredFieldParser.list(text) }
        }
        for text in ["a=", "A=1", "1=2", "a==1", "a=1,,b=2"] {
            #expect(throws: StructuredFieldError.self) { try StructuredFieldParser.dictionary(text) }
        }
    }

    @Test("a dictionary has at most 1,024 members, an inner list 256 items, an item 256 parameters (RFC 9651 §3)")
    func limits() throws {
        func members(_ count: Int) -> String { (0..<count).map { "a\($0)" }.joined(separator: ",") }
        func innerList(_ count: Int) -> String { "(" + String(repeating: "1 ", count: count) + ")" }
        func parameters(_ count: Int) -> String { "1" + (0..<count).map { ";a\($0)" }.joined() }
        #expect(try StructuredFieldParser.dictionary(members(1024)).pairs.count == 1024)
        #expect(try StructuredFieldParser.item(parameters(256)).parameters.pairs.count == 256)
        for text in [members(1025), members(1024) + ",a0"] {
            #expect(throws: StructuredFieldError.self) { try StructuredFieldParser.dictionary(text) }
        }
        guard case .innerList(let inner, _) = try StructuredFieldParser.list(innerList(256)).first else {
            Issue.record("there is no inner list")
            return
        }
        #expect(inner.count == 256)
        for text in [innerList(257), parameters(257), "(1)" + parameters(257).dropFirst()] {
            #expect(throws: StructuredFieldError.self) { try StructuredFieldParser.list(text) }
        }
    }

    @Test("no text traps the parser")
    func anything() {
        var random = SystemRandomNumberGenerator()
        let alphabet = Array("a1-.\"\\:?@(); ,=*\t\u{0}é".unicodeScalars)
        for _ in 0..<20_000 {
            var text = ""
            for _ in 0..<Int.random(in: 0...12, using: &random) {
                text.unicodeScalars.append(alphabet.randomElement(using: &random) ?? "a")
            }
            guard let dictionary = try? StructuredFieldParser.dictionary(text) else { continue }
            let again = try? StructuredFieldParser.dictionary(dictionary.serialized).serialized
            #expect(again == dictionary.serialized, "\(text.debugDescription)")
        }
    }
}
