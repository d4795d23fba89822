import AirframeCore
import AirframeEncoding
import Foundation
import Testing

@Suite("JSONParameterEncoder", .timeLimit(.minutes(1)))
struct JSONParameterEncoderTests {
    @Test(
        "the body is the JSON of the encoder",
        arguments: [
            (JSONParameterEncoder.sortedKeys, #"{"a":1,"b":2}"#),
            (.json(encoder: snakeCase), #"{"a":1,"b":2}"#),
        ]
    )
    func formatting(encoder: JSONParameterEncoder, expected: String) throws {
        let request = try encoder.encode(["b": 2, "a": 1], into: makeRequest(method: .post))
        #expect(request.bodyText == expected)
        #expect(request.contentType == "application/json")
        #expect(request.url?.absoluteString == "http://api.test/")
    }

    private static var snakeCase: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        return encoder
    }

    @Test("prettyPrinted adds line breaks")
    func pretty() throws {
        let text = try JSONParameterEncoder.prettyPrinted.encode(["a": 1], into: makeRequest()).bodyText
        #expect(text?.contains("\n") == true)
        let plain = try JSONParameterEncoder.default.encode(["a": 1], into: makeRequest()).bodyText
        #expect(plain == #"{"a":1}"#)
    }

    @Test("values other than objects are encoded too")
    func fragments() throws {
        let encoder: any ParameterEncoder = .json
        #expect(try encoder.encode([1, 2], into: makeRequest(method: .post)).bodyText == "[1,2]")
        #expect(try encoder.encode("x", into: makeRequest(method: .post)).bodyText == #""x""#)
    }

    @Test("a request without parameters stays unchanged, and an existing content type is kept")
    func unchanged() throws {
        var request = try makeRequest(method: .post)
        request.setValue("application/vnd.api+json", forHTTPHeaderField: "Content-Type")
        #expect(try JSONParameterEncoder.default.encode([Int]?.none, into: request) == request)
        let encoded = try JSONParameterEncoder.default.encode([1], into: request)
        #expect(encoded.contentType == "application/vnd.api+json")
    }

    @Test("a value that JSON cannot represent is jsonEncodingFailed with JSONEncoder's error")
    func failure() throws {
        let error = try #require(throws: AFError.self) {
            try JSONParameterEncoder.default.encode(["a": Double.nan], into: makeRequest(method: .post))
        }
        guard case .parameterEncodingFailed(.jsonEncodingFailed(let reason)) = error else {
            Issue.record("\(error)")
            return
        }
        #expect(reason is EncodingError)
    }
}
