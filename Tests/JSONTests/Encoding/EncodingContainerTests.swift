import Foundation
import Testing

@testable import AirframeJSON

/// Containers of keys serve one object after another. No type may see that.
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

    private func tree(depth: Int) -> Tree {
        Tree(name: "\(depth)", children: depth > 1 ? [tree(depth: depth - 1), tree(depth: 1)] : [])
    }

    @Test("are used again with the standard library of this tool chain")
    func areReused() { #expect(ContainerBox.isWholeOfEncodingContainer) }

    @Test("of an outer object write to it after the inner ones of the same type", arguments: [2, 5, 40])
    func recursive(depth: Int) throws {
        try EncoderDifferential.check(tree(depth: depth))
        #expect(FastJSONEncoder().encodePlainly(tree(depth: depth)) != nil)
    }

    /// Gives its container to the caller.
    private final class Kept: Encodable {
        var containers: [KeyedEncodingContainer<Keys>] = []

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Keys.self)
            try container.encode(containers.count, forKey: .name)
            containers.append(container)
        }
    }

    @Test("that a value keeps are not used for another object")
    func kept() throws {
        let value = Kept()
        let text = try FastJSONEncoder().encode([value, value, value])
        #expect(String(decoding: text, as: UTF8.self) == #"[{"name":0},{"name":1},{"name":2}]"#)
        for index in value.containers.indices {
            // A write to a complete object has no effect and does no harm.
            try value.containers[index].encode("late", forKey: .end)
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
            #expect(throws: EncodingError.self) { try encoder.encode([Double.nan: Kept()]) }
        }
        try use()
        #expect(token == nil)
    }

    @Test(
        "strings with characters that are escaped, at every position of a word",
        arguments: ["\"", "\\", "/", "\n", "\u{1F}", "\u{7F}", "\u{80}", "é", "\u{0}", " ", "\u{10FFFF}"])
    func escapes(character: String) throws {
        let texts = (0...20).flatMap { before in
            [0, 1, 7, 8, 9].map { after in
                String(repeating: "a", count: before) + character + String(repeating: "b", count: after)
            }
        }
        try EncoderDifferential.check(texts)
        try EncoderDifferential.check(Dictionary(uniqueKeysWithValues: texts.enumerated().map { ($1, $0) }))
    }

    @Test("integers of every length and type")
    func integers() throws {
        let powers = (0...18).map { (0..<$0).reduce(1) { value, _ in value * 10 } }
        let values = powers.flatMap { [$0, $0 - 1, $0 + 1, -$0, 1 - $0, -1 - $0] } + [Int.max, .min]
        try EncoderDifferential.check(values)
        try EncoderDifferential.check(values.map { UInt64($0.magnitude) } + [UInt64.max])
        try EncoderDifferential.check([Int8.min, -1, 0, 9, 10, .max])
        try EncoderDifferential.check(values.map { Wrapped(value: Int128($0) * Int128(Int64.max)) })
    }

    private struct Wrapped: Encodable { let value: Int128 }
}
