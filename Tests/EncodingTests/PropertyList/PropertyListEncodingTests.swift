import AirframeCore
import AirframeEncoding
import Foundation
import Testing

@Suite("Property lists in requests", .timeLimit(.minutes(1)))
struct PropertyListEncodingTests {
    private func request(_ encoding: PropertyListEncoding, _ parameters: Parameters?) throws -> URLRequest {
        try encoding.encode(URLRequest(url: "http://api.test/", method: .post), with: parameters)
    }

    @Test("parameters are a property list in the body", arguments: [PropertyListEncoding.default, .xml, .binary])
    func body(encoding: PropertyListEncoding) throws {
        let date = Date(timeIntervalSince1970: 1_000)
        let parameters: Parameters = [
            "text": "a", "number": 1, "double": 1.5, "yes": true, "date": date, "data": Data([1, 2]),
            "list": [1, 2], "object": ["a": ["b": "c"]],
        ]
        let request = try request(encoding, parameters)
        #expect(request.value(forHTTPHeaderField: "Content-Type") == "application/x-plist")
        let body = try #require(request.httpBody)
        #expect(body.starts(with: "bplist".utf8) == (encoding.format == .binary))
        let decoded = try #require(
            try PropertyListSerialization.propertyList(from: body, options: [], format: nil) as? [String: Any])
        #expect(decoded["text"] as? String == "a")
        #expect(decoded["number"] as? Int == 1)
        #expect(decoded["double"] as? Double == 1.5)
        #expect(decoded["yes"] as? Bool == true)
        #expect(decoded["date"] as? Date == date)
        #expect(decoded["data"] as? Data == Data([1, 2]))
        #expect(decoded["list"] as? [Int] == [1, 2])
        #expect(decoded["object"] as? [String: [String: String]] == ["a": ["b": "c"]])
    }

    @Test("a request without parameters stays unchanged, and an existing content type is kept")
    func exceptions() throws {
        #expect(try request(.xml, nil).httpBody == nil)
        var plain = try URLRequest(url: "http://api.test/", method: .post)
        plain.setValue("application/vnd.test", forHTTPHeaderField: "Content-Type")
        let encoded = try PropertyListEncoding.xml.encode(plain, with: ["a": 1])
        #expect(encoded.value(forHTTPHeaderField: "Content-Type") == "application/vnd.test")
    }

    @Test("a value that property lists cannot represent is an error")
    func invalid() throws {
        struct Custom: Sendable {}
        for value in [Custom(), [Custom()], ["a": Custom()], URLError(.badURL)] as [any Sendable] {
            let error = #expect(throws: AFError.self) { try request(.xml, ["a": value]) }
            #expect(error?.isParameterEncodingError == true)
        }
    }
}
