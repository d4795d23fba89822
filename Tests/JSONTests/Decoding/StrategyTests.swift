import AirframeJSON
import AirframeSerialization
import Foundation
import Testing

@Suite("The fast decoder's strategies against Foundation's", .timeLimit(.minutes(1)))
struct StrategyTests {
    private struct Event: Decodable {
        let date: Date?
        let dates: [Date]?
    }

    private struct Blob: Decodable {
        let data: Data?
    }

    private struct Floats: Decodable {
        let double: Double?
        let float: Float?
        let list: [Double]?
    }

    private struct Names: Decodable {
        let oneTwoThree: Int?
        let one: Int?
        let _private: Int?
        let urlPath: Sorted<Int>?
        let nested: [Names]?
    }

    private func check<Value: Decodable>(
        _ type: Value.Type,
        _ documents: [String],
        _ configure: (inout FastJSONDecoder, JSONDecoder) -> Void
    ) {
        var fast = FastJSONDecoder()
        let foundation = JSONDecoder()
        configure(&fast, foundation)
        for document in documents {
            let difference = Differential.difference(type, Data(document.utf8), fast, foundation)
            #expect(difference == nil, "\(difference ?? "")")
        }
    }

    @Test("dates")
    func dates() {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "yyyy-MM-dd"
        let strategies: [JSONDecoder.DateDecodingStrategy] = [
            .deferredToDate, .secondsSince1970, .millisecondsSince1970, .iso8601, .formatted(formatter),
            .custom { decoder in
                Date(timeIntervalSince1970: Double(try decoder.singleValueContainer().decode(String.self)) ?? 0)
            },
        ]
        let documents = [
            "{\"date\":0}", "{\"date\":1700000000.25}", "{\"date\":\"2023-11-14T22:13:20Z\"}",
            "{\"date\":\"2023-11-14\"}",
            "{\"date\":\"2023-11-14T22:13:20+02:00\"}", "{\"date\":\"17\"}", "{\"date\":null}", "{\"date\":\"x\"}",
            "{\"date\":[]}", "{\"dates\":[1,2,1e9]}", "{\"dates\":[\"2023-11-14T22:13:20.5Z\"]}", "{}",
        ]
        for strategy in strategies {
            check(Event.self, documents) { fast, foundation in
                fast.dateDecodingStrategy = strategy
                foundation.dateDecodingStrategy = strategy
            }
        }
    }

    @Test("data")
    func data() {
        let strategies: [JSONDecoder.DataDecodingStrategy] = [
            .base64, .deferredToData,
            .custom { decoder in Data(try decoder.singleValueContainer().decode(String.self).utf8) },
        ]
        let documents = [
            "{\"data\":\"aGVsbG8=\"}", "{\"data\":\"aGVsbG8\"}", "{\"data\":\"\"}", "{\"data\":[1,2,255]}",
            "{\"data\":[256]}", "{\"data\":null}", "{\"data\":1}",
        ]
        for strategy in strategies {
            check(Blob.self, documents) { fast, foundation in
                fast.dataDecodingStrategy = strategy
                foundation.dataDecodingStrategy = strategy
            }
        }
    }

