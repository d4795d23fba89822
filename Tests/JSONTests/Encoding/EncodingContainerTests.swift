import Foundation
import Testing

@testable import AirframeJSON

/// Containers of keys serve one object after another. Encoded types cannot observe the reuse.
@Suite("Keyed containers of an encoder", .timeLimit(.minutes(1)))
struct EncodingContainerTests {
    private enum Keys: CodingKey { case name, children, end }

    /// An object that can contain objects of its type, and writes a member after them.
    private struct Tree: Encodable {
        let name: String
        let children: [Tree]

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Keys.self)
            try container.encode(name, forKey: .name)
            try container.encode(children, forKey: .children)
            try container.encode(children.count, forKey: .end)
        }
    }

    private struct Named: Decodable {
        let name: String
    }

    private func tree(depth: Int) -> Tree {
        Tree(name: "\(depth)", children: depth > 1 ? [tree(depth: depth - 1), tree(depth: 1)] : [])
    }

    @Test("serve many objects with the standard library of this tool chain")
    func areReused() throws {
        #expect(ContainerBox.isWholeOfEncodingContainer)
        let writer = try #require(JSONWriter(FastJSONEncoder()))
        let text = try #require(writer.text(of: (0..<10).map { Tree(name: "\($0)", children: []) }))
        let values = try JSONDecoder().decode([Named].self, from: text)
        #expect(values.map(\.name) == (0..<10).map(String.init))
        #expect(writer.containers.count == 1)
    }

    @Test("of an outer object write to it after the inner ones of the same type", arguments: [2, 5, 40])
    func recursive(depth: Int) throws {
        try EncoderDifferential.check(tree(depth: depth))
        #expect(FastJSONEncoder().encodePlainly(tree(depth: depth)) != nil)
    }

    /// Keeps its container, and writes to those of the objects before it.
    private struct Meddling: Encodable {
        final class Containers { var all: [KeyedEncodingContainer<Keys>] = [] }

        let number: Int
        let containers: Containers

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Keys.self)
            for index in containers.all.indices { try containers.all[index].encode(number, forKey: .end) }
            try container.encode(number, forKey: .name)
            containers.all.append(container)
        }
    }

    @Test("that a value keeps are not used for another object")
    func kept() throws {
        func values() -> [Meddling] {
            let containers = Meddling.Containers()
            return (0..<3).map { Meddling(number: $0, containers: containers) }
        }
        let foundation = JSONEncoder()
        foundation.outputFormatting = .sortedKeys
        let expected = String(decoding: try foundation.encode(values()), as: UTF8.self)
        var fast = FastJSONEncoder()
        fast.outputFormatting = .sortedKeys
        #expect(expected == #"[{"name":0},{"name":1},{"name":2}]"#)
        #expect(String(decoding: try fast.encode(values()), as: UTF8.self) == expected)
        // The earlier objects are complete when others write to them. Had their containers been used again, the writes
        // would be to the present object, and nothing would be left to Foundation.
        #expect(fast.encodePlainly(values()) == nil)
    }

    @Test("are right after an error that a type catches")
    func caught() throws {
        struct Careful: Encodable {
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: Keys.self)
                try? container.encode(["a": Double.nan], forKey: .children)
                try container.encode("b", forKey: .name)
            }
        }
        let values = [Careful(), Careful()]
        let foundation = JSONEncoder()
        foundation.outputFormatting = .sortedKeys
        let fast = try #require(FastJSONEncoder(foundation))
        let (ours, theirs) = (try fast.encode(values), try foundation.encode(values))
        #expect(ours == theirs)
    }

    /// Keeps its encoder, and asks it for containers after the encoding.
    private final class Late: Encodable {
        var encoder: (any Encoder)?

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Keys.self)
            try container.encode(1, forKey: .name)
            self.encoder = encoder
        }
    }

    @Test("do not keep their writer")
    func released() throws {
        final class Token: Sendable {}
        let key = try #require(CodingUserInfoKey(rawValue: "token"))
        weak var token: Token?
        func use() throws {
            var encoder = FastJSONEncoder()
            let strong = Token()
            token = strong
            encoder.userInfo[key] = strong
            _ = try encoder.encode(tree(depth: 3))
            #expect(throws: EncodingError.self) { try encoder.encode(["a": [Keys.end.stringValue: Double.nan]]) }
            #expect(throws: EncodingError.self) { try encoder.encode([Pair(first: 1, second: .nan)]) }
            let late = Late()
            #expect(encoder.encodePlainly(late) != nil)
            var container = try #require(late.encoder).container(keyedBy: Keys.self)
            _ = container.nestedContainer(keyedBy: Keys.self, forKey: .end)
        }
        try use()
        #expect(token == nil)
    }

    private struct Pair: Encodable {
        let first: Double
        let second: Double
    }

    @Test(
        "strings with characters that are escaped, at every position of a word",
        arguments: ["\"", "\\", "/", "\n", "\u{1F}", "\u{7F}", "\u{80}", "é", "\u{0}", " ", "\u{10FFFF}"])
    func escapes(character: String) throws {
        let texts = (0...20).flatMap { before in
            [0, 1, 7, 8, 9].map { after in
                String(repeating: "a", count: before) + character + String(repeating: "b", count: after)
                    + (after == 9 ? character : "")
            }
        }
        try EncoderDifferential.check(texts)
        try EncoderDifferential.check(Dictionary(uniqueKeysWithValues: texts.enumerated().map { ($1, $0) }))
    }

    @Test("every character below 256, alone and in a word")
    func characters() throws {
        let characters = (0..<256).compactMap { Unicode.Scalar($0).map(Character.init) }
        try EncoderDifferential.check(characters.flatMap { ["\($0)", "abc\($0)defgh", "abcdefgh\($0)\($0)"] })
    }

    @Test("integers of every length and type")
    func integers() throws {
        let powers = (0...18).map { (0..<$0).reduce(1) { value, _ in value * 10 } }
        let values = powers.flatMap { [$0, $0 - 1, $0 + 1, -$0, 1 - $0, -1 - $0] } + [Int.max, .min]
        try EncoderDifferential.check(values)
        try EncoderDifferential.check(values.map { UInt64($0.magnitude) } + [UInt64.max])
        try EncoderDifferential.check([Int8.min, -1, 0, 9, 10, .max])
        try EncoderDifferential.check(values.map { Wide(value: Int128($0) * Int128(Int64.max), natural: .max) })
    }

    private struct Wide: Encodable {
        let value: Int128
        let natural: UInt128
    }
}
