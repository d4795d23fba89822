import AirframeCore
import AirframeEncoding
import Foundation
import Testing

/// Creates a request.
func makeRequest(_ url: String = "http://api.test/", method: HTTPMethod = .get) throws -> URLRequest {
    try URLRequest(url: url, method: method)
}

extension URLRequest {
    var bodyText: String? { httpBody.map { String(decoding: $0, as: UTF8.self) } }
    var contentType: String? { value(forHTTPHeaderField: "Content-Type") }
}

@Suite("URLEncodedFormParameterEncoder", .timeLimit(.minutes(1)))
struct FormParameterEncoderTests {
    static let formType = "application/x-www-form-urlencoded; charset=utf-8"

    @Test(
        "by default, GET, HEAD and DELETE carry parameters in the query", arguments: [HTTPMethod.get, .head, .delete])
    func query(method: HTTPMethod) throws {
        let request = try URLEncodedFormParameterEncoder.default.encode(["a": 1], into: makeRequest(method: method))
        #expect(request.url?.absoluteString == "http://api.test/?a=1")
        #expect(request.httpBody == nil && request.contentType == nil)
    }

    @Test(
        "by default, other methods carry parameters in the body",
        arguments: [HTTPMethod.post, .put, .patch, .options, .query, .trace, .connect, HTTPMethod(rawValue: "REPORT")]
    )
    func body(method: HTTPMethod) throws {
        let request = try URLEncodedFormParameterEncoder.default.encode(["a": 1], into: makeRequest(method: method))
        #expect(request.url?.absoluteString == "http://api.test/")
        #expect(request.bodyText == "a=1")
        #expect(request.contentType == Self.formType)
    }

    @Test("a fixed destination takes precedence over the method")
    func destinations() throws {
        let query = try URLEncodedFormParameterEncoder(destination: .queryString)
            .encode(["a": 1], into: makeRequest(method: .post))
        #expect(query.url?.query == "a=1" && query.httpBody == nil)
        let body = try URLEncodedFormParameterEncoder(destination: .httpBody).encode(["a": 1], into: makeRequest())
        #expect(body.url?.query == nil && body.bodyText == "a=1")
    }

    @Test(
        "a query is appended to the URL's query, before the fragment",
        arguments: [
            ("http://api.test", "http://api.test?a=1"),
            ("http://api.test/p", "http://api.test/p?a=1"),
            ("http://api.test/p?", "http://api.test/p?a=1"),
            ("http://api.test/p?x=%41&y", "http://api.test/p?x=%41&y&a=1"),
            ("http://api.test/p?x=1&", "http://api.test/p?x=1&a=1"),
            ("http://api.test/p?x=?#f?g", "http://api.test/p?x=?&a=1#f?g"),
            ("http://api.test/#f?g", "http://api.test/?a=1#f?g"),
            ("http://user:pass@[::1]:80/", "http://user:pass@[::1]:80/?a=1"),
        ]
    )
    func appended(url: String, expected: String) throws {
        let request = try URLEncodedFormParameterEncoder.default.encode(["a": 1], into: makeRequest(url))
        #expect(request.url?.absoluteString == expected)
        let same = try URLEncoding.default.encode(makeRequest(url), with: ["a": 1])
        #expect(same.url?.absoluteString == expected)
    }

    @Test("missing and empty parameters leave the URL unchanged")
    func nothing() throws {
        let request = try makeRequest("http://api.test/p?x=1#f")
        #expect(try URLEncodedFormParameterEncoder.default.encode([String: Int]?.none, into: request) == request)
        #expect(try URLEncodedFormParameterEncoder.default.encode([String: Int](), into: request) == request)
    }

    @Test("allowed characters that a URL cannot contain are encoded, and no others")
    func illegal() throws {
        let allowed = CharacterSet.afURLQueryAllowed.union(CharacterSet(charactersIn: "[] "))
        let encoder = URLEncodedFormParameterEncoder(encoder: Form(allowedCharacters: allowed))
        let request = try encoder.encode(["a": ["b c", "%é"]], into: makeRequest())
        #expect(request.url?.absoluteString == "http://api.test/?a%5B%5D=%25%C3%A9&a%5B%5D=b%20c")
    }

    @Test("an existing content type is kept")
    func contentType() throws {
        var request = try makeRequest(method: .post)
        request.setValue("text/x-form", forHTTPHeaderField: "content-type")
        #expect(try URLEncodedFormParameterEncoder.default.encode(["a": 1], into: request).contentType == "text/x-form")
    }

    @Test("a value without a form is encoderFailed with the error")
    func failure() throws {
        let error = try #require(throws: AFError.self) {
            try URLEncodedFormParameterEncoder.default.encode([1], into: makeRequest())
        }
        guard case .parameterEncoderFailed(.encoderFailed(let reason)) = error else {
            Issue.record("\(error)")
            return
        }
        #expect(reason is Form.Error)
        #expect("\(error.localizedDescription)".contains("Array<Int>, which encodes as a list"))
    }

    @Test(
        "a request without a URL is missingRequiredComponent, also if the body carries the parameters",
        arguments: [HTTPMethod.get, .post])
    func missingURL(method: HTTPMethod) throws {
        var request = try makeRequest(method: method)
        request.url = nil
        let error = try #require(throws: AFError.self) {
            try URLEncodedFormParameterEncoder.default.encode(["a": 1], into: request)
        }
        guard case .parameterEncoderFailed(.missingRequiredComponent(.url)) = error else {
            Issue.record("\(error)")
            return
        }
    }

    @Test("the shorthands are the encoders")
    func shorthands() throws {
        let encoders: [any ParameterEncoder] = [
            .urlEncodedForm, .urlEncodedForm(encoder: Form(boolEncoding: .literal), destination: .queryString),
        ]
        let urls = try encoders.map { try $0.encode(["a": true], into: makeRequest()).url?.query }
        #expect(urls == ["a=1", "a=true"])
    }
}
