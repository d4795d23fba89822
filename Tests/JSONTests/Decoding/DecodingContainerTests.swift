import Foundation
import Testing

@testable import AirframeJSON

/// Containers of keys serve one object after another. No type may see that.
@Suite("Keyed containers of a decoder", .timeLimit(.minutes(1)))
struct DecodingContainerTests {
    /// An object that is read only when it is asked for its name.
    private struct Lazy: Decodable {
        enum Keys: CodingKey { case name }

        private let container: KeyedDecodingContainer<Keys>

        init(from decoder: any Decoder) throws { container = try decoder.container(keyedBy: Keys.self) }

        var name: String { get throws { try container.decode(String.self, forKey: .name) } }
    }

    /// An object that can contain objects of its type, and reads a member after them.
    private struct Tree: Decodable, Equatable {
        let name: String
        let children: [Tree]
        let end: Int

        enum Keys: CodingKey { case name, children, end }

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

    @Test("are used again with the standard library of this tool chain")
    func areReused() { #expect(ContainerBox.isWholeOfDecodingContainer) }

    @Test("read their own objects when values keep them, during the decoding and after it")
    func kept() throws {
        let text = "[" + (0..<40).map { #"{"name":"\#($0)"}"# }.joined(separator: ",") + "]"
        let values = try FastJSONDecoder().decode([Lazy].self, from: Data(text.utf8))
        #expect(try values.map { try $0.name } == (0..<40).map(String.init))
    }

    @Test("of an outer object read it after the inner ones of the same type", arguments: [2, 5, 9])
    func recursive(depth: Int) throws {
        let data = Data(tree(depth: depth).utf8)
        let own = try FastJSONDecoder().decode(Tree.self, from: data)
        let foundation = try JSONDecoder().decode(Tree.self, from: data)
        #expect(own == foundation)
    }

    @Test("read their own objects at more levels than there are kept containers")
    func deep() throws {
        let text =
            (0..<60).map { #"{"name":"\#($0)","children":["# }.joined() + (0..<60).map { #"],"end":\#($0)}"# }.joined()
        var value = try #require(FastJSONDecoder().decodePlainly(Tree.self, from: Data(text.utf8)))
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
        let pairs = try FastJSONDecoder().decode([Pair].self, from: Data(text.utf8))
        #expect(pairs.map(\.values) == [[1, 3, 2, 2], [4, 6, 5, 5]])
    }

    /// Keeps its decoder, and asks it for containers after the decoding.
    private final class Late: Decodable {
        private let decoder: any Decoder

        init(from decoder: any Decoder) throws { self.decoder = decoder }

        var name: String {
            get throws { try decoder.container(keyedBy: Lazy.Keys.self).decode(String.self, forKey: .name) }
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