    @Test("infinities and NaN")
    func floats() {
        let documents = [
            "{\"double\":\"inf\"}", "{\"double\":\"-inf\",\"float\":\"nan\"}", "{\"float\":\"inf\"}",
            "{\"double\":\"x\"}",
            "{\"list\":[1,\"inf\",\"nan\"]}", "{\"double\":1e400}", "{\"float\":1e39}",
        ]
        check(Floats.self, documents) { _, _ in }
        check(Floats.self, documents) { fast, foundation in
            let strategy = JSONDecoder.NonConformingFloatDecodingStrategy.convertFromString(
                positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
            fast.nonConformingFloatDecodingStrategy = strategy
            foundation.nonConformingFloatDecodingStrategy = strategy
        }
    }

    @Test("key strategies convert the keys of types and not of dictionaries")
    func keys() {
        let documents = [
            "{\"one_two_three\":1,\"one\":2}", "{\"oneTwoThree\":1}", "{\"One_Two_Three\":1}", "{\"_private\":1}",
            "{\"__one__\":1,\"one_\":2}", "{\"url_path\":{\"a_b\":1,\"c_d\":2}}",
            "{\"nested\":[{\"one_two_three\":\"x\"}]}",
            "{\"ONE\":1,\"_\":2}", "{\"one_two_three\":1,\"oneTwoThree\":2}", "{\"url_path\":[]}",
        ]
        check(Names.self, documents) { fast, foundation in
            fast.keyDecodingStrategy = .convertFromSnakeCase
            foundation.keyDecodingStrategy = .convertFromSnakeCase
        }
        let custom = JSONDecoder.KeyDecodingStrategy.custom { path in
            struct Key: CodingKey {
                let stringValue: String
                var intValue: Int? { nil }
                init(stringValue: String) { self.stringValue = stringValue }
                init?(intValue: Int) { nil }
            }
            let key = path.last?.stringValue ?? ""
            return Key(stringValue: path.count > 2 ? key : key.lowercased())
        }
        check(Names.self, documents) { fast, foundation in
            fast.keyDecodingStrategy = custom
            foundation.keyDecodingStrategy = custom
        }
    }

    @Test("URLs, decimals, many members, nested containers, super and user info")
    func types() throws {
        struct Wide: Decodable {
            let url: URL?
            let price: Decimal?
            let k7: Int?
            let k39: Int?
        }
        let wide = "{" + (0..<40).map { "\"k\($0)\":\($0)" }.joined(separator: ",") + "}"
        check(
            Wide.self,
            [
                wide, "{\"url\":\"https://api.test/ä\"}", "{\"url\":\"\"}", "{\"url\":1}", "{\"price\":12.34}",
                "{\"price\":1e30}", "{\"price\":\"1\"}",
            ]
        ) { _, _ in }

        class Base: Decodable, CustomStringConvertible {
            let a: Int
            var description: String { "\(a)" }
        }
        final class Derived: Base {
            let values: [String]
            let user: String
            static let key = CodingUserInfoKey(rawValue: "user")

            private enum Keys: CodingKey { case values, inner }

            required init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: Keys.self)
                var list = try container.nestedUnkeyedContainer(forKey: .values)
                var values: [String] = []
                while !list.isAtEnd {
                    if try list.decodeNil() {
                        values.append("nil")
                    } else if let number = try? list.decode(Int.self) {
                        values.append("\(number) at \(list.currentIndex) of \(list.count ?? -1)")
                    } else {
                        values.append(try list.decode(String.self))
                    }
                }
                self.values = values
                let inner = try container.nestedContainer(keyedBy: Keys.self, forKey: .inner)
                user =
                    (Self.key.flatMap { decoder.userInfo[$0] } as? String ?? "")
                    + "\(inner.allKeys) \(inner.codingPath.count)"
                try super.init(from: container.superDecoder())
            }

            override var description: String { "\(a) \(values) \(user)" }
        }
        check(
            Derived.self,
            [
                "{\"values\":[1,null,\"x\"],\"inner\":{\"values\":1,\"other\":2},\"super\":{\"a\":5}}",
                "{\"values\":[1.5],\"inner\":{},\"super\":{\"a\":5}}", "{\"values\":[],\"inner\":{}}",
                "{\"values\":[],\"inner\":{},\"super\":null}", "{\"values\":{},\"inner\":{},\"super\":{\"a\":5}}",
            ]
        ) { fast, foundation in
            guard let key = Derived.key else { return }
            fast.userInfo[key] = "me"
            foundation.userInfo[key] = "me"
        }
    }

    @Test("it decodes responses")
    func responses() throws {
        let serializer = DecodableResponseSerializer<[Int]>(decoder: FastJSONDecoder())
        #expect(try serializer.serialize(request: nil, response: nil, data: Data("[1,2]".utf8), error: nil) == [1, 2])
    }
}
