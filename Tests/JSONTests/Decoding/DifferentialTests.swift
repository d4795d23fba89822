import AirframeJSON
import AirframeTestSupport
import Foundation
import Testing

/// Decodes a document with both decoders and compares the results.
enum Differential {
    /// Whether dictionaries with the same members have the same order. `make endure` sees to that.
    private static let hashesAreFixed = ProcessInfo.processInfo.environment["SWIFT_DETERMINISTIC_HASHING"] != nil

    static func outcome<Value: Decodable>(_ type: Value.Type, _ decode: () throws -> Value) -> String {
        do {
            return String(describing: try decode())
        } catch {
            return String(describing: error)
        }
    }

    static func difference<Value: Decodable>(
        _ type: Value.Type,
        _ data: Data,
        _ fast: FastJSONDecoder = FastJSONDecoder(),
        _ foundation: JSONDecoder = JSONDecoder()
    ) -> String? {
        let ours = outcome(type) { try fast.decode(type, from: data) }
        let theirs = outcome(type) { try foundation.decode(type, from: data) }
        guard ours != theirs else { return nil }
        // Of several errors in a dictionary, Foundation reports the first in the order of hashes, which differs between
        // dictionaries unless the process has fixed it.
        if ours.hasPrefix("DecodingError."), theirs.hasPrefix("DecodingError."), !hashesAreFixed { return nil }
        return "\(String(decoding: data, as: UTF8.self).debugDescription) as \(type):\n\(ours)\nFoundation: \(theirs)"
    }
}

/// A dictionary whose description is sorted.
struct Sorted<Value: Decodable>: Decodable, CustomStringConvertible {
    let members: [String: Value]

    init(from decoder: any Decoder) throws {
        members = try decoder.singleValueContainer().decode([String: Value].self)
    }

    var description: String {
        members.sorted { $0.key < $1.key }.map { "\($0.key.debugDescription): \($0.value)" }.description
    }
}

@Suite("The fast decoder against Foundation's", .timeLimit(.minutes(1)))
struct DifferentialTests {
    /// Members of every kind, some absent or null.
    struct Record: Decodable {
        let id: Int
        let name: String?
        let score: Double?
        let ratio: Float?
        let isActive: Bool?
        let tags: [String]?
        let nested: Sorted<Int>?
        let child: Child?
        let small: UInt8?
        let big: UInt64?

        struct Child: Decodable {
            let oneTwo: String?
            let list: [Int?]?
        }
    }

    /// Types with synthesized and with custom decoding.
    struct Shapes: Decodable {
        enum Choice: Decodable {
            case id
            case name(String)
            case list([Int], child: Int?)
        }

        enum Word: String, Decodable { case id, name, tags }

        let name: Word?
        let list: [Choice]?
        let tags: Set<String>?
        let score: [String: Double]?
        let big: Int128?
        let small: [Int8]??

        enum CodingKeys: String, CodingKey { case name, list, tags, score, big, small }
    }

    private static let documents = [
        "{}", "[]", "null", "true", "false", "0", "-0", "1", "-1", "1.0", "1.5", "1e2", "1E-2", "-1.5e+3", "\"\"",
        "\"a\"",
        "9007199254740993", "18446744073709551615", "18446744073709551616", "-9223372036854775808",
        "9223372036854775808",
        "0.1", "0.30000000000000004", "123456789012345678901234567890", "1e308", "1e309", "1e-400", "5e-324",
        "2.5e-324",
        "3.4028235e38", "3.5e38", "16777217", "0.1e1", "100000000000000000000e-20", "\"\\u00e9\\n\\\"\\/\\\\\"",
        "\"é😀\"",
        "\"\\ud83d\\ude00\"", "\"\\ud800\"", "\"\\udc00x\"", " \t\r\n1 \n", "\u{FEFF}1", "{\"id\":1}", "{\"id\":\"1\"}",
        "{\"id\":1,\"id\":2}", "{\"id\":1,\"name\":\"x\",\"score\":1,\"ratio\":0.1,\"isActive\":true}",
        "{\"id\":1,\"name\":null,\"tags\":[\"a\",\"b\"],\"nested\":{\"k\":1,\"k\":2},\"small\":255,\"big\":18446744073709551615}",
        "{\"id\":1,\"small\":256}", "{\"id\":1,\"small\":-1}", "{\"id\":1.0,\"small\":1e1}", "{\"id\":1,\"tags\":[1]}",
        "{\"id\":1,\"child\":{\"oneTwo\":\"x\",\"list\":[1,null,3]}}", "{\"id\":1,\"child\":{\"list\":[1,\"x\"]}}",
        "{\"\\u0069d\":7}", "{\"id\":1,\"child\":[]}", "[1,2,3]", "[1,\"a\",null,{\"b\":[true]}]", "[[[[]]]]",
        "{\"id\":1,\"nested\":{\"k\":1,\"k\":\"x\"}}",
        "{\"é\":1,\"e\\u0301\":2}", "[1.5,2]", "[null]", "{\"a\":{\"b\":{\"c\":[{\"d\":null}]}}}",
    ]

