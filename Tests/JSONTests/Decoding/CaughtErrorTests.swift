import AirframeJSON
import Foundation
import Testing

/// A type that tries one kind after the other and records the errors.
private struct Witness: Decodable, CustomStringConvertible {
    let description: String

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        var words = [Self.text(decoder.codingPath), Self.text(container.codingPath)]
        func attempt<Value: Decodable>(_ type: Value.Type) {
            do {
                _ = try container.decode(type)
                words.append("\(type) yes")
            } catch DecodingError.typeMismatch(_, let context) {
                words.append("\(type) mismatch at \(Self.text(context.codingPath))")
            } catch DecodingError.valueNotFound(_, let context) {
                words.append("\(type) nothing at \(Self.text(context.codingPath))")
            } catch {
                words.append("\(type) other")
            }
        }
        attempt(Int.self)
        attempt(UInt8.self)
        attempt(Double.self)
        attempt(String.self)
        attempt([Witness].self)
        attempt([String: Witness].self)
        if let nested = try? container.decode([Witness].self) { words += nested.map(\.description) }
        if let nested = try? container.decode([String: Witness].self) {
            words += nested.sorted { $0.key < $1.key }.map(\.value.description)
        }
        description = words.joined(separator: "; ")
    }

    private static func text(_ path: [any CodingKey]) -> String {
        path.map { "\($0.stringValue)/\($0.intValue.map(String.init) ?? "-")" }.joined(separator: ".")
    }
}

@Suite("Errors that a type catches", .timeLimit(.minutes(1)))
struct CaughtErrorTests {
    @Test(
        "have the kind and the coding path of JSONDecoder's",
        arguments: [
            "1", "[1,\"a\",null,1.5,300,-1,[2,{}],{\"a\":[{\"b\":1e99}],\"c\":\"\"}]", "{\"a\":{\"b\":[[],[[true]]]}}",
            "[[[[[1]]]],{\"x\":{\"y\":{\"z\":null}}}]", "[-0,0.0,1e2,12345678901234567890,1.2345678901234567]",
        ]
    )
    func paths(document: String) throws {
        let data = Data(document.utf8)
        let ours = try FastJSONDecoder().decode(Witness.self, from: data).description
        let theirs = try JSONDecoder().decode(Witness.self, from: data).description
        #expect(ours == theirs)
    }

    @Test("share the text of the keys around the value, which may be long")
    func longKeys() throws {
        struct Flag: Decodable {
            let keys: [String]
            init(from decoder: any Decoder) throws {
                do {
                    _ = try decoder.singleValueContainer().decode(Bool.self)
                    keys = []
                } catch DecodingError.typeMismatch(_, let context) {
                    keys = context.codingPath.map(\.stringValue)
                }
            }
        }
        let key = String(repeating: "a", count: 1000)
        let flags = try FastJSONDecoder().decode([String: [Flag]].self, from: Data("{\"\(key)\":[0,0]}".utf8))
        let texts = try #require(flags[key]).compactMap(\.keys.first)
        #expect(texts == [key, key])
        let addresses = texts.map { text in
            var text = text
            return text.withUTF8 { UInt(bitPattern: $0.baseAddress) }
        }
        #expect(Set(addresses).count == 1)
    }
}
