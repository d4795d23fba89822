import AirframeConformance
import AirframeTransport
import HTTPTypes
import Testing

@testable import AirframeSocket

@Suite("the path of a request over HTTP/2 (RFC 9113 §8.3.1)", .timeLimit(.minutes(1)))
struct RequestPaths {
    private func head(_ path: String?, _ method: HTTPRequest.Method = .get) -> HTTP2RequestHead {
        HTTP2RequestHead(HTTPRequest(method: method, scheme: "https", authority: "a.example", path: path))
    }

    @Test(
        "a path that no request target can contain is rejected, and its value is not shown",
        arguments: [
            ("/cb?token=SECRET x", "the byte 0x20"), ("/SECRET#b", "the byte 0x23"), ("/SECRETé", "the byte 0xc3"),
            ("/SECRET\u{7F}a", "the request's path"), ("/a#", "the byte 0x23"), ("#SECRET", "the byte 0x23"),
            ("SECRET", "does not start with a slash"), ("http://SECRET/", "does not start with a slash"),
            ("*", "does not start with a slash"), ("*SECRET", "does not start with a slash"),
        ])
    func rejected(_ path: String, _ words: String) throws {
        let server = try MemoryServer()
        let failure = #expect(throws: HTTP2Failure.self) { try server.session.open(head(path)) }
        #expect(failure?.code == .invalidRequest)
        let message = failure?.message ?? ""
        #expect(message.contains(words), "\(message)")
        #expect(!message.contains("SECRET"))
        #expect(server.frames().isEmpty)
    }

    @Test("a path without a slash before its query, or an empty one, gets a slash")
    func completed() throws {
        let root = try HTTP2RequestFields(head("/"))
        let (query, completed) = (try HTTP2RequestFields(head("?a=b")), try HTTP2RequestFields(head("/?a=b")))
        #expect(query == completed)
        #expect(query != root)
        let (empty, missing) = (try HTTP2RequestFields(head("")), try HTTP2RequestFields(head(nil)))
        #expect(empty == root)
        #expect(missing == root)
    }

    @Test("OPTIONS may ask about the whole server (RFC 9110 §9.3.7)")
    func asterisk() throws {
        let server = try MemoryServer()
        _ = try server.session.open(head("*", .options))
        #expect(server.frames().map(\.type) == [1])
        #expect(throws: HTTP2Failure.self) { try server.session.open(head("*a", .options)) }
    }

    @Test("an authority with a space is rejected, and its value is not shown")
    func authority() throws {
        let request = HTTPRequest(method: .get, scheme: "https", authority: "SECRET .example", path: "/")
        let server = try MemoryServer()
        let failure = #expect(throws: HTTP2Failure.self) { try server.session.open(HTTP2RequestHead(request)) }
        #expect(failure?.message.contains(":authority") == true)
        #expect(failure?.message.contains("SECRET") == false)
    }

    @Test("the target of a tunnel stays, whatever Host says (RFC 9113 §8.5)")
    func tunnelTarget() throws {
        var request = HTTPRequest(method: .connect, scheme: nil, authority: "db.test:5432", path: nil)
        let plain = try HTTP2RequestFields(HTTP2RequestHead(request))
        request.headerFields.append(HTTPField(name: try #require(HTTPField.Name("Host")), value: "other.test"))
        let named = try HTTP2RequestFields(HTTP2RequestHead(request))
        #expect(named == plain)
    }

    @Test("the zone of an address is not sent (RFC 6874 §4)", arguments: ["[fe80::1%25eth0]:81", "u@[fe80::1%1]:81"])
    func zone(authority: String) throws {
        let zoned = HTTPRequest(method: .get, scheme: "https", authority: authority, path: "/")
        let plain = HTTPRequest(method: .get, scheme: "https", authority: "[fe80::1]:81", path: "/")
        let (fields, expected) = (
            try HTTP2RequestFields(HTTP2RequestHead(zoned)), try HTTP2RequestFields(HTTP2RequestHead(plain))
        )
        #expect(fields == expected)
    }

    @Test(
        "the default port of the scheme is not sent, as over HTTP/1.1 (RFC 9110 §4.2.3)",
        arguments: [("https", 443, 80), ("http", 80, 443)])
    func defaultPort(scheme: String, defaultPort: Int, otherPort: Int) throws {
        func fields(_ authority: String) throws -> HTTP2RequestFields {
            let request = HTTPRequest(method: .get, scheme: scheme, authority: authority, path: "/")
            return try HTTP2RequestFields(HTTP2RequestHead(request))
        }
        let plain = try fields("a.example")
        let (named, other) = (try fields("a.example:\(defaultPort)"), try fields("a.example:\(otherPort)"))
        #expect(named == plain)
        #expect(other != plain)
    }

    @Test("user information is not sent", arguments: ["user:secret@a.example", "a@b@a.example", "@a.example"])
    func user(authority: String) throws {
        let request = HTTPRequest(method: .get, scheme: "https", authority: authority, path: "/")
        let fields = try HTTP2RequestFields(HTTP2RequestHead(request))
        let plain = try HTTP2RequestFields(head("/"))
        #expect(fields == plain)
    }
}