    /// The kinds of malformed documents in JSONTestSuite.
    private static let malformed = [
        "[[[[", "[[[[[[[[[[[[[[[[", "[{[{[{[{", "{{{{{{{{", "[,,,,,,,,,", "::::::::", "[[[[\"[[[[",
        "", " ", "[", "]", "{", "}", "[1", "[1,", "[1,]", "[,1]", "[1 2]", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{a:1}",
        "{'a':1}", "{\"a\" 1}", "{1:1}", "[01]", "[-]", "[+1]", "[1.]", "[.5]", "[1e]", "[1e+]", "[0x1]", "[NaN]",
        "[Infinity]",
        "[-Infinity]", "tru", "truee", "nul", "True", "\"a", "\"\\x\"", "\"\\u12\"", "\"\\u12G4\"", "\"\t\"", "\"\n\"",
        "1 2",
        "[1]]", "[1]x", "{}{}", "//c\n1", "[/**/1]", "\"\\", "\"\\\"", "{\"a\":1,,\"b\":2}", "[\"a\",\n4\n,1,", "-",
        "--1", "1-",
        "{\"a\":\"b\"}#", "[\u{0}]", "\u{0}", "[1\u{0}]", "{\"a\":1:2}", "[1:2]", "[\"\":1]", "0123", "1_000",
        "[1,\u{A0}2]",
    ]

    static func check(_ data: Data) {
        func compare<Value: Decodable>(_ type: Value.Type) {
            let difference = Differential.difference(type, data)
            #expect(difference == nil, "\(difference ?? "")")
        }
        compare(AnyJSON.self)
        compare(Record.self)
        compare([Record].self)
        compare(Sorted<AnyJSON>.self)
        compare([Int].self)
        compare(Int.self)
        compare(UInt8.self)
        compare(UInt64.self)
        compare(Int64.self)
        compare(Double.self)
        compare(Float.self)
        compare(String.self)
        compare(Bool.self)
        compare(Decimal.self)
        compare([Int?].self)
        compare(Int?.self)
        compare([Double].self)
        compare(Shapes.self)
        compare([Shapes.Choice].self)
        compare(Sorted<[UInt8?]>.self)
        compare(UUID.self)
        compare(URL.self)
        compare(Date.self)
        compare(Data.self)
    }

    @Test("valid documents of every kind decode alike as every type", arguments: documents)
    func accepted(document: String) { Self.check(Data(document.utf8)) }

    @Test("malformed documents fail alike", arguments: malformed)
    func refused(document: String) { Self.check(Data(document.utf8)) }

    @Test("invalid UTF-8, other encodings and documents that are nested too deeply")
    func bytes() {
        Self.check(Data([0x22, 0xFF, 0x22]))
        Self.check(Data([0x22, 0xED, 0xA0, 0x80, 0x22]))
        Self.check(Data([0x5B, 0x22, 0xC0, 0x80, 0x22, 0x5D]))
        Self.check(Data([0x7B, 0x22, 0xFF, 0x22, 0x3A, 0x31, 0x7D]))
        for encoding in [String.Encoding.utf16LittleEndian, .utf16BigEndian, .utf32LittleEndian, .utf16] {
            Self.check("{\"id\":1}".data(using: encoding) ?? Data())
        }
        struct Nest: Decodable {
            let count: Int

            init(from decoder: any Decoder) throws {
                var container = try decoder.unkeyedContainer()
                count = container.isAtEnd ? 1 : try container.decode(Nest.self).count + 1
            }
        }
        for depth in [100, 510, 511, 512, 513, 600] {
            let data = Data((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
            let difference = Differential.difference(Nest.self, data)
            #expect(difference == nil, "\(difference ?? "")")
        }
    }

    @Test("doubles and floats are correctly rounded")
    func numbers() {
        var generator = RandomDocument(seed: 5)
        for _ in 0..<500 {
            let data = Data(generator.number().utf8)
            for difference in [
                Differential.difference(Double.self, data), Differential.difference(Float.self, data),
                Differential.difference(Int.self, data), Differential.difference(Int128.self, data),
            ] {
                #expect(difference == nil, "\(difference ?? "")")
            }
        }
    }
}

/// The number of random documents; `make endure` sets more.
private let documentCount = ProcessInfo.processInfo.environment["AIRFRAME_JSON_DOCUMENTS"].flatMap(Int.init) ?? 40

@Suite("The fast decoder against Foundation's, at random", .timeLimit(.minutes(documentCount > 40 ? 60 : 1)))
struct RandomDifferentialTests {
    @Test("random documents and random mutations of them decode alike")
    func random() {
        var generator = RandomDocument(seed: 11)
        for _ in 0..<documentCount {
            let document = Data(generator.value(depth: 4).utf8)
            DifferentialTests.check(document)
            var changed = document
            for _ in 0..<2 where !changed.isEmpty {
                let index = Int.random(in: 0..<changed.count, using: &generator)
                changed[index] = generator.byte()
            }
            DifferentialTests.check(changed)
        }
    }
}
