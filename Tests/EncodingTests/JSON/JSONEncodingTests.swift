import AirframeCore
import AirframeEncoding
import Foundation
import Testing

@Suite("JSONEncoding", .timeLimit(.minutes(1)))
struct JSONEncodingTests {
    @Test("parameters become an object; numbers and booleans keep their types")
    func parameters() throws {
        let parameters: Parameters = [
            "a": 1, "b": true, "c": 1.5, "d": NSNull(), "e": ["x", 2] as [any Sendable], "f": ["g": false],
            "h": Optional(3), "i": Int?.none, "j": NSNumber(value: true), "k": NSNumber(value: 1),
        ]
        let request = try JSONEncoding(options: .sortedKeys).encode(makeRequest(method: .post), with: parameters)
        #expect(
            request.bodyText
                == #"{"a":1,"b":true,"c":1.5,"d":null,"e":["x",2],"f":{"g":false},"h":3,"i":null,"j":true,"k":1}"#
        )
        #expect(request.contentType == "application/json")
    }

    @Test("an array can be the body, and with fragmentsAllowed any value")
    func objects() throws {
        let array = try JSONEncoding.default.encode(makeRequest(method: .post), withJSONObject: [1, "a"] as [Any])
        #expect(array.bodyText == #"[1,"a"]"#)
        let text = try JSONEncoding(options: .fragmentsAllowed).encode(makeRequest(), withJSONObject: "a")
        #expect(text.bodyText == #""a""#)
    }

    @Test("prettyPrinted adds line breaks")
    func pretty() throws {
        let request = try JSONEncoding.prettyPrinted.encode(makeRequest(method: .post), with: ["a": 1])
        #expect(request.bodyText?.contains("\n") == true)
    }

    static var invalid: [any Sendable] {
        [
            "text", 1, Date(), ["a": Date()], ["a": Double.nan], ["a": Float.infinity], ["a": Data([1])], [1: 2],
            ["a": Set([1])], ["a": Optional(Double.nan)], ["a": ["b": URL(fileURLWithPath: "/")]], ["a": Box(v: 1)],
            ["a": Decimal.nan], [Int128(1)],
        ]
    }

    @Test("a value that JSON cannot represent is an error and does not stop the process", arguments: invalid)
    func refused(object: any Sendable) throws {
        let error = try #require(throws: AFError.self) {
            try JSONEncoding.default.encode(makeRequest(method: .post), withJSONObject: object)
        }
        guard case .parameterEncodingFailed(.jsonEncodingFailed(let reason)) = error else {
            Issue.record("\(error)")
            return
        }
        #expect(reason as? JSONEncoding.Error == .invalidJSONObject)
        #expect(reason.localizedDescription.contains("cannot be written as JSON"))
    }

    @Test("a request without parameters stays unchanged, and an existing content type is kept")
    func unchanged() throws {
        var request = try makeRequest(method: .post)
        request.setValue("application/problem+json", forHTTPHeaderField: "Content-Type")
        #expect(try JSONEncoding.default.encode(request, with: nil) == request)
        #expect(try JSONEncoding.default.encode(request) == request)
        #expect(try JSONEncoding.default.encode(request, with: [:]).contentType == "application/problem+json")
    }

    @Test("errors of making the request are rethrown")
    func unmade() {
        struct Refusal: Error {}
        struct Unmade: URLRequestConvertible {
            func asURLRequest() throws -> URLRequest { throw Refusal() }
        }
        #expect(throws: Refusal.self) { try JSONEncoding.default.encode(Unmade(), with: ["a": 1]) }
        #expect(throws: Refusal.self) { try URLEncoding.default.encode(Unmade(), with: nil) }
    }
}
