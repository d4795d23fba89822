import AirframeEncoding
import Foundation
import Testing

@Suite("Keys of a form", .timeLimit(.minutes(1)))
struct FormKeyEncodingTests {
    /// A value with one member under a key that is known at run time only.
    private struct Keyed: Encodable {
        struct Key: CodingKey {
            let stringValue: String
            var intValue: Int? { nil }
            init(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }

        let key: String

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(1, forKey: Key(stringValue: key))
        }
    }

    private func key(_ name: String, _ encoding: Form.KeyEncoding) throws -> String {
        let text: String = try Form(keyEncoding: encoding).encode(Keyed(key: name))
        return try #require(text.split(separator: "=", omittingEmptySubsequences: false).first?.removingPercentEncoding)
    }

    @Test(
        "snake case equals JSONEncoder's, kebab case is the same with hyphens",
        arguments: [
            "oneTwoThree", "URLString", "myURLPath", "already_snake", "_private", "a", "A", "Ab", "aB", "ABC",
            "one2Two", "x1Y2Z3", "aB1c", "aBC1d", "withSpace Here", "ALLCAPS", "éTéA", "aßB", "__leadingTwo__",
            "HTTPServer2", "iOS", "userID", "isHTTPSURL", "abC_De", "漢字Key", "",
        ]
    )
    func words(name: String) throws {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        let object = try JSONSerialization.jsonObject(with: encoder.encode(Keyed(key: name)))
        let expected = try #require((object as? [String: Int])?.keys.first)
        #expect(try key(name, .convertToSnakeCase) == expected)
        if !name.contains("_") {
            #expect(try key(name, .convertToKebabCase) == expected.replacingOccurrences(of: "_", with: "-"))
        }
    }

    @Test(
        "cases",
        arguments: [
            ("oneTwoThree", "OneTwoThree", "ONETWOTHREE", "onetwothree"), ("", "", "", ""), ("é", "É", "É", "é"),
            ("ßa", "SSa", "SSA", "ßa"),
        ]
    )
    func cases(name: String, capitalized: String, uppercased: String, lowercased: String) throws {
        #expect(try key(name, .capitalized) == capitalized)
        #expect(try key(name, .uppercased) == uppercased)
        #expect(try key(name, .lowercased) == lowercased)
    }

    @Test("keys that become equal are both kept, in a stable order")
    func collisions() throws {
        for _ in 0..<20 {
            let text: String = try Form(keyEncoding: .uppercased).encode(["a": 2, "A": 1])
            #expect(text == "A=1&A=2")
        }
    }

    @Test("dictionaries with integer keys")
    func wholeNumbers() throws {
        let text: String = try Form().encode([2: "b", 1: "a"])
        #expect(text == "1=a&2=b")
    }
}
