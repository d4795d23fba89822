import AirframeConformance
import AirframeCurl
import AirframeTestSupport
import AirframeTransport
import Foundation
import HTTPTypes
import Testing

@Suite("Requests on the wire", .timeLimit(.minutes(1)))
struct RequestTests {
    let transport = CurlTransport()

    /// The bytes that a server receives for a request.
    private func sent(_ request: (String) -> TransportRequest) async throws -> (lines: [String], body: String) {
        let server = try ScriptedServer.answering()
        _ = try await transport.fetch(request(server.origin))
        let text = server.connections[0].receivedText
        let head = text.components(separatedBy: "\r\n\r\n")
        return (head[0].components(separatedBy: "\r\n"), head.dropFirst().joined(separator: "\r\n\r\n"))
    }

    @Test("a plain GET has a request line, Host and nothing else")
    func plain() async throws {
        let (lines, _) = try await sent { TransportRequest(.get, "\($0)/a?b=c") }
        #expect(lines.count == 2)
        #expect(lines[0] == "GET /a?b=c HTTP/1.1")
        #expect(lines[1].hasPrefix("Host: 127.0.0.1:"))
    }

    @Test("fields are sent in order and with their spelling, including repeated and empty ones")
    func fields() async throws {
        var fields = HTTPFields()
        let names = ["X-One", "x-two", "X-Empty", "X-One", "Accept", "User-Agent"]
        for (index, name) in names.enumerated() {
            let name = try #require(HTTPField.Name(name))
            fields.append(HTTPField(name: name, value: name.rawName == "X-Empty" ? "" : "value \(index)"))
        }
        let (lines, _) = try await sent { TransportRequest(.get, $0, fields: fields) }
        #expect(
            lines.dropFirst(2) == [
                "X-One: value 0", "x-two: value 1", "X-Empty:", "X-One: value 3", "Accept: value 4",
                "User-Agent: value 5",
            ]
        )
    }

    @Test("field values that are not UTF-8 arrive unchanged")
    func latin1() async throws {
        let server = try ScriptedServer.answering()
        var fields = HTTPFields()
        fields.append(HTTPField(name: try #require(HTTPField.Name("X-Latin")), value: [0x66, 0xFC, 0x72]))
        _ = try await transport.fetch(TransportRequest(.get, server.origin, fields: fields))
        let received = server.connections[0].received
        #expect(received.firstRange(of: [0x66, 0xFC, 0x72, 13, 10]) != nil)
    }

    @Test(
        "request targets are sent unchanged",
        arguments: ["/a/../b/./c", "/%7euser/%2F%41", "/a//b", "/?", "/a?", "/a?b?c&d=%20", "/;p=1", "/'\"<>[]{}|^`\\"]
    )
    func targets(path: String) async throws {
        let server = try ScriptedServer.answering()
        let request = TransportRequest(
            HTTPRequest(method: .get, scheme: "http", authority: "127.0.0.1:\(server.port)", path: path)
        )
        _ = try await transport.fetch(request)
        #expect(server.connections[0].receivedText.hasPrefix("GET \(path) HTTP/1.1\r\n"))
    }

    @Test("OPTIONS * has an asterisk for a target (RFC 9112 §3.2.4)")
    func asterisk() async throws {
        let server = try ScriptedServer.answering()
        let head = HTTPRequest(method: .options, scheme: "http", authority: "127.0.0.1:\(server.port)", path: "*")
        _ = try await transport.fetch(TransportRequest(head))
        #expect(server.connections[0].receivedText.hasPrefix("OPTIONS * HTTP/1.1\r\n"))
    }

    @Test("methods are sent unchanged", arguments: ["GET", "DELETE", "OPTIONS", "PURGE", "propfind"])
    func methods(name: String) async throws {
        let method = try #require(HTTPRequest.Method(name))
        let (lines, body) = try await sent { TransportRequest(method, $0) }
        #expect(lines[0] == "\(name) / HTTP/1.1")
        #expect(lines.count == 2)
        #expect(body.isEmpty)
    }

    @Test(
        "methods that expect content announce that there is none (RFC 9110 §8.6)", arguments: ["POST", "PUT", "PATCH"])
    func noContent(name: String) async throws {
        let method = try #require(HTTPRequest.Method(name))
        let (lines, _) = try await sent { TransportRequest(method, $0) }
        #expect(lines.dropFirst(2) == ["Content-Length: 0"])
    }

    @Test("any method but HEAD may have a body", arguments: ["GET", "POST", "PUT", "DELETE", "REPORT"])
    func bodies(name: String) async throws {
        let method = try #require(HTTPRequest.Method(name))
        let (lines, body) = try await sent { TransportRequest(method, $0, body: .bytes(Data("content".utf8))) }
        #expect(lines[0] == "\(name) / HTTP/1.1")
        #expect(lines.dropFirst(2) == ["Content-Length: 7"])
        #expect(body == "content")
    }

    @Test("an empty body has a length of 0")
    func emptyBody() async throws {
        let (lines, _) = try await sent { TransportRequest(.get, $0, body: .bytes(Data())) }
        #expect(lines.dropFirst(2) == ["Content-Length: 0"])
    }

    @Test("a HEAD request gets a head with a length and no body")
    func head() async throws {
        let server = try ScriptedServer { connection in
            try connection.readHead()
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 12345\r\n\r\n")
            try connection.readHead()
            try connection.respond(body: "next")
        }
        let (response, body) = try await transport.fetch(TransportRequest(.head, server.origin))
        #expect(response.head.headerFields[.contentLength] == "12345")
        #expect(body.isEmpty)
        let (second, next) = try await transport.fetch(TransportRequest(.get, server.origin))
        #expect(second.connection?.isReused == true)
        #expect(next == Data("next".utf8))
    }

    @Test("user information is not sent")
    func userInformation() async throws {
        let server = try ScriptedServer.answering()
        let head = HTTPRequest(
            method: .get, scheme: "http", authority: "user:secret@127.0.0.1:\(server.port)", path: "/")
        _ = try await transport.fetch(TransportRequest(head))
        let text = server.connections[0].receivedText
        #expect(!text.contains("secret"))
        #expect(!text.lowercased().contains("authorization"))
    }

    @Test("the caller's Host field replaces the authority's")
    func host() async throws {
        let name = try #require(HTTPField.Name("Host"))
        let (lines, _) = try await sent { TransportRequest(.get, $0, fields: [name: "other.test"]) }
        #expect(lines.dropFirst() == ["Host: other.test"])
    }

    @Test("a priority is a field, unless the caller has one (RFC 9218 §5)")
    func priority() async throws {
        let (lines, _) = try await sent {
            TransportRequest(.get, $0).with { $0.options.priority = RequestPriority(urgency: 1, isIncremental: true) }
        }
        #expect(lines.dropFirst(2) == ["priority: u=1, i"])
    }

    @Test("the transport does nothing above one exchange")
    func oneExchange() async throws {
        let server = try ScriptedServer { connection in
            try connection.readHead()
            try connection.send(
                "HTTP/1.1 302 Found\r\nLocation: /next\r\nSet-Cookie: a=b\r\nContent-Encoding: gzip\r\n"
                    + "WWW-Authenticate: Basic realm=x\r\nContent-Length: 3\r\n\r\nabc"
            )
            try connection.readHead()
            try connection.respond()
        }
        let (response, body) = try await transport.fetch(TransportRequest(.get, server.origin))
        #expect(response.head.status == 302)
        #expect(body == Data("abc".utf8))
        _ = try await transport.fetch(TransportRequest(.get, server.origin))
        #expect(!server.connections[0].receivedText.contains("Cookie"))
    }
}

@Suite("Requests that cannot be sent", .timeLimit(.minutes(1)))
struct RefusedRequestTests {
    let transport = CurlTransport()

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let request: TransportRequest
        let code: TransportError.Code
        let words: String

        init(_ name: String, _ request: TransportRequest, _ code: TransportError.Code, _ words: String) {
            testDescription = name
            self.request = request
            self.code = code
            self.words = words
        }
    }

    static func head(_ scheme: String?, _ authority: String?, _ path: String? = "/") -> TransportRequest {
        TransportRequest(HTTPRequest(method: .get, scheme: scheme, authority: authority, path: path))
    }

    static let cases: [Case] = [
        Case("ftp", head("ftp", "a.test"), .unsupportedScheme, "ftp"),
        Case("file", head("file", ""), .unsupportedScheme, "file"),
        Case("no scheme", head(nil, "a.test"), .invalidRequest, "scheme"),
        Case("no host", head("http", ""), .invalidRequest, "authority"),
        Case("host with a space", head("http", "a b.test"), .invalidRequest, "a b.test"),
        Case("bad port", head("http", "a.test:99999"), .invalidRequest, "a.test:99999"),
        Case("path with a space", head("http", "a.test", "/a b"), .invalidRequest, "/a b"),
        Case("path with a fragment", head("http", "a.test", "/a#b"), .invalidRequest, "/a#•••"),
        Case("path without a slash", head("http", "a.test", "a"), .invalidRequest, "slash"),
        Case("CONNECT", TransportRequest(.connect, "http://a.test/"), .invalidRequest, "CONNECT"),
        Case(
            "HEAD with content", TransportRequest(.head, "http://a.test/", body: .bytes(Data([1]))), .invalidRequest,
            "HEAD"
        ),
        Case(
            "wrong Content-Length",
            TransportRequest(.post, "http://a.test/", fields: [.contentLength: "5"], body: .bytes(Data([1]))),
            .invalidRequest, "Content-Length says 5, the content is 1 bytes"
        ),
        Case(
            "Transfer-Encoding", TransportRequest(.get, "http://a.test/", fields: [.transferEncoding: "chunked"]),
            .invalidRequest, "Transfer-Encoding"
        ),
        Case(
            "HTTP/2 by ALPN in the clear",
            TransportRequest(.get, "http://a.test/").with { $0.options.httpVersion = .http2Only },
            .unsupportedOption, "http2PriorKnowledge"
        ),
        Case(
            "trailers over HTTP/2",
            TransportRequest(.post, "https://a.test/", body: .none.trailers { [:] })
                .with { $0.options.httpVersion = .http2Only },
            .unsupportedOption, "trailers"
        ),
        Case(
            "missing file",
            TransportRequest(.put, "http://127.0.0.1:9/", body: .file(FileRegion(path: "/nowhere/file", length: 1))),
            .bodyFailed, "/nowhere/file"
        ),
        Case(
            "HTTP/3 is rejected as an option, and a directory as a file",
            TransportRequest(.put, "http://127.0.0.1:9/", body: .file(FileRegion(path: "/tmp", length: 1))),
            .bodyFailed, "/tmp"
        ),
    ]

    @Test(
        "an invalid request is rejected before anything is sent, with an error that names the fault", arguments: cases)
    func refused(_ refused: Case) async throws {
        let log = EventLog()
        let error = try #require(await transport.failure(of: refused.request.with { $0.events = log }))
        #expect(error.code == refused.code)
        #expect(error.processing == .notSent)
        #expect(error.message.contains(refused.words), "\(error)")
        #expect(log.names == ["started", "failed"])
    }
}
