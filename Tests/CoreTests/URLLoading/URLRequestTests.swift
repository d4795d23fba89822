import AirframeCore
import AirframeTransport
import Foundation
import HTTPTypes
import Testing

@Suite("URLRequest", .timeLimit(.minutes(1)))
struct URLRequestTests {
    private func request(_ text: String = "http://host.test/") throws -> URLRequest {
        URLRequest(url: try #require(URL(string: text)))
    }

    @Test("is a GET without fields and body by default, with Foundation's default values")
    func defaults() throws {
        let request = try request()
        #expect(request.httpMethod == "GET")
        #expect(request.allHTTPHeaderFields == [:])
        #expect(request.httpBody == nil && request.httpBodyStream == nil)
        #expect(request.timeoutInterval == 60 && !request.hasOwnTimeout)
        #expect(request.cachePolicy == .useProtocolCachePolicy)
        #expect(request.httpShouldHandleCookies && request.allowsCellularAccess)
        #expect(request.transportOptions == TransportOptions())
    }

    @Test(
        "converts registered methods to upper case and keeps others",
        arguments: [
            ("get", "GET"), ("Post", "POST"), ("DELETE", "DELETE"), ("query", "QUERY"), ("report", "report"),
            ("Gets", "Gets"),
        ]
    )
    func methods(given: String, stored: String) throws {
        var request = try request()
        request.httpMethod = given
        #expect(request.httpMethod == stored)
        request.httpMethod = nil
        #expect(request.httpMethod == "GET")
    }

    @Test("is a value: changes of a copy do not affect the original")
    func copies() throws {
        let original = try request()
        var copy = original
        copy.setValue("1", forHTTPHeaderField: "A")
        copy.headerFields.append(HTTPField(name: .accept, value: "x"))
        copy.httpBody = Data("b".utf8)
        copy.transportOptions.networkInterface = "lo"
        #expect(original == (try request()))
        #expect(copy != original)
        #expect(Set([original, copy, original]).count == 2)
    }

    @Test("finds, sets and removes fields by name, ignoring case")
    func fields() throws {
        var request = try request()
        request.setValue("a", forHTTPHeaderField: "Accept")
        request.setValue("b", forHTTPHeaderField: "ACCEPT")
        #expect(request.value(forHTTPHeaderField: "accept") == "b")
        #expect(request.headerFields.count == 1)
        request.setValue(nil, forHTTPHeaderField: "aCCept")
        #expect(request.value(forHTTPHeaderField: "Accept") == nil)
    }

    @Test("appends an added value to the existing one after a comma")
    func adding() throws {
        var request = try request()
        request.addValue("a", forHTTPHeaderField: "Accept")
        request.addValue("b", forHTTPHeaderField: "accept")
        #expect(request.value(forHTTPHeaderField: "Accept") == "a,b")
        #expect(request.headerFields.count == 1)
    }

    @Test("keeps the case of names", arguments: ["content-type", "etag", "X-own"])
    func spelling(name: String) throws {
        var request = try request()
        request.setValue("v", forHTTPHeaderField: name)
        #expect(request.allHTTPHeaderFields == [name: "v"])
        #expect(request.headers.map(\.name) == [name])
    }

    @Test("keeps repeated fields")
    func repeated() throws {
        var request = try request()
        request.headerFields.append(HTTPField(name: .accept, value: "a"))
        request.headerFields.append(HTTPField(name: .accept, value: "b"))
        #expect(request.headerFields[values: .accept] == ["a", "b"])
        #expect(request.value(forHTTPHeaderField: "Accept") == "a, b")
        #expect(request.headers["Accept"] == "a, b")
    }

    @Test("sends a Cookie field as it was set (RFC 6265 §5.4)")
    func cookie() throws {
        var request = try request()
        request.setValue("a=1; b=2", forHTTPHeaderField: "Cookie")
        #expect(request.headerFields.count == 1)
        #expect(request.value(forHTTPHeaderField: "Cookie") == "a=1; b=2")
    }

    @Test("sets the fields of a dictionary and keeps the others; nil removes all")
    func dictionary() throws {
        var request = try request()
        request.allHTTPHeaderFields = ["A": "1"]
        request.allHTTPHeaderFields = ["B": "2"]
        #expect(request.allHTTPHeaderFields == ["A": "1", "B": "2"])
        request.allHTTPHeaderFields = nil
        #expect(request.allHTTPHeaderFields == [:])
    }

    @Test("keeps invalid fields, and names them when it is sent")
    func invalidFields() throws {
        var request = try request()
        request.setValue("ok", forHTTPHeaderField: "X-Note")
        request.setValue("a\r\nEvil: 1", forHTTPHeaderField: "X-Note")
        request.setValue("v", forHTTPHeaderField: "Bad Name")
        #expect(request.headerFields.isEmpty)
        #expect(request.invalidHeaderFields.map(\.name) == ["X-Note", "Bad Name"])
        #expect(request.value(forHTTPHeaderField: "x-note") == "a\r\nEvil: 1")
        #expect(request.headers.count == 2)

        let error = #expect(throws: AFError.self) { try request.head() }
        #expect(error?.isCreateURLRequestError == true)
        #expect((error?.underlyingError as? InvalidHeaderFieldError)?.name == "X-Note")

        request.setValue("fine", forHTTPHeaderField: "x-note")
        request.setValue(nil, forHTTPHeaderField: "bad name")
        #expect(request.invalidHeaderFields.isEmpty)
        #expect(try request.head().headerFields.count == 1)
    }

    @Test("has one body: data replaces a stream, and a stream replaces data")
    func body() throws {
        var request = try request()
        request.httpBody = Data("x".utf8)
        request.httpBodyStream = InputStream(data: Data("y".utf8))
        #expect(request.httpBody == nil && request.httpBodyStream != nil)
        request.httpBody = Data("x".utf8)
        #expect(request.httpBodyStream == nil)
    }

    @Test("rejects a GET with a body, as URLSession does")
    func validation() throws {
        var request = try request()
        try request.validate()
        request.httpBody = Data("body".utf8)
        #expect(throws: AFError.self) { try request.validate() }
        request.method = .post
        try request.validate()
    }

    @Test("distinguishes a timeout that was set from the default")
    func timeout() throws {
        let url = try #require(URL(string: "http://h.test"))
        #expect(!URLRequest(url: url, timeoutInterval: 60).hasOwnTimeout)
        #expect(URLRequest(url: url, timeoutInterval: 5).hasOwnTimeout)
        var request = URLRequest(url: url)
        request.timeoutInterval = 60
        #expect(request.hasOwnTimeout)
    }

    @Test("redacts passwords, tokens and bodies in its description")
    func description() throws {
        var request = try request("https://user:s3cret@host.test/path")
        request.setValue("Bearer s3cret", forHTTPHeaderField: "Authorization")
        request.httpMethod = "POST"
        request.httpBody = Data("s3cret".utf8)
        #expect(request.description == "POST https://user:•••@host.test/path")
        #expect(request.debugDescription.contains("Bearer •••"))
        #expect(request.debugDescription.contains("6 bytes"))
        #expect(!request.debugDescription.contains("s3cret"))
    }

    @Test("is created from any URLConvertible")
    func convertibles() throws {
        let text = "http://h.test/a"
        let url = try #require(URL(string: text))
        let components = try #require(URLComponents(string: text))
        let sources: [any URLConvertible] = [text, url, components]
        for source in sources {
            let request = try URLRequest(url: source, method: .put, headers: ["A": "1"])
            #expect(request.url?.absoluteString == "http://h.test/a")
            #expect(request.method == .put)
            #expect(request.headers == ["A": "1"])
            #expect(request.urlRequest == request)
        }
        let error = #expect(throws: AFError.self) { try "".asURL() }
        #expect(error?.isInvalidURLError == true)
        #expect(error?.urlConvertible as? String == "")
    }
}
