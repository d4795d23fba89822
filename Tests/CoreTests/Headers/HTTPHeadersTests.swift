import AirframeCore
import HTTPTypes
import Testing

@Suite("HTTPHeaders", .timeLimit(.minutes(1)))
struct HTTPHeadersTests {
    @Test("keep the order in which they were added")
    func order() {
        let headers: HTTPHeaders = ["Zulu": "1", "Alpha": "2", "Mike": "3"]
        #expect(headers.map(\.name) == ["Zulu", "Alpha", "Mike"])
    }

    @Test("take the last value at the first position for repeated names, ignoring case")
    func duplicates() {
        let headers = HTTPHeaders([
            HTTPHeader(name: "Accept", value: "a"), HTTPHeader(name: "Host", value: "h"),
            HTTPHeader(name: "ACCEPT", value: "b"),
        ])
        #expect(headers.map(\.description) == ["ACCEPT: b", "Host: h"])
    }

    @Test("have the same order each time for a dictionary")
    func dictionaryOrder() {
        let dictionary = Dictionary(uniqueKeysWithValues: (0..<50).map { ("Field-\($0)", "\($0)") })
        let again = Dictionary(uniqueKeysWithValues: (0..<50).reversed().map { ("Field-\($0)", "\($0)") })
        #expect(HTTPHeaders(dictionary) == HTTPHeaders(again))
        #expect(HTTPHeaders(dictionary).dictionary == dictionary)
    }

    @Test("are found by name, ignoring case", arguments: ["content-type", "Content-Type", "CONTENT-TYPE"])
    func lookup(name: String) {
        let headers: HTTPHeaders = [.contentType("text/plain")]
        #expect(headers[name] == "text/plain")
        #expect(headers.value(for: name) == "text/plain")
    }

    @Test("remove a field, also by setting it to nil")
    func removal() {
        var headers: HTTPHeaders = ["A": "1", "B": "2", "C": "3"]
        headers.remove(name: "a")
        headers["b"] = nil
        headers.remove(name: "absent")
        #expect(headers.map(\.name) == ["C"])
    }

    @Test("replace a field in place by set and add")
    func updating() {
        var headers: HTTPHeaders = ["A": "1", "B": "2"]
        headers.add(name: "a", value: "3")
        headers["c"] = "4"
        headers.update(.accept("x"))
        #expect(headers.map(\.description) == ["a: 3", "B: 2", "c: 4", "Accept: x"])
    }

    @Test("sort by name, ignoring case")
    func sorting() {
        let headers: HTTPHeaders = ["b": "1", "A": "2", "C": "3"]
        #expect(headers.sorted().map(\.name) == ["A", "b", "C"])
    }

    @Test(
        "redact secrets in descriptions",
        arguments: [
            (HTTPHeader.authorization(bearerToken: "s3cret"), "Authorization: Bearer •••"),
            (.authorization(username: "u", password: "s3cret"), "Authorization: Basic •••"),
            (HTTPHeader(name: "cookie", value: "id=s3cret"), "cookie: •••"),
            (HTTPHeader(name: "Set-Cookie", value: "id=s3cret"), "Set-Cookie: •••"),
            (.accept("text/plain"), "Accept: text/plain"),
        ]
    )
    func redaction(header: HTTPHeader, description: String) {
        #expect(header.description == description)
        #expect(header.debugDescription == description)
        #expect("\(HTTPHeaders([header]))" == description)
        #expect(String(reflecting: HTTPHeaders([header])) == description)
    }

    @Test(
        "have a factory function for each common field",
        arguments: [
            (HTTPHeader.accept("v"), "Accept"), (.acceptCharset("v"), "Accept-Charset"),
            (.acceptLanguage("v"), "Accept-Language"), (.acceptEncoding("v"), "Accept-Encoding"),
            (.authorization("v"), "Authorization"), (.contentDisposition("v"), "Content-Disposition"),
            (.contentEncoding("v"), "Content-Encoding"), (.contentType("v"), "Content-Type"),
            (.userAgent("v"), "User-Agent"), (.websocketProtocol("v"), "Sec-WebSocket-Protocol"),
        ]
    )
    func makers(header: HTTPHeader, name: String) {
        #expect(header == HTTPHeader(name: name, value: "v"))
    }

