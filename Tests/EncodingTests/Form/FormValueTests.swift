import AirframeEncoding
import Foundation
import Testing

@Suite("Values in a form", .timeLimit(.minutes(1)))
struct FormValueTests {
    private enum Raw: String, Encodable { case one }

    private enum Number: Int, Encodable { case seven = 7 }

    private struct Wrapper: Encodable {
        let value: Int
        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(value)
        }
    }

    static var values: [(any Encodable & Sendable, String)] {
        [
            (Box(v: "x"), "x"), (Box(v: ""), ""), (Box(v: 0), "0"), (Box(v: Int.min), "-9223372036854775808"),
            (Box(v: Int8(-1)), "-1"), (Box(v: Int16(2)), "2"), (Box(v: Int32(3)), "3"), (Box(v: Int64(4)), "4"),
            (Box(v: UInt(5)), "5"), (Box(v: UInt8(6)), "6"), (Box(v: UInt16(7)), "7"), (Box(v: UInt32(8)), "8"),
            (Box(v: UInt64.max), "18446744073709551615"), (Box(v: Int128.min), "\(Int128.min)"),
            (Box(v: UInt128.max), "\(UInt128.max)"), (Box(v: 1.0), "1.0"), (Box(v: 0.1), "0.1"),
            (Box(v: Float(0.1)), "0.1"), (Box(v: Double.infinity), "inf"), (Box(v: Optional(3)), "3"),
            (Box(v: Decimal(string: "12345678901234567890.125")), "12345678901234567890.125"),
            (Box(v: UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")), "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"),
            (Box(v: Raw.one), "one"), (Box(v: Number.seven), "7"), (Box(v: Wrapper(value: 4)), "4"),
        ]
    }

    @Test("a single value", arguments: values)
    func single(value: any Encodable & Sendable, expected: String) throws {
        let text: String = try Form().encode(value)
        #expect(text == "v=\(expected)")
    }

    @Test("an existential value is encoded by its dynamic type")
    func existential() throws {
        struct Holder: Encodable {
            let values: [any Encodable]
            func encode(to encoder: any Encoder) throws {
                var container = encoder.unkeyedContainer()
                for value in values { try container.encode(value) }
            }
        }
        let values: [any Encodable] = [1, "a", true, Date(timeIntervalSinceReferenceDate: 5), Data([0]), 1.5]
        let text: String = try Form(arrayEncoding: .noBrackets).encode(["v": Holder(values: values)])
        #expect(text == "v=1&v=1&v=1.5&v=5.0&v=AA%3D%3D&v=a")
    }

    @Test("a URL encodes itself as an object, as with Alamofire; its text is a single value")
    func url() throws {
        let url = try #require(URL(string: "http://a.test/b?c=d&e"))
        #expect(try Form().encode(["u": url]) == "u%5Brelative%5D=http%3A//a.test/b?c%3Dd%26e")
        #expect(try Form().encode(["u": url.absoluteString]) == "u=http%3A//a.test/b?c%3Dd%26e")
    }

    @Test("empty values have no pairs")
    func empty() throws {
        struct Empty: Encodable {
            var list: [Int] = []
            var map: [String: Int] = [:]
            var deep: [String: [[Int]]] = ["x": [[], []]]
            var number = 1
        }
        let text: String = try Form(nilEncoding: .null).encode(Empty())
        #expect(text == "number=1")
    }

    @Test("encoding as text and as data yields the same bytes")
    func bytes() throws {
        let data: Data = try Form().encode(["é": "漢"])
        #expect(data == Data("%C3%A9=%E6%BC%A2".utf8))
    }

    @Test("encoding time is linear in the length of an array")
    func large() throws {
        let text: String = try Form(arrayEncoding: .noBrackets).encode(["v": Array(repeating: 1, count: 50_000)])
        #expect(text.utf8.count == 50_000 * 4 - 1)
    }
}
