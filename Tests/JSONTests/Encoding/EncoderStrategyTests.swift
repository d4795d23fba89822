import AirframeJSON
import Foundation
import Testing

@Suite("FastJSONEncoder's strategies against JSONEncoder's", .timeLimit(.minutes(1)))
struct EncoderStrategyTests {
    private struct Event: Encodable {
        var firstDate = Date(timeIntervalSince1970: 1_700_000_000.25)
        var otherDates = [Date.distantPast, .distantFuture, Date(timeIntervalSince1970: -0.5)]
        var byDate = [Date(timeIntervalSince1970: 1): Date(timeIntervalSince1970: 2)]
    }

    private struct Blob: Encodable {
        var someData = Data([0, 255, 254, 63, 62])
        var others = [Data(), Data([1])]
    }

    @Test("dates in every form, those of a formatter and of closures too")
    func dates() throws {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "yyyy-MM-dd"
        let strategies: [JSONEncoder.DateEncodingStrategy] = [
            .deferredToDate, .secondsSince1970, .millisecondsSince1970, .iso8601, .formatted(formatter),
            .custom { date, encoder in
                var container = encoder.container(keyedBy: RandomValue.Key.self)
                let path = encoder.codingPath.map(\.stringValue)
                try container.encode(path, forKey: RandomValue.Key(stringValue: "codingPath"))
                try container.encode(date.timeIntervalSince1970, forKey: RandomValue.Key(stringValue: "inSeconds"))
            },
            .custom { _, _ in },
            .custom { _, _ in throw RandomValue.Refusal() },
        ]
        for strategy in strategies {
            try EncoderDifferential.check(Event()) { $0.dateEncodingStrategy = strategy }
            try EncoderDifferential.check(Date(timeIntervalSince1970: 5)) { $0.dateEncodingStrategy = strategy }
        }
    }

    @Test("data in every form")
    func data() throws {
        let strategies: [JSONEncoder.DataEncodingStrategy] = [
            .base64, .deferredToData,
            .custom { data, encoder in
                var container = encoder.singleValueContainer()
                try container.encode(data.count)
            },
            .custom { _, _ in },
        ]
        for strategy in strategies {
            try EncoderDifferential.check(Blob()) { $0.dataEncodingStrategy = strategy }
            try EncoderDifferential.check(Data([7])) { $0.dataEncodingStrategy = strategy }
        }
    }

    @Test(
        "keys in snake case, save those of dictionaries",
        arguments: [
            "fooBar", "URLString", "myURL", "myURLProperty", "_x", "__aB", "aB_", "a1B2", "A", "AB", "ABc", "aBC",
            "ABcD",
            "éÉ", "foo1Bar", "fooÉcole", "foo_Bar", "ǅa", "aǅ", "ÄÖü", "x😀Y", "a b C", "ßA", "İstanbul", "", "漢字", "aΣ",
        ])
    func snakeCase(key: String) throws {
        struct Member: Encodable {
            let key: RandomValue.Key
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: RandomValue.Key.self)
                try container.encode([key.stringValue: [key.stringValue: 1]], forKey: key)
            }
        }
        try EncoderDifferential.check(Member(key: RandomValue.Key(stringValue: key))) {
            $0.keyEncodingStrategy = .convertToSnakeCase
        }
    }

    @Test("a custom conversion of keys and a printed layout are JSONEncoder's")
    func leftToFoundation() throws {
        try EncoderDifferential.check(Event()) { $0.dateEncodingStrategy = .iso8601 }
        try EncoderDifferential.check(["a": Blob()]) {
            $0.keyEncodingStrategy = .custom {
                RandomValue.Key(stringValue: "x\($0.count)\($0.last?.stringValue ?? "")")
            }
        }
        var fast = FastJSONEncoder()
        fast.outputFormatting = [.prettyPrinted, .sortedKeys]
        let foundation = JSONEncoder()
        foundation.outputFormatting = fast.outputFormatting
        #expect(try fast.encode(["b": [1], "a": []]) == foundation.encode(["b": [1], "a": []]))
    }

    @Test("types find the encoder's userInfo")
    func userInfo() throws {
        struct Tagged: Encodable {
            func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                try container.encode(CodingUserInfoKey(rawValue: "tag").flatMap { encoder.userInfo[$0] as? String })
            }
        }
        try EncoderDifferential.check([Tagged()]) { encoder in
            if let key = CodingUserInfoKey(rawValue: "tag") { encoder.userInfo[key] = "blue" }
        }
        var fast = FastJSONEncoder()
        if let key = CodingUserInfoKey(rawValue: "tag") { fast.userInfo[key] = "blue" }
        #expect(try fast.encode([Tagged()]) == Data(#"["blue"]"#.utf8))
    }

    @Test("a subclass of JSONEncoder is used as it is")
    func subclasses() {
        // `@unchecked Sendable` because it has no state other than that of `JSONEncoder`, which a lock guards.
        final class Shouting: JSONEncoder, @unchecked Sendable {
            override func encode<Value: Encodable>(_ value: Value) throws -> Data { Data("LOUD".utf8) }
        }
        #expect(FastJSONEncoder(Shouting()) == nil)
    }
}
