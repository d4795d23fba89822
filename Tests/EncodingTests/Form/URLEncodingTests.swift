import AirframeCore
import AirframeEncoding
import Foundation
import Testing

@Suite("URLEncoding", .timeLimit(.minutes(1)))
struct URLEncodingTests {
    private func query(_ parameters: Parameters, _ encoding: URLEncoding = .default) throws -> String? {
        try encoding.encode(makeRequest(), with: parameters).url?.query(percentEncoded: true)
    }

    static var values: [(any Sendable, String)] {
        [
            ("x y", "v=x%20y"), (1, "v=1"), (0, "v=0"), (-1, "v=-1"), (1.0, "v=1"), (0.0, "v=0"), (1.5, "v=1.5"),
            (Float(0.5), "v=0.5"), (Float(3), "v=3"), (Float16(2), "v=2"), (CGFloat(4), "v=4"),
            (NSNumber(value: 1.0), "v=1"), (Optional(1.0), "v=1"), ([1.0, 2.5], "v%5B%5D=1&v%5B%5D=2.5"),
            (Int8(1), "v=1"), (UInt8(0), "v=0"), (UInt64.max, "v=18446744073709551615"),
            (true, "v=1"), (false, "v=0"), (Decimal(1), "v=1"), (Character("é"), "v=%C3%A9"),
            (NSNumber(value: 25), "v=25"), (NSNumber(value: 1), "v=1"), (NSNumber(value: Int8(1)), "v=1"),
            (NSNumber(value: 1.5), "v=1.5"), (NSNumber(value: true), "v=1"), (NSNumber(value: false), "v=0"),
            ([1, 2], "v%5B%5D=1&v%5B%5D=2"), ([[1], [2, 3]], "v%5B%5D%5B%5D=1&v%5B%5D%5B%5D=2&v%5B%5D%5B%5D=3"),
            (
                ["b": 1, "a": ["d": true, "c": 2.0] as Parameters] as Parameters,
                "v%5Ba%5D%5Bc%5D=2&v%5Ba%5D%5Bd%5D=1&v%5Bb%5D=1"
            ),
            ([1, "a", false] as [any Sendable], "v%5B%5D=1&v%5B%5D=a&v%5B%5D=0"),
            (Optional(3), "v=3"), (Optional(Optional("x")), "v=x"), (Optional([1]), "v%5B%5D=1"),
            ([String: Int](), ""), ([Int](), ""), (Int?.none, ""),
            (URL(string: "http://a.test/?b"), "v=http%3A//a.test/?b"),
        ]
    }

    @Test("values of every kind are encoded by their type", arguments: values)
    func value(value: any Sendable, expected: String) throws {
        #expect(try query(["v": value]) ?? "" == expected)
    }

    @Test(
        "whole floating-point numbers have no fraction, as with Alamofire",
        arguments: [
            (1, "1"), (0, "0"), (-0.0, "-0"), (-2, "-2"), (0.1, "0.1"), (1e20, "1e%2B20"), (1e-7, "1e-07"),
            (9_007_199_254_740_992, "9007199254740992"),
        ] as [(Double, String)]
    )
    func floatingPoint(number: Double, expected: String) throws {
        #expect(try query(["v": number]) == "v=\(expected)")
    }

    @Test("infinities and NaN are encoded as NSNumber describes them")
    func nonFinite() throws {
        let numbers: [Double] = [.infinity, -.infinity, .nan, -.nan]
        #expect(try numbers.map { try query(["v": $0]) } == ["v=inf", "v=-inf", "v=nan", "v=nan"])
        #expect(try query(["v": Float.nan, "w": Float.infinity]) == "v=nan&w=inf")
    }

    @Test("literal booleans apply to Swift's and Foundation's booleans, and not to numbers")
    func literals() throws {
        let parameters: Parameters = [
            "a": true, "b": NSNumber(value: false), "c": 1, "d": NSNumber(value: 1), "e": [true], "f": 1.0,
        ]
        #expect(
            try query(parameters, URLEncoding(boolEncoding: .literal)) == "a=true&b=false&c=1&d=1&e%5B%5D=true&f=1")
    }

    @Test("values from JSONSerialization keep their types")
    func json() throws {
        let text = #"{"v": {"a": true, "b": 1, "c": 0, "d": false, "e": 1.5, "f": "x", "g": [true, 1]}}"#
        let object = try JSONSerialization.jsonObject(with: Data(text.utf8))
        let value = try #require((object as? [String: Any])?["v"])
        let pairs = URLEncoding(boolEncoding: .literal).queryComponents(fromKey: "v", value: value)
        let values = pairs.map(\.1)
        #expect(values == ["true", "1", "0", "false", "1.5", "x", "true", "1"])
    }

    @Test(
        "array encodings",
        arguments: [
            (URLEncoding.ArrayEncoding.brackets, "v%5B%5D=b&v%5B%5D=a"), (.noBrackets, "v=b&v=a"),
            (.indexInBrackets, "v%5B0%5D=b&v%5B1%5D=a"), (.custom { "\($0).\($1)" }, "v.0=b&v.1=a"),
        ]
    )
    func arrays(encoding: URLEncoding.ArrayEncoding, expected: String) throws {
        #expect(try query(["v": ["b", "a"]], URLEncoding(arrayEncoding: encoding)) == expected)
    }

    @Test("keys are percent-encoded and sorted alphabetically")
    func keys() throws {
        #expect(try query(["b": 1, "a&b": 2, "é": 3, "B": 4]) == "B=4&a%26b=2&b=1&%C3%A9=3")
    }

    @Test("queryComponents percent-encodes the pairs of a value")
    func components() {
        let pairs = URLEncoding.default.queryComponents(fromKey: "a b", value: ["c d": [true]])
        #expect(pairs.map(\.0) == ["a%20b%5Bc%20d%5D%5B%5D"])
        #expect(pairs.map(\.1) == ["1"])
    }

    @Test(
        "the destination depends on the method unless it is fixed",
        arguments: [
            (URLEncoding.default, HTTPMethod.get, true), (.default, .head, true), (.default, .delete, true),
            (.default, .post, false), (.default, .put, false), (.default, .patch, false), (.default, .query, false),
            (.queryString, .post, true), (.httpBody, .get, false),
        ]
    )
    func destinations(encoding: URLEncoding, method: HTTPMethod, isQuery: Bool) throws {
        let request = try encoding.encode(makeRequest(method: method), with: ["a": 1])
        #expect(request.url?.query == (isQuery ? "a=1" : nil))
        #expect(request.bodyText == (isQuery ? nil : "a=1"))
        #expect(request.contentType == (isQuery ? nil : FormParameterEncoderTests.formType))
    }

    @Test("a request without parameters stays unchanged, and an existing content type is kept")
    func unchanged() throws {
        var request = try makeRequest("http://api.test/?x=1", method: .post)
        request.setValue("text/x-form", forHTTPHeaderField: "Content-Type")
        #expect(try URLEncoding.default.encode(request, with: nil) == request)
        #expect(try URLEncoding.queryString.encode(request, with: [:]) == request)
        #expect(try URLEncoding.default.encode(request, with: ["a": 1]).contentType == "text/x-form")
    }

    @Test("a request without a URL is missingURL")
    func missingURL() throws {
        var request = try makeRequest()
        request.url = nil
        let error = try #require(throws: AFError.self) { try URLEncoding.default.encode(request, with: ["a": 1]) }
        guard case .parameterEncodingFailed(.missingURL) = error else {
            Issue.record("\(error)")
            return
        }
    }
}
