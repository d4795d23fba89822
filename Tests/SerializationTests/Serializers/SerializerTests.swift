import AirframeCore
import AirframeSerialization
import Foundation
import Testing

@Suite("Serializers", .timeLimit(.minutes(1)))
struct SerializerTests {
    static func response(_ status: Int = 200, contentType: String? = nil) throws -> HTTPURLResponse {
        let url = try #require(URL(string: "http://api.test/"))
        let fields = contentType.map { ["Content-Type": $0] }
        return try #require(HTTPURLResponse(url: url, statusCode: status, httpVersion: nil, headerFields: fields))
    }

    static func request(_ method: HTTPMethod) throws -> URLRequest {
        try URLRequest(url: "http://api.test/", method: method)
    }

    @Test(
        "Empty data is an error, unless method or status allow it",
        arguments: [
            (HTTPMethod.get, 200, false), (.head, 200, true), (.get, 204, true), (.get, 205, true), (.post, 201, false),
        ])
    func emptyData(method: HTTPMethod, status: Int, isAllowed: Bool) throws {
        let result = Result {
            try DataResponseSerializer()
                .serialize(request: Self.request(method), response: Self.response(status), data: nil, error: nil)
        }
        if isAllowed {
            #expect(try result.get().isEmpty)
        } else {
            #expect(throws: AFError.self) { try result.get() }
        }
    }

    @Test("Every serializer rethrows the request's error")
    func errorsPass() throws {
        let error = AFError.explicitlyCancelled
        #expect(throws: AFError.self) {
            try DataResponseSerializer().serialize(request: nil, response: nil, data: Data([1]), error: error)
        }
        #expect(throws: AFError.self) {
            try StringResponseSerializer().serialize(request: nil, response: nil, data: Data([1]), error: error)
        }
        #expect(throws: AFError.self) {
            try DecodableResponseSerializer<Int>()
                .serialize(request: nil, response: nil, data: Data("1".utf8), error: error)
        }
    }

    @Test(
        "Text is decoded in the given encoding, else the declared one, else ISO 8859-1",
        arguments: [
            (nil, "text/plain; charset=utf-8", [0xC3, 0xA9], "é"), (nil, "text/plain; charset=iso-8859-1", [0xE9], "é"),
            (nil, "text/plain", [0xE9], "é"),
            (String.Encoding.utf8, "text/plain; charset=iso-8859-1", [0xC3, 0xA9], "é"),
            (nil, "text/plain; charset=\"UTF-16BE\"", [0x20, 0xAC], "€"),
        ] as [(String.Encoding?, String, [UInt8], String)])
    func textEncodings(encoding: String.Encoding?, contentType: String, bytes: [UInt8], text: String) throws {
        let serializer = StringResponseSerializer(encoding: encoding)
        let response = try Self.response(contentType: contentType)
        #expect(try serializer.serialize(request: nil, response: response, data: Data(bytes), error: nil) == text)
    }

    @Test("Text that is invalid in its encoding is an error that names the encoding")
    func wrongEncoding() throws {
        let serializer = StringResponseSerializer(encoding: .utf8)
        let error = #expect(throws: AFError.self) {
            try serializer.serialize(request: nil, response: nil, data: Data([0xFF, 0xFE, 0xFD]), error: nil)
        }
        #expect(error?.failedStringEncoding == .utf8)
    }

    @Test("A value that cannot be decoded is decodingFailed with the decoder's error")
    func undecodable() throws {
        let error = #expect(throws: AFError.self) {
            try DecodableResponseSerializer<[Int]>()
                .serialize(request: nil, response: nil, data: Data("{}".utf8), error: nil)
        }
        #expect(error?.isResponseSerializationError == true)
        #expect(error?.underlyingError is DecodingError)
    }

    @Test("An empty response yields the empty value of its type, or an error if the type has none")
    func emptyValues() throws {
        let response = try Self.response(204)
        _ = try DecodableResponseSerializer<Empty>().serialize(request: nil, response: response, data: nil, error: nil)
        #expect(throws: AFError.self) {
            try DecodableResponseSerializer<Int>().serialize(request: nil, response: response, data: nil, error: nil)
        }
    }

    @Test("GoogleXSSIPreprocessor removes the prefix and nothing else")
    func preprocessor() throws {
        let serializer = DecodableResponseSerializer<[Int]>(dataPreprocessor: .googleXSSI)
        let guarded = Data(")]}',\n[1,2]".utf8)
        #expect(try serializer.serialize(request: nil, response: nil, data: guarded, error: nil) == [1, 2])
        #expect(try serializer.serialize(request: nil, response: nil, data: Data("[3]".utf8), error: nil) == [3])
    }

    @Test("A data serializer reads the downloaded file; a missing file is an error that names it")
    func downloads() throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: file) }
        try Data("text".utf8).write(to: file)
        let serializer = StringResponseSerializer()
        #expect(try serializer.serializeDownload(request: nil, response: nil, fileURL: file, error: nil) == "text")
        #expect(throws: AFError.self) {
            try serializer.serializeDownload(request: nil, response: nil, fileURL: nil, error: nil)
        }
        let missing = file.appendingPathExtension("missing")
        let error = #expect(throws: AFError.self) {
            try serializer.serializeDownload(request: nil, response: nil, fileURL: missing, error: nil)
        }
        guard case .responseSerializationFailed(.inputFileReadFailed(let url)) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(url == missing)
    }
}
