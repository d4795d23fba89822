import Foundation
import Testing

@testable import AirframeJSON

/// Containers of keys serve one object after another. Decoded types cannot observe the reuse.
///
/// Errors would be Foundation's, and values too after an error: therefore nothing is left to Foundation here.
@Suite("Keyed containers of a decoder", .timeLimit(.minutes(1)))
struct DecodingContainerTests {
    private func decode<Value: Decodable>(_ type: Value.Type, _ text: String) throws -> Value {
        try #require(FastJSONDecoder().decodePlainly(type, from: Data(text.utf8)))
    }

    private enum Keys: CodingKey { case name, children, end }

    private struct Named: Decodable {
        let name: String
    }

    /// An object that can contain objects of its type, and reads a member after them.
    private struct Tree: Decodable, Equatable {
        let name: String
        let children: [Tree]
        let end: Int

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Keys.self)
            name = try container.decode(String.self, forKey: .name)
            children = try container.decode([Tree].self, forKey: .children)
            end = try container.decode(Int.self, forKey: .end)
        }
    }

    /// A document of `Tree`, of which each object but the innermost ones has two children.
    private func tree(depth: Int, number: Int = 1) -> String {
        let children = depth > 1 ? (0...1).map { tree(depth: depth - 1, number: 2 * number + $0) } : []
        return #"{"name":"\#(number)","children":[\#(children.joined(separator: ","))],"end":\#(number)}"#
    }

    @Test("serve many objects with the standard library of this tool chain")
    func areReused() throws {
        #expect(ContainerBox.isWholeOfDecodingContainer)
        let text = "[" + (0..<10).map { #"{"name":"\#($0)"}"# }.joined(separator: ",") + "]"
        let document = try #require(JSONDocument(Data(text.utf8), options: FastJSONDecoder()))
        defer { document.close() }
        #expect(try document.decode([Named].self, at: 0).map(\.name) == (0..<10).map(String.init))
        #expect(document.containers.count == 1)
    }

    /// Gives its container away.
    private struct Lazy: Decodable {
        private static let earlier = CodingUserInfoKey(rawValue: "earlier")

        /// The containers of the objects that were decoded before. Confined to the decoding.
        final class Earlier: @unchecked Sendable {
            var all: [Lazy] = []
        }

        private let container: KeyedDecodingContainer<Keys>
        /// What the earlier containers read while this object is decoded.
        let earlierNames: [String]

        init(from decoder: any Decoder) throws {
            container = try decoder.container(keyedBy: Keys.self)
            let earlier = Self.earlier.flatMap { decoder.userInfo[$0] as? Earlier }
            earlierNames = try earlier?.all.map { try $0.name } ?? []
            earlier?.all.append(self)
        }

        var name: String { get throws { try container.decode(String.self, forKey: .name) } }

        static func decoder() -> FastJSONDecoder {
            var decoder = FastJSONDecoder()
            if let earlier { decoder.userInfo[earlier] = Earlier() }
            return decoder
        }
    }

    @Test("read their own objects when values keep them, during the decoding and after it")
    func kept() throws {
        let names = (0..<40).map(String.init)
        let text = "[" + names.map { #"{"name":"\#($0)"}"# }.joined(separator: ",") + "]"
        let values = try #require(Lazy.decoder().decodePlainly([Lazy].self, from: Data(text.utf8)))
        #expect(try values.map { try $0.name } == names)
        for (index, value) in values.enumerated() { #expect(value.earlierNames == Array(names.prefix(index))) }
    }

    @Test("of an outer object read it after the inner ones of the same type", arguments: [2, 5, 9])
    func recursive(depth: Int) throws {
        let text = tree(depth: depth)
        let foundation = try JSONDecoder().decode(Tree.self, from: Data(text.utf8))
        #expect(try decode(Tree.self, text) == foundation)
    }

    @Test("read their own objects at more levels than there are kept containers")
    func deep() throws {
        let text =
            (0..<60).map { #"{"name":"\#($0)","children":["# }.joined() + (0..<60).map { #"],"end":\#($0)}"# }.joined()
        var value = try decode(Tree.self, text)
        for level in 0..<59 {
            #expect(value.name == String(level) && value.end == 59 - level)
            value = try #require(value.children.first)
        }
    }

    @Test("of one object are independent")
    func twoOfOneObject() throws {
        struct Pair: Decodable {
            enum Keys: CodingKey { case first, second, nested }

            let values: [Int]

            init(from decoder: any Decoder) throws {
                let one = try decoder.container(keyedBy: Keys.self)
                let two = try decoder.container(keyedBy: Keys.self)
                let nested = try two.nestedContainer(keyedBy: Keys.self, forKey: .nested)
                values = try [
                    one.decode(Int.self, forKey: .first), nested.decode(Int.self, forKey: .first),
                    two.decode(Int.self, forKey: .second), one.decode(Int.self, forKey: .second),
                ]
            }
        }
        let text = #"[{"first":1,"second":2,"nested":{"first":3}},{"first":4,"second":5,"nested":{"first":6}}]"#
        #expect(try decode([Pair].self, text).map(\.values) == [[1, 3, 2, 2], [4, 6, 5, 5]])
    }

    @Test("are right after an error that a type catches")
    func caught() throws {
        struct Careful: Decodable {
            let name: String

            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: Keys.self)
                let children = (try? container.decode([Named].self, forKey: .children)) ?? []
                let tree = try? container.decode(Tree.self, forKey: .end)
                name = try container.decode(String.self, forKey: .name) + "\(children.count)\(tree?.name ?? "-")"
            }
        }
        let bad = #"{"name":"a","children":[{"name":"b"},{"name":1}],"end":{"name":"c","children":[{}],"end":1}}"#
        let good = #"{"name":"d","children":[{"name":"e"}],"end":{"name":"f","children":[],"end":1}}"#
        #expect(try decode([Careful].self, "[\(bad),\(good),\(bad)]").map(\.name) == ["a0-", "d1f", "a0-"])
    }

    /// An object whose keys are of a type for each digit.
    private struct Numbered<Digit>: Decodable {
        struct Keys: CodingKey {
            let stringValue: String
            var intValue: Int? { nil }

            init(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }

        let value: Int

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Keys.self)
            value = try container.decode(Int.self, forKey: Keys(stringValue: "value"))
        }
    }

    /// Returns types of which each has its own keys.
    private func types(_ count: Int) -> [any Decodable.Type] {
        func add<Digit>(_ type: Digit.Type, to types: inout [any Decodable.Type]) {
            guard types.count < count else { return }
            types.append(Numbered<Digit>.self)
            add([Digit].self, to: &types)
        }
        var types: [any Decodable.Type] = []
        add(Int.self, to: &types)
        return types
    }

    @Test("are kept for the types that follow when more types than fit have gone before")
    func manyTypes() throws {
        let text = "[" + (0..<60).map { #"{"value":\#($0)}"# }.joined(separator: ",") + "]"
        let document = try #require(JSONDocument(Data(text.utf8), options: FastJSONDecoder()))
        defer { document.close() }
        for (index, type) in (types(30) + types(30)).enumerated() {
            let value = try document.decode(type, at: 1 + 3 * index)
            #expect("\(value)".contains("value: \(index))"))
        }
        #expect(document.containers.count == 16)
        weak var box: AnyObject?
        func use() throws { box = try document.container(keyedBy: Numbered<String>.Keys.self, at: 1).box }
        try use()
        #expect(box != nil, "the container was not kept")
    }

    /// `@unchecked`, because it has a subclass. Both are immutable.
    private class Base: CodingKey, @unchecked Sendable {
        let stringValue: String
        var intValue: Int? { nil }

        required init?(stringValue: String) { self.stringValue = stringValue }
        required init?(intValue: Int) { nil }
    }

    /// Immutable, as ``Base`` is.
    private final class Sub: Base, @unchecked Sendable {}

    @Test("of classes of keys belong to one class")
    func classesOfKeys() throws {
        struct General: Decodable {
            let keys: [String]

            init(from decoder: any Decoder) throws {
                let type: Base.Type = Sub.self
                keys = try decoder.container(keyedBy: type).allKeys.map(\.stringValue)
            }
        }
        struct Special: Decodable {
            let keys: [Sub]

            init(from decoder: any Decoder) throws { keys = try decoder.container(keyedBy: Sub.self).allKeys }
        }
        struct Both: Decodable {
            let general: General
            let special: Special
            let last: General
        }
        let both = try decode(Both.self, #"{"general":{"a":1},"special":{"b":1},"last":{"c":1}}"#)
        #expect(both.general.keys == ["a"] && both.special.keys.map(\.stringValue) == ["b"] && both.last.keys == ["c"])
    }

    /// Keeps its decoder, and asks it for containers after the decoding.
    private final class Late: Decodable {
        private let decoder: any Decoder

        init(from decoder: any Decoder) throws { self.decoder = decoder }

        var name: String {
            get throws { try decoder.container(keyedBy: Keys.self).decode(String.self, forKey: .name) }
        }
    }

    @Test("do not keep their document")
    func released() throws {
        final class Token: Sendable {}
        let key = try #require(CodingUserInfoKey(rawValue: "token"))
        weak var token: Token?
        func use() throws {
            var decoder = FastJSONDecoder()
            let strong = Token()
            token = strong
            decoder.userInfo[key] = strong
            let data = Data(#"{"name":"a"}"#.utf8)
            #expect(try decoder.decode(Lazy.self, from: data).name == "a")
            #expect(try decoder.decode(Late.self, from: data).name == "a")
            #expect(throws: DecodingError.self) { try decoder.decode(Tree.self, from: data) }
        }
        try use()
        #expect(token == nil)
    }
}
