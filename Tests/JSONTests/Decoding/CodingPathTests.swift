import AirframeJSON
import Foundation
import Testing

@Suite("Coding paths that types read, against Foundation's", .timeLimit(.minutes(1)))
struct CodingPathTests {
    /// A value that is its coding path.
    private struct Place: Decodable, CustomStringConvertible {
        let description: String

        init(from decoder: any Decoder) throws {
            let paths = [decoder.codingPath, try decoder.singleValueContainer().codingPath]
            description = paths.map { path in
                path.map { "\($0.stringValue)/\($0.intValue.map(String.init) ?? "-")" }.joined(separator: ".")
            }.joined(separator: " ")
        }
    }

    private struct Holder: Decodable {
        let urlPath: Place?
        let inner: [Holder]?
        let byNumber: [Int: Place]?
        let byName: [String: Place]?
    }

    /// A type whose members may be missing where `superDecoder` asks for them.
    private struct Lenient: Decodable, CustomStringConvertible {
        let description: String

        private enum Keys: CodingKey { case parent }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Keys.self)
            let decoders = [try? container.superDecoder(), try? container.superDecoder(forKey: .parent)]
            description = decoders.map { decoder in
                guard let decoder, let value = try? decoder.singleValueContainer() else { return "none" }
                return "\(value.decodeNil()) at \(value.codingPath.map(\.stringValue))"
            }.joined(separator: ", ")
        }
    }

    private func check<Value: Decodable>(
        _ type: Value.Type,
        _ document: String,
        keys: JSONDecoder.KeyDecodingStrategy = .useDefaultKeys
    ) {
        var fast = FastJSONDecoder()
        let foundation = JSONDecoder()
        fast.keyDecodingStrategy = keys
        foundation.keyDecodingStrategy = keys
        let difference = Differential.difference(type, Data(document.utf8), fast, foundation)
        #expect(difference == nil, "\(difference ?? "")")
    }

    @Test(
        "are the same, with plain and with converted keys",
        arguments: [
            #"{"urlPath":1,"inner":[{"urlPath":2},{"inner":[{"urlPath":3}]}]}"#,
            #"{"url_path":1,"inner":[{"url_path":2},{"inner":[{"url_path":3}]}]}"#,
            #"{"byName":{"5":1,"a":2}}"#, #"{"byName":{"-7":1}}"#, #"{"by_name":{"+8":1}}"#, #"{"byNumber":{"5":1}}"#,
            #"{"by_number":{"5":1},"url_path":2}"#,
        ])
    func paths(document: String) {
        check(Holder.self, document)
        check(Holder.self, document, keys: .convertFromSnakeCase)
        check([Holder].self, "[\(document)]", keys: .convertFromSnakeCase)
    }

    @Test("keys with integer values are in the path")
    func integerKeys() {
        struct Numbered: Decodable {
            enum CodingKeys: Int, CodingKey { case first = 1, second }

            let first: Place
            let second: Place?
        }
        check(Numbered.self, #"{"first":1,"second":2}"#)
        check([Numbered].self, #"[{"first":1}]"#)
    }

    @Test("plain keys are decoded without Foundation, also if a type reads its path")
    func fast() {
        let document = Data(#"{"urlPath":1,"inner":[{"urlPath":2}]}"#.utf8)
        #expect(FastJSONDecoder().decodePlainly(Holder.self, from: document) != nil)
    }

    @Test("a custom strategy sees the converted keys of the objects around a key")
    func customStrategy() {
        struct Key: CodingKey {
            let stringValue: String
            var intValue: Int? { nil }
            init(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }
        // Drops the name of the surrounding member: {"INNER":[{"inner_urlPath":1}]}.
        let strategy = JSONDecoder.KeyDecodingStrategy.custom { path in
            let name = path.last?.stringValue ?? ""
            let outer = path.dropLast().last { $0.intValue == nil }?.stringValue
            guard let outer, name.hasPrefix(outer + "_") else { return Key(stringValue: name.lowercased()) }
            return Key(stringValue: String(name.dropFirst(outer.count + 1)))
        }
        check(Holder.self, #"{"INNER":[{"inner_urlPath":1}]}"#, keys: strategy)
    }

    @Test(
        "superDecoder returns a decoder of null for a missing member",
        arguments: ["{}", #"{"super":1}"#, #"{"parent":null}"#, #"{"super":null,"parent":{}}"#])
    func missingSuper(document: String) {
        check(Lenient.self, document)
        check([String: Lenient].self, "{\"a\":\(document)}")
    }
}
