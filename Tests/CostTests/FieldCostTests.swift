import AirframeTransport
import Foundation
import HTTPTypes
import Testing

@testable import AirframeAuthentication
@testable import AirframeCore

@Suite("Cost of header fields", .timeLimit(.minutes(2)), .serialized)
struct FieldCostTests {
    private static func response(_ count: Int, _ name: @Sendable (Int) -> String) throws -> HTTPURLResponse {
        var fields = HTTPFields()
        for index in 0..<count {
            fields.append(HTTPField(name: try #require(HTTPField.Name(name(index))), value: "value \(index)"))
        }
        return HTTPURLResponse(
            url: URL(string: "http://api.test/"), head: HTTPResponse(status: .ok, headerFields: fields))
    }

    private static func response(_ name: HTTPField.Name, _ value: String) -> HTTPURLResponse {
        let head = HTTPResponse(status: .ok, headerFields: [name: value])
        return HTTPURLResponse(url: URL(string: "http://api.test/"), head: head)
    }

    private static let collections: [CostCase] = [
        CostCase("headers of different names") { count in
            let response = try response(count) { "X-Field-\($0)" }
            return { consume(response.headers) }
        },
        CostCase("headers of one name") { count in
            let response = try response(count) { _ in "X-Field" }
            return { consume(response.headers) }
        },
        CostCase("headers of one name in many cases") { count in
            let response = try response(count) { $0 % 2 == 0 ? "x-field" : "X-FIELD" }
            return { consume(response.headers) }
        },
        CostCase("allHeaderFields") { count in
            let response = try response(count) { "X-Field-\($0)" }
            return { consume(response.allHeaderFields) }
        },
        CostCase("debugDescription") { count in
            let response = try response(count) { "X-Field-\($0)" }
            return { consume(response.debugDescription) }
        },
        CostCase("receivedHeaders") { count in
            let response = try response(count) { "X-Field-\($0)" }
            return { consume(response.receivedHeaders) }
        },
        CostCase("the value of a field that came often") { count in
            let response = try response(count) { _ in "X-Field" }
            return { consume(response.value(forHTTPHeaderField: "X-Field")) }
        },
        CostCase("HTTPHeaders of an array") { count in
            let headers = (0..<count).map { HTTPHeader(name: "X-Field-\($0)", value: "a") }
            return { consume(HTTPHeaders(headers)) }
        },
        CostCase("HTTPHeaders of a dictionary") { count in
            let pairs = (0..<count).map { ("X-Field-\($0)", "a") }
            let dictionary = Dictionary(uniqueKeysWithValues: pairs)
            return { consume(HTTPHeaders(dictionary)) }
        },
    ]

    private static let values: [CostCase] = [
        CostCase("Content-Type with many parameters") { count in
            let text = "text/plain" + (0..<count).map { ";p\($0)=\($0)" }.joined()
            return { consume(MediaType(text)) }
        },
        CostCase("the description of a media type") { count in
            let type = MediaType("text/plain" + (0..<count).map { ";p\($0)=\"a b\"" }.joined())
            return { consume(type?.description) }
        },
        CostCase("Content-Type with an unfinished quote") { count in
            let text = "text/plain;a=\"" + .repeating("\\\"", count)
            return { consume(MediaType(text)) }
        },
        CostCase("Content-Type with spaces") { count in
            let text = "text/plain" + .repeating(" ", count) + .repeating("; ", count)
            return { consume(MediaType(text)) }
        },
        CostCase("charset of a response") { count in
            let type = (0..<count).map { ";p\($0)=\($0)" }.joined()
            let responses = [response(.contentType, "text/plain" + type), response(.contentType, "none" + type)]
            return { for response in responses { consume((response.mimeType, response.textEncodingName)) } }
        },
        CostCase("values with parameters") { count in
            let text = "a" + (0..<count).map { ";p\($0)=\"\\\($0)\"" }.joined()
            return { consume(ParameterizedValue(text)) }
        },
        CostCase("Content-Disposition with many parameters") { count in
            let text = "attachment" + (0..<count).map { ";p\($0)=\($0)" }.joined()
            return { consume(ContentDisposition(text)?.filename) }
        },
        CostCase("a file name in many pieces") { count in
            let text = "attachment" + (0..<count).map { ";filename*\($0)=\"a\"" }.joined()
            return { consume(ContentDisposition.filename(text)) }
        },
        CostCase("a long file name") { count in
            let response = response(.contentDisposition, "attachment; filename=\"\(String.repeating("a\\é", count))\"")
            return { consume(response.suggestedFilename) }
        },
        CostCase("Content-Length repeated") { count in
            let lengths = .repeating("1, ", count) + "1"
            // A response for each call, since a head parses its length once.
            return { consume(response(.contentLength, lengths).expectedContentLength) }
        },
        CostCase("Content-Range") { count in
            let text = "bytes " + .repeating("1-", count) + "/" + .repeating("2/", count)
            return { consume(ContentRange(text)) }
        },
        CostCase("dates and Retry-After") { count in
            let texts: [String] = [.repeating("1 ", count), .repeating("9", count), .repeating("Sun, ", count)]
            return { for text in texts { consume((HTTPDate.date(from: text), RetryAfter(text))) } }
        },
    ]

    private static let challenges: [CostCase] = [
        CostCase("many challenges in one field") { count in
            let value = (0..<count).map { "Scheme\($0) realm=\"r\($0)\"" }.joined(separator: ", ")
            return { consume(AuthenticationChallenge.challenges(in: [value])) }
        },
        CostCase("many fields with a challenge") { count in
            let values = (0..<count).map { "Basic realm=\"r\($0)\"" }
            return { consume(AuthenticationChallenge.challenges(in: values)) }
        },
        CostCase("a challenge with many parameters") { count in
            let value = "Digest " + (0..<count).map { "p\($0)=\"\($0)\"" }.joined(separator: ",")
            return { consume(AuthenticationChallenge.challenges(in: [value])) }
        },
        CostCase("quotes without an end in a challenge") { count in
            let values = ["Basic realm=\"" + .repeating("\\\"", count), "Basic " + .repeating("\"\\", count)]
            return { consume(AuthenticationChallenge.challenges(in: values)) }
        },
        CostCase("a token68 that is none") { count in
            let value = "Bearer " + .repeating("a= ", count) + .repeating("=", count)
            return { consume(AuthenticationChallenge.challenges(in: [value])) }
        },
    ]

    @Test("collections of fields", arguments: collections)
    func collection(_ item: CostCase) throws { try item.check() }

    @Test("values of fields", arguments: values)
    func value(_ item: CostCase) throws { try item.check() }

    @Test("challenges", arguments: challenges)
    func challenge(_ item: CostCase) throws { try item.check() }
}
