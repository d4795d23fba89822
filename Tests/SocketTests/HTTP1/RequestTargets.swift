import AirframeSocket
import AirframeTransport
import HTTPTypes
import Testing

@Suite("request lines and Host (RFC 9112 §3)", .timeLimit(.minutes(1)))
struct RequestTargets {
    @Test(
        "origin form and Host",
        arguments: [
            ("api.test", "/a?b=c", "http", "GET /a?b=c HTTP/1.1\r\nHost: api.test\r\n\r\n"),
            ("api.test", nil, "http", "GET / HTTP/1.1\r\nHost: api.test\r\n\r\n"),
            ("api.test", "", "http", "GET / HTTP/1.1\r\nHost: api.test\r\n\r\n"),
            ("api.test", "?a", "http", "GET /?a HTTP/1.1\r\nHost: api.test\r\n\r\n"),
            ("api.test:8080", "/", "http", "GET / HTTP/1.1\r\nHost: api.test:8080\r\n\r\n"),
            ("api.test:80", "/", "http", "GET / HTTP/1.1\r\nHost: api.test\r\n\r\n"),
            ("api.test:443", "/", "https", "GET / HTTP/1.1\r\nHost: api.test\r\n\r\n"),
            ("api.test:80", "/", "https", "GET / HTTP/1.1\r\nHost: api.test:80\r\n\r\n"),
            ("[::1]:80", "/", "http", "GET / HTTP/1.1\r\nHost: [::1]\r\n\r\n"),
            ("[::80]", "/", "http", "GET / HTTP/1.1\r\nHost: [::80]\r\n\r\n"),
            ("[fe80::1%25eth0]:80", "/", "http", "GET / HTTP/1.1\r\nHost: [fe80::1]\r\n\r\n"),
            ("u@[fe80::1%1]:81", "/", "http", "GET / HTTP/1.1\r\nHost: [fe80::1]:81\r\n\r\n"),
            ("user:secret@api.test", "/", "http", "GET / HTTP/1.1\r\nHost: api.test\r\n\r\n"),
            ("a@b@api.test:81", "//x", "http", "GET //x HTTP/1.1\r\nHost: api.test:81\r\n\r\n"),
        ] as [(String, String?, String, String)]
    )
    func originForm(_ authority: String, _ path: String?, _ scheme: String, _ expected: String) throws {
        #expect(try written(RequestHead(request(.get, authority, path, scheme: scheme))) == expected)
    }

    @Test("absolute form, for a forwarding proxy")
    func absoluteForm() throws {
        var head = RequestHead(request(.get, "u:p@api.test:80", "/a?b"), form: .absolute)
        head.additionalFields[.proxyAuthorization] = "Basic x"
        #expect(
            try written(head)
                == "GET http://api.test/a?b HTTP/1.1\r\nHost: api.test\r\nProxy-Authorization: Basic x\r\n\r\n"
        )
    }

    @Test("OPTIONS of the whole server, directly and through a proxy (RFC 9112 §3.2.4)")
    func asterisk() throws {
        #expect(try written(RequestHead(request(.options, "api.test", "*"))).hasPrefix("OPTIONS * HTTP/1.1\r\n"))
        let forwarded = RequestHead(request(.options, "api.test:81", "*"), form: .absolute)
        #expect(try written(forwarded).hasPrefix("OPTIONS http://api.test:81 HTTP/1.1\r\n"))
    }

    @Test("authority form for CONNECT", arguments: ["api.test:443", "[::1]:80"])
    func authorityForm(_ authority: String) throws {
        var buffer: [UInt8] = []
        let head = RequestHead(HTTPRequest(method: .connect, scheme: nil, authority: authority, path: nil))
        let outcome = try HTTP1RequestWriter.write(head, to: &buffer)
        #expect(buffer == "CONNECT \(authority) HTTP/1.1\r\nHost: \(authority)\r\n\r\n".latin1)
        #expect(outcome.kind == .connect)
    }

    @Test("the request's own Host overrides its authority, and is written first")
    func ownHost() throws {
        let head = RequestHead(request(fields: [("Accept", "*/*"), ("host", "other.test")]))
        #expect(try written(head) == "GET / HTTP/1.1\r\nHost: other.test\r\nAccept: */*\r\n\r\n")
    }

    @Test(
        "a target that a recipient could read as another request is rejected",
        arguments: [
            (request(.get, "api.test", "/a b"), "the byte 0x20"),
            (request(.get, "api.test", "/a#b"), "the byte 0x23"),
            (request(.get, "api.test", "/é"), "the byte 0xc3"),
            (request(.get, "api.test", "/ HTTP/1.1\r\nX: y"), "the byte 0x20"),
            (request(.get, "api.test", "/\r\nX"), "the byte 0x20"),
            (request(.get, "api.test", "a"), "does not start with a slash"),
            (request(.get, "api.test", "*"), "does not start with a slash"),
            (request(.get, "api.test", "http://x/"), "does not start with a slash"),
            (request(.get, nil, "/"), "no authority"),
            (request(.get, "", "/"), "no authority"),
            (request(.get, "a@", "/"), "no host"),
            (request(.get, "api.test/b", "/"), "the byte 0x2f"),
            (request(.get, "api.test b", "/"), "the byte 0x20"),
            (request(.get, "api.test\r\nX: y", "/"), "the byte 0x20"),
            (request(.get, "bücher.test", "/"), "the byte 0xc3"),
            (request(.connect, "api.test", nil), "needs a host and a port"),
            (request(.connect, "api.test:", nil), "needs a host and a port"),
            (request(.connect, "api.test:x", nil), "needs a host and a port"),
            (request(.connect, ":80", nil), "needs a host and a port"),
            (request(fields: [("Host", "a"), ("Host", "b")]), "two Host fields"),
        ]
    )
    func refused(_ request: HTTPRequest, _ expected: String) {
        var buffer: [UInt8] = Array("before".utf8)
        let error = #expect(throws: TransportError.self) {
            try HTTP1RequestWriter.write(RequestHead(request), to: &buffer)
        }
        #expect(error?.code == .invalidRequest)
        #expect(error?.processing == .notSent)
        #expect(error?.message.contains(expected) == true)
        #expect(buffer == Array("before".utf8))
    }

    @Test("requests that a proxy cannot forward are rejected")
    func absoluteScheme() {
        let head = RequestHead(request(scheme: "ftp"), form: .absolute)
        #expect(throws: TransportError.self) { try written(head) }
    }

    @Test("every byte of a path is checked, at every position (RFC 9112 §3.2)")
    func bytes() throws {
        let faults: [Unicode.Scalar] = ["\0", "\n", "\r", "\u{1F}", " ", "#", "\u{7F}", "\u{80}", "\u{FF}"]
        for length in 1...40 {
            let path = "/" + String(repeating: "~", count: length)
            let head = try written(RequestHead(request(.get, "api.test", path)))
            #expect(head.hasPrefix("GET \(path) HTTP/1.1\r\n"))
            for place in 1...length {
                // HTTPTypes replaces control bytes by spaces, and trims those at the end.
                for fault in faults where place < length || fault == "#" || fault.value > 0x7F {
                    var scalars = Array(path.unicodeScalars)
                    scalars[place] = fault
                    let faulty = request(.get, "api.test", String(String.UnicodeScalarView(scalars)))
                    #expect(throws: TransportError.self) { try written(RequestHead(faulty)) }
                }
            }
        }
    }
}
