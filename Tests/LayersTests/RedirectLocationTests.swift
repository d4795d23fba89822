import AirframeLayers
import AirframeTestSupport
import AirframeTransport
import HTTPTypes
import Testing

@Suite("Redirects: the target of a location (RFC 3986 §5)", .timeLimit(.minutes(1)))
struct RedirectLocationTests {
    private static let start = "http://api.test:8080/a/b?x=1"

    @Test(
        "A location is resolved against the request, without its fragment",
        arguments: [
            ("/c", "http://api.test:8080/c"), ("c", "http://api.test:8080/a/c"), ("./c", "http://api.test:8080/a/c"),
            ("../c", "http://api.test:8080/c"), ("../../../c", "http://api.test:8080/c"),
            ("c/./d/..", "http://api.test:8080/a/c/"), (".", "http://api.test:8080/a/"),
            ("?y=2", "http://api.test:8080/a/b?y=2"), ("#f", "http://api.test:8080/a/b?x=1"),
            ("?", "http://api.test:8080/a/b?"), ("/c?q#f", "http://api.test:8080/c?q"),
            ("//other.test/c", "http://other.test/c"), ("//other.test", "http://other.test/"),
            ("http://other.test", "http://other.test/"), ("http://other.test?q", "http://other.test/?q"),
            ("https://other.test:8443/c;p?q=1&r=2#f", "https://other.test:8443/c;p?q=1&r=2"),
            ("HTTPS://Other.TEST/c", "https://Other.TEST/c"), ("http://h.test:/c", "http://h.test/c"),
            ("http://[::1]:90/c", "http://[::1]:90/c"), ("http://[::1]/c", "http://[::1]/c"),
            ("http://user:pass@other.test/c", "http://other.test/c"),
            ("http://a@b@other.test/c", "http://other.test/c"),
            ("/a%2Fb", "http://api.test:8080/a%2Fb"), ("/a%20b?c%20d", "http://api.test:8080/a%20b?c%20d"),
        ]
    )
    func resolves(location: String, expected: String) async throws {
        let base = ScriptedTransport(redirecting: 302, to: location)
        _ = try await RedirectLayer(base).send(.to(Self.start))
        #expect(base.requests.last?.url == expected)
    }

    @Test(
        "Unescaped characters are escaped, as browsers do",
        arguments: [
            ("/a b", "http://api.test:8080/a%20b"), ("/ä", "http://api.test:8080/%C3%A4"),
            ("?q=ä ö", "http://api.test:8080/a/b?q=%C3%A4%20%C3%B6"), ("/100%", "http://api.test:8080/100%25"),
            ("/p|q{}^`", "http://api.test:8080/p%7Cq%7B%7D%5E%60"),
            (#"/\evil.test"#, "http://api.test:8080/%5Cevil.test"),
        ]
    )
    func escapes(location: String, expected: String) async throws {
        let base = ScriptedTransport(redirecting: 302, to: location)
        _ = try await RedirectLayer(base).send(.to(Self.start))
        #expect(base.requests.last?.url == expected)
    }

    @Test(
        "A location that is not an HTTP URL is an error",
        arguments: [
            "", "file:///etc/passwd", "javascript:alert(1)", "data:text/plain,x", "ftp://other.test/",
            "ws://other.test/",
            "mailto:a@b", "app://callback?code=1", "app:callback", "http://", "http:///c", "http:c", "https:",
            "http://[::1", "http://h.test:99999/", "http://h.test:80:90/", "http://h.test:-1/", "http://:80/",
            "///three", "://", #"http:\\evil.test/"#,
            // Its parent domains have 4 GB together.
            "https://\(String(repeating: "a.", count: 65_000))test/",
        ]
    )
    func refuses(location: String) async throws {
        let base = ScriptedTransport(redirecting: 302, to: location)
        let log = EventLog()
        var request = TransportRequest.to(Self.start)
        request.events = log
        let error = await #expect(throws: TransportError.self) { try await RedirectLayer(base).send(request) }
        #expect(error?.code == .invalidRedirect)
        #expect(error?.phase == .layer)
        #expect(error?.origin == Origin(scheme: "http", host: "api.test", port: 8080))
        #expect(error?.message.contains("is not a valid http or https URL") == true)
        #expect(base.requests.count == 1)
        #expect(log.words == ["failed: invalidRedirect"])
    }

    @Test("An error shows a location escaped, shortened and without its password")
    func message() async throws {
        let cases = [
            ("ftp://user:s3cret@h.test/", #""ftp://•••@h.test/""#), (#"x:"y"#, #""x:\"y""#),
        ]
        for (location, shown) in cases {
            let layer = RedirectLayer(ScriptedTransport(redirecting: 302, to: location))
            let error = await #expect(throws: TransportError.self) { try await layer.send(.to(Self.start)) }
            #expect(error?.message == "the redirect's location \(shown) is not a valid http or https URL")
        }
        let long = RedirectLayer(ScriptedTransport(redirecting: 302, to: "x:" + String(repeating: "y", count: 100_000)))
        let error = await #expect(throws: TransportError.self) { try await long.send(.to(Self.start)) }
        #expect((error?.message.count ?? .max) < 300)
    }

    @Test("Two different locations count as none; the same location twice counts as one")
    func ambiguous() async throws {
        for (second, isOne) in [("/c", true), ("/d", false)] {
            let base = ScriptedTransport { request in
                guard request.head.path != "/c" else { return .ok(request) }
                var response = TransportResponse.redirect(302, to: "/c", from: request)
                response.head.headerFields.append(HTTPField(name: .location, value: second))
                return response
            }
            let result = try? await RedirectLayer(base).send(.to(Self.start))
            #expect((result != nil) == isOne)
            #expect(base.requests.count == (isOne ? 2 : 1))
        }
    }

    @Test("A location is resolved against a request for the server as a whole, OPTIONS *")
    func asterisk() async throws {
        let base = ScriptedTransport(redirecting: 302, to: "c")
        var request = TransportRequest.to("http://api.test/", method: .options)
        request.head.path = "*"
        _ = try await RedirectLayer(base).send(request)
        #expect(base.requests.last?.url == "http://api.test/c")
    }
}
