import AirframeJSON
import Foundation
import Testing

/// The number of random values; `make endure` sets more.
private let valueCount = ProcessInfo.processInfo.environment["AIRFRAME_JSON_DOCUMENTS"].flatMap(Int.init) ?? 400

@Suite("FastJSONEncoder against JSONEncoder", .timeLimit(.minutes(valueCount > 400 ? 60 : 1)))
struct EncoderDifferentialTests {
    private struct User: Codable {
        var id = 7
        var name = "Ada \"Countess\" Lovelace/King\n"
        var score = 1.5
        var isActive = true
        var tags: Set = ["one"]
        var home: Home? = Home()
        var work: Home?
        var choice = Choice.list([1, 2], child: nil)
        var word = Word.second

        struct Home: Codable {
            var oneTwo = "漢😀"
            var point: [Float] = [0.1, 1e10, 1]
        }
        enum Choice: Codable { case list([Int], child: Int?) }
        enum Word: String, Codable { case first, second }
    }

    private class Animal: Encodable {
        let legs = 4
    }

    private final class Cat: Animal {
        let lives = 9

        enum CodingKeys: CodingKey { case lives }

        override func encode(to encoder: any Encoder) throws {
            try super.encode(to: encoder)
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(lives, forKey: .lives)
        }
    }

    private struct Nothing: Encodable {
        func encode(to encoder: any Encoder) throws {}
    }

    @Test("values whose encoding the compiler makes")
    func synthesized() throws {
        try EncoderDifferential.check(User())
        try EncoderDifferential.check([User](repeating: User(), count: 3))
        try EncoderDifferential.check(["a": [1: User()], "b": [:]])
        try EncoderDifferential.check([User?.none, User()])
        try EncoderDifferential.check([String]())
        try EncoderDifferential.check([Int]?.none)
    }

    @Test("a class that adds members to those of its superclass")
    func superclasses() throws {
        try EncoderDifferential.check(Cat())
        try EncoderDifferential.check([Cat(), Animal()])
    }

    @Test("scalars at the top, and values that encode nothing")
    func fragments() throws {
        try EncoderDifferential.check("x/\u{1}")
        try EncoderDifferential.check(1)
        try EncoderDifferential.check(Int128.min)
        try EncoderDifferential.check(UInt64.max)
        try EncoderDifferential.check(Int64.min)
        try EncoderDifferential.check(Double.pi)
        try EncoderDifferential.check(Bool?.none)
        try EncoderDifferential.check(Decimal.nan)
        try EncoderDifferential.check(Double.nan)
        try EncoderDifferential.check(Nothing())
        try EncoderDifferential.check(["a": Nothing()])
    }

    @Test("every character of the first Unicode blocks is escaped alike, as text and as key")
    func characters() throws {
        let scalars = (0..<0x300).compactMap(Unicode.Scalar.init)
        try EncoderDifferential.check(scalars.map { String(Character($0)) })
        try EncoderDifferential.check(Dictionary(scalars.map { ("k\($0)", 1) }) { first, _ in first })
    }

    @Test("values that are nested too deeply fail alike")
    func depth() throws {
        struct Nest: Encodable {
            let depth: Int
            func encode(to encoder: any Encoder) throws {
                var container = encoder.unkeyedContainer()
                if depth > 1 { try container.encode(Nest(depth: depth - 1)) }
            }
        }
        for depth in [100, 499, 500, 501, 510, 511, 512, 513, 600] {
            try EncoderDifferential.check(Nest(depth: depth))
        }
        #expect(FastJSONEncoder().encodePlainly(Nest(depth: 400)) != nil)
    }

    @Test("keys that are equal only in Unicode's canonical form replace each other")
    func canonicalKeys() throws {
        struct Twins: Encodable {
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: RandomValue.Key.self)
                try container.encode(1, forKey: RandomValue.Key(stringValue: "é"))
                try container.encode(2, forKey: RandomValue.Key(stringValue: "e\u{301}"))
            }
        }
        #expect(try FastJSONEncoder().encode(Twins()).count == #"{"é":2}"#.utf8.count)
    }

    @Test(
        "keys in ASCII equal the characters beyond it of which they are the canonical form",
        arguments: [("K", "\u{212A}"), (";", "\u{37E}"), ("`", "\u{1FEF}"), ("aKb", "a\u{212A}b")])
    func canonicalKeysInASCII(key: String, other: String) throws {
        struct Twins: Encodable {
            let keys: [String]

            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: RandomValue.Key.self)
                for (index, key) in keys.enumerated() {
                    try container.encode(index, forKey: RandomValue.Key(stringValue: key))
                }
            }
        }
        try EncoderDifferential.check(Twins(keys: [key, other]))
        try EncoderDifferential.check(Twins(keys: [other, "a", key, other]))
    }

    @Test("objects with many members, and with a key that comes again after them")
    func largeObjects() throws {
        struct Repeated: Encodable {
            let count: Int
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: RandomValue.Key.self)
                for index in (0..<count).map({ $0 % (count - 1) }) {
                    try container.encode(index, forKey: RandomValue.Key(stringValue: "k\(index)"))
                }
            }
        }
        for count in [2, 31, 32, 33, 34, 35, 100] {
            try EncoderDifferential.check(Repeated(count: count))
            try EncoderDifferential.check(Dictionary(uniqueKeysWithValues: (0..<count).map { ("k\($0)", $0) }))
        }
    }

    @Test("a type that catches an error leaves no half of a member behind")
    func caughtErrors() throws {
        struct Half: Encodable {
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: RandomValue.Key.self)
                try container.encode(1, forKey: RandomValue.Key(stringValue: "a"))
                try? container.encode([1, .nan], forKey: RandomValue.Key(stringValue: "b"))
            }
        }
        try EncoderDifferential.check(Half())
    }

    @Test("members are in the order of encoding unless keys are sorted")
    func order() throws {
        struct Point: Encodable {
            let z = 1, a = 2, m = 3
        }
        #expect(try FastJSONEncoder().encode(Point()) == Data(#"{"z":1,"a":2,"m":3}"#.utf8))
        var encoder = FastJSONEncoder()
        encoder.outputFormatting = .sortedKeys
        #expect(try encoder.encode(Point()) == Data(#"{"a":2,"m":3,"z":1}"#.utf8))
    }

    @Test("values that encode themselves at random, with every strategy")
    func random() throws {
        var seeds = RandomDocument(seed: 3)
        var writtenInOnePass = 0
        for round in 0..<valueCount {
            let value = RandomValue(seed: seeds.next(), depth: 5)
            if FastJSONEncoder().encodePlainly(value) != nil { writtenInOnePass += 1 }
            try EncoderDifferential.check(value) { encoder in
                encoder.keyEncodingStrategy = round % 3 == 0 ? .convertToSnakeCase : .useDefaultKeys
                encoder.dataEncodingStrategy = round % 4 == 0 ? .deferredToData : .base64
                encoder.dateEncodingStrategy =
                    [.deferredToDate, .secondsSince1970, .millisecondsSince1970, .iso8601][round % 4]
                if round % 2 == 0 {
                    encoder.nonConformingFloatEncodingStrategy = .convertToString(
                        positiveInfinity: "+∞", negativeInfinity: "-/", nan: "\"")
                }
            }
        }
        // Most of the others encode errors, infinities, or their coding path.
        #expect(writtenInOnePass > valueCount / 3)
    }
}
