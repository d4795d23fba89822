import AirframeCore
import AirframeMock
import AirframeSerialization
import Foundation
import HTTPTypes
import Testing

/// Calls deprecated functions without a warning: through a protocol.
private protocol Legacy: Sendable {
    func serialize(_ text: String, status: Int) throws -> any Sendable
    func respond(_ session: Session) async -> AFDataResponse<any Sendable>
    func download(_ session: Session) async -> AFDownloadResponse<any Sendable>
}

private struct LegacyJSON: Legacy {
    @available(*, deprecated)
    func serialize(_ text: String, status: Int) throws -> any Sendable {
        let response = try SerializerTests.response(status)
        return try JSONResponseSerializer().serialize(
            request: nil, response: response, data: Data(text.utf8), error: nil)
    }

    @available(*, deprecated)
    func respond(_ session: Session) async -> AFDataResponse<any Sendable> {
        await withCheckedContinuation { done in
            session.request("http://api.test/").responseJSON(queue: .global()) { response in
                done.resume(returning: response.map { ($0 as? [Int]) ?? "\($0)" })
            }
        }
    }

    @available(*, deprecated)
    func download(_ session: Session) async -> AFDownloadResponse<any Sendable> {
        await withCheckedContinuation { done in
            session.download("http://api.test/").responseJSON(queue: .global()) { response in
                done.resume(returning: response.map { ($0 as? [Int]) ?? "\($0)" })
            }
        }
    }
}

@Suite("JSON without types", .timeLimit(.minutes(1)))
struct JSONSerializerTests {
    private let legacy: any Legacy = LegacyJSON()

    @Test("values are those of JSONSerialization and cast like them")
    func values() throws {
        let text = #"{"n": 1, "d": 1.5, "t": true, "z": null, "s": "x", "a": [1, {"b": [2]}]}"#
        let json = try #require(try legacy.serialize(text, status: 200) as? [String: Any])
        #expect(json["n"] as? Int == 1)
        #expect(json["n"] as? Double == 1)
        #expect(json["d"] as? Double == 1.5)
        #expect(json["t"] as? Bool == true)
        #expect(json["z"] is NSNull)
        #expect(json["s"] as? String == "x")
        let array = try #require(json["a"] as? [Any])
        #expect((array.last as? [String: [Int]]) == ["b": [2]])
        let whole = try JSONSerialization.jsonObject(with: Data(text.utf8))
        #expect(NSDictionary(dictionary: json) == NSDictionary(dictionary: try #require(whole as? [String: Any])))
    }

    @Test("fragments are accepted, permitted empty responses are NSNull, and invalid JSON is an error")
    func edges() throws {
        #expect(try legacy.serialize("7", status: 200) as? Int == 7)
        #expect(try legacy.serialize("", status: 204) is NSNull)
        let error = #expect(throws: AFError.self) { try legacy.serialize("{", status: 200) }
        guard case .responseSerializationFailed(.jsonSerializationFailed) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(throws: AFError.self) { try legacy.serialize("", status: 200) }
    }

    @Test("responseJSON works for data and downloads")
    func handlers() async throws {
        let session = Session(transport: MockTransport { Route(.get, "/").reply(.json([1, 2])) })
        #expect(await legacy.respond(session).value as? [Int] == [1, 2])
        let download = await legacy.download(session)
        #expect(download.value as? [Int] == [1, 2])
        if let file = download.fileURL { try FileManager.default.removeItem(at: file) }
    }

    @Test("property lists are decoded like JSON")
    func propertyLists() throws {
        let encoder = PropertyListEncoder()
        let serializer = DecodableResponseSerializer<[String: Int]>(decoder: PropertyListDecoder())
        for format in [PropertyListSerialization.PropertyListFormat.xml, .binary] {
            encoder.outputFormat = format
            let data = try encoder.encode(["a": 1])
            #expect(try serializer.serialize(request: nil, response: nil, data: data, error: nil) == ["a": 1])
        }
    }

    @Test("stream serializers handle each chunk separately")
    func streams() throws {
        func value<Serializer: DataStreamSerializer>(
            _ serializer: Serializer, _ text: String
        ) throws -> Serializer.SerializedObject {
            try serializer.serialize(Data(text.utf8))
        }
        #expect(try value(.passthrough, "a") == Data("a".utf8))
        #expect(try value(.string, "é") == "é")
        #expect(try value(.decodable(of: [Int].self), "[1]") == [1])
        #expect(try value(.decodable(of: [Int].self, dataPreprocessor: .googleXSSI), ")]}',\n[1]") == [1])
        #expect(throws: (any Error).self) { try value(.decodable(of: [Int].self), "[") }
        #expect(try StringStreamSerializer().serialize(Data([0xFF])) == "\u{FFFD}")
    }
}
