import AirframeCore
import AirframeSerialization
import Foundation
import HTTPTypes
import Testing

/// A value that records the type of its decoder.
private struct Reader: Decodable, Sendable {
    let name: String

    init(from decoder: any Decoder) throws { name = String(reflecting: type(of: decoder)) }

    var isFast: Bool { name.hasPrefix("AirframeJSON.") }
}

/// `@unchecked Sendable`: it has no state other than that of `JSONDecoder`, which a lock guards.
private final class OwnDecoder: JSONDecoder, @unchecked Sendable {}

@Suite("The JSONDecoder of a serializer", .timeLimit(.minutes(1)))
struct JSONByDefaultTests {
    private let data = Data("{}".utf8)

    private func reader(_ decoder: any DataDecoder) throws -> Reader {
        try DecodableResponseSerializer<Reader>(decoder: decoder)
            .serialize(request: nil, response: nil, data: data, error: nil)
    }

    @Test("is replaced by the fast decoder with the same strategies")
    func standsIn() throws {
        #expect(try reader(JSONDecoder()).isFast)
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        decoder.dateDecodingStrategy = .secondsSince1970
        struct Stamped: Decodable, Sendable {
            let madeAt: Date
            let reader: Reader
        }
        let value = try DecodableResponseSerializer<Stamped>(decoder: decoder)
            .serialize(request: nil, response: nil, data: Data(#"{"made_at":7,"reader":{}}"#.utf8), error: nil)
        #expect(value.madeAt == Date(timeIntervalSince1970: 7))
        #expect(value.reader.isFast)
    }

    @Test("decodes itself if it is a subclass, allows JSON5 or assumes a dictionary")
    func foundation() throws {
        #expect(try !reader(OwnDecoder()).isFast)
        let lenient = JSONDecoder()
        lenient.allowsJSON5 = true
        #expect(try !reader(lenient).isFast)
        let assuming = JSONDecoder()
        assuming.assumesTopLevelDictionary = true
        #expect(try !reader(assuming).isFast)
    }

    @Test("decodes the elements of streams the same way")
    func streams() throws {
        var parser = NDJSONParser(of: Reader.self)
        var elements: [Result<Reader, any Error>] = []
        try parser.push(Data("{}\n{}\n".utf8), into: &elements)
        #expect(try elements.map { try $0.get().isFast } == [true, true])
        #expect(try DecodableStreamSerializer<Reader>().serialize(data).isFast)
    }

    @Test("reports its own errors")
    func errors() throws {
        let serializer = DecodableResponseSerializer<[String: Int]>()
        let data = Data(#"{"a":"x"}"#.utf8)
        let ours = #expect(throws: (any Error).self) {
            try serializer.serialize(request: nil, response: nil, data: data, error: nil)
        }
        let theirs = #expect(throws: DecodingError.self) { try JSONDecoder().decode([String: Int].self, from: data) }
        #expect("\(ours?.asAFError?.underlyingError ?? CancellationError())" == theirs.map { "\($0)" })
    }
}
