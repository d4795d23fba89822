import AirframeCore
import AirframeSerialization
import Foundation
import Testing

@Suite("Media types", .timeLimit(.minutes(1)))
struct MediaTypeTests {
    private struct Case: Decodable {
        let input: String
        let output: String?
        let encoding: String?

        init(from decoder: any Decoder) throws {
            // Strings between the cases are headings.
            guard let container = try? decoder.container(keyedBy: Key.self) else {
                (input, output, encoding) = ("", nil, nil)
                return
            }
            input = try container.decode(String.self, forKey: .input)
            output = try container.decodeIfPresent(String.self, forKey: .output)
            encoding = try container.decodeIfPresent(String.self, forKey: .encoding)
        }

        private enum Key: CodingKey { case input, output, encoding }
    }

    private static let file = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../../shared/conformance/wpt-mime-types.json").standardizedFileURL
    private static let cases = (try? JSONDecoder().decode([Case].self, from: Data(contentsOf: file))) ?? []

    @Test(
        "the cases of the web platform's tests",
        .enabled(if: !cases.isEmpty, "no conformance data next to the repository"))
    func foreignCases() throws {
        for example in Self.cases {
            #expect(MediaType(example.input)?.description == example.output, "\(example.input.debugDescription)")
            guard example.output != nil, example.input.allSatisfy(\.isASCII) else { continue }
            let type = try #require(MediaType(example.input))
            let response = try SerializerTests.response(contentType: type.description)
            // 0xD6 0xD0 is one character in GBK, and two in the fallback encodings.
            let text = try? StringResponseSerializer()
                .serialize(request: nil, response: response, data: Data([0xD6, 0xD0]), error: nil)
            #expect((text == "中") == (example.encoding == "GBK"), "\(example.input.debugDescription)")
        }
    }

    @Test("type, subtype and parameters are parsed in any case and with whitespace (RFC 9110 §8.3.1)")
    func parts() throws {
        let type = try #require(MediaType(" Text/HTML ; Charset=\"a\\\"b\";x=y;X=z"))
        #expect(type.type == "text")
        #expect(type.subtype == "html")
        #expect(type.essence == "text/html")
        #expect(type["charset"] == "a\"b")
        #expect(type["x"] == "y")
        #expect(type["none"] == nil)
        #expect(type.description == "text/html;charset=\"a\\\"b\";x=y")
    }

    @Test(
        "a string without type and subtype is not a media type",
        arguments: ["", "text", "/html", "text/", "a b/c", "a/b c", ";"])
    func invalid(text: String) {
        #expect(MediaType(text) == nil)
    }
}