    @Test("encode Basic credentials as in the example of RFC 7617 §2")
    func basic() {
        let header = HTTPHeader.authorization(username: "Aladdin", password: "open sesame")
        #expect(header.value == "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==")
    }

    @Test("have the defaults Accept-Encoding, Accept-Language and User-Agent, in this order")
    func defaults() {
        #expect(HTTPHeaders.default.map(\.name) == ["Accept-Encoding", "Accept-Language", "User-Agent"])
        #expect(HTTPHeader.defaultAcceptEncoding.value == "br;q=1.0, gzip;q=0.9, deflate;q=0.8")
        #expect(HTTPHeader.defaultUserAgent.value.hasSuffix("Airframe/\(AFInfo.version)"))
        #expect(HTTPHeaders.default.makeFields().invalid.isEmpty)
        #expect(HTTPHeader.defaultAcceptLanguage.value.contains(";q=1.0"))
    }

    @Test("convert to fields and back, with repeated fields joined, cookies by a semicolon")
    func fields() {
        var fields = HTTPFields()
        for (name, value) in [("Vary", "a"), ("X", "1"), ("vary", "b"), ("Cookie", "c=1"), ("cookie", "d=2")] {
            guard let name = HTTPField.Name(name) else { continue }
            fields.append(HTTPField(name: name, value: value))
        }
        let headers = HTTPHeaders(fields)
        #expect(headers.map(\.name) == ["Vary", "X", "Cookie"])
        #expect(headers["Vary"] == "a, b")
        #expect(headers["Cookie"] == "c=1; d=2")
        #expect(headers.fields.count == 3)
    }

    @Test(
        "spell the well-known names of a response as usual, and other names as received",
        arguments: [
            ("content-type", "Content-Type"), ("CONTENT-LENGTH", "Content-Length"), ("Etag", "ETag"),
            ("www-authenticate", "WWW-Authenticate"), ("content-md5", "Content-MD5"), ("te", "TE"), ("dnt", "DNT"),
            ("x-frame-options", "X-Frame-Options"), ("x-request-id", "x-request-id"), ("X-own", "X-own"),
        ]
    )
    func spelling(received: String, shown: String) throws {
        var fields = HTTPFields()
        for value in ["a", "b"] { fields.append(HTTPField(name: try #require(.init(received)), value: value)) }
        #expect(HTTPHeaders(fields).dictionary == [shown: "a, b"])
        // Many fields are joined in another way.
        for index in 0..<40 { fields.append(HTTPField(name: try #require(.init("x-\(index)")), value: "v")) }
        #expect(HTTPHeaders(fields).first == HTTPHeader(name: shown, value: "a, b"))
        #expect(HTTPHeaders(fields).map(\.name).last == "x-39")
    }

    @Test(
        "name invalid fields (RFC 9110 §5.1, §5.5)",
        arguments: [
            ("Bad Name", "v"), ("", "v"), ("Na:me", "v"), ("Ünicode", "v"), ("Name", "a\r\nInjected: b"),
            ("Name", "a\nb"), ("Name", "a\u{0}b"), ("Name", "a\u{7F}b"), (":path", "/"),
        ]
    )
    func invalid(name: String, value: String) {
        let header = HTTPHeader(name: name, value: value)
        let made = HTTPHeaders([header]).makeFields()
        #expect(made.fields.isEmpty)
        #expect(made.invalid == [header])
        #expect(header.invalidity?.name == name)
        #expect(header.invalidity?.description.contains(value) != true || value == "v" || value == "/")
    }

    @Test("drop whitespace around a value, which is not part of it (RFC 9110 §5.5)")
    func blanks() {
        #expect(HTTPHeader(name: "A", value: " \tv w\t ").field?.value == "v w")
        #expect(HTTPHeader(name: "A", value: " ").field?.value == "")
        #expect(HTTPHeader(name: "A", value: "grün").field?.value == "grün")
    }

    @Test("encode descending quality values, never below 0.1 (RFC 9110 §12.4.2)")
    func qualities() {
        #expect(["a", "b"].qualityEncoded() == "a;q=1.0, b;q=0.9")
        #expect((0..<12).map(String.init).qualityEncoded().hasSuffix("9;q=0.1, 10;q=0.1, 11;q=0.1"))
    }
}
