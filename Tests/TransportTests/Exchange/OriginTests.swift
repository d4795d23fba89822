import AirframeTransport
import HTTPTypes
import Testing

@Suite("An origin", .timeLimit(.minutes(1)))
struct OriginTests {
    /// An authority and what it means; `nil` for one that means nothing.
    struct Case: Sendable, CustomTestStringConvertible {
        let scheme: String
        let authority: String
        let expected: Origin?

        init(_ scheme: String, _ authority: String, _ host: String? = nil, _ port: Int = 0) {
            self.scheme = scheme
            self.authority = authority
            expected = host.map { Origin(scheme: scheme, host: $0, port: port) }
        }

        var testDescription: String { "\(scheme) \(authority.debugDescription)" }
    }

    static let valid = [
        Case("http", "api.test", "api.test", 80),
        Case("https", "api.test", "api.test", 443),
        Case("ws", "api.test", "api.test", 80),
        Case("wss", "api.test", "api.test", 443),
        Case("HTTPS", "API.Test:8443", "api.test", 8443),
        Case("http", "api.test:", "api.test", 80),
        Case("http", "api.test:0", "api.test", 0),
        Case("http", "api.test:00080", "api.test", 80),
        Case("http", "api.test:65535", "api.test", 65535),
        Case("http", "127.0.0.1:1", "127.0.0.1", 1),
        Case("https", "[::1]", "::1", 443),
        Case("https", "[::1]:", "::1", 443),
        Case("https", "[2001:DB8::A]:8443", "2001:db8::a", 8443),
        Case("http", "[fe80::1%25eth0]:80", "fe80::1%25eth0", 80),
        Case("http", "user@api.test", "api.test", 80),
        Case("http", "user:pass@api.test:81", "api.test", 81),
        Case("http", "user:p@ss@api.test", "api.test", 80),
        Case("http", "@api.test", "api.test", 80),
        Case("http", "user:pass@[::1]:81", "::1", 81),
        Case("http", "under_score.test", "under_score.test", 80),
        Case("http", "api.test.", "api.test.", 80),
        Case("http", "%65vil.test", "%65vil.test", 80),
        Case("http", "bücher.test", "bücher.test", 80),
        Case("git+ssh", "api.test:22", "api.test", 22),
        Case("http", "\(longestHost):81", longestHost, 81),
        Case("http", "user@\(longestHost)", longestHost, 80),
    ]

    private static let longestHost = String(repeating: "a.", count: 126) + "tes"

    @Test("is read from scheme and authority", arguments: valid)
    func parses(_ example: Case) {
        #expect(Origin(scheme: example.scheme, authority: example.authority) == example.expected)
    }

    static let malformed = [
        Case("http", ""), Case("http", ":"), Case("http", ":80"), Case("http", "user@"), Case("http", "user@:80"),
        Case("http", "api.test:65536"), Case("http", "api.test:-1"), Case("http", "api.test:+80"),
        Case("http", "api.test:80a"), Case("http", "api.test: 80"), Case("http", "api.test:80:80"),
        Case("http", "api.test:٨٠"), Case("http", "api.test:99999999999999999999"),
        Case("http", "::1"), Case("http", "fe80::1"), Case("http", "[::1"), Case("http", "[]"), Case("http", "[]:80"),
        Case("http", "[::1]80"), Case("http", "[::1]:x"), Case("http", "[::1]]"), Case("http", "[api.test]"),
        Case("http", "::1]"), Case("http", "a[b"), Case("http", "a b"), Case("http", "a\tb"), Case("http", "a\r\nb"),
        Case("http", "a\0b"), Case("http", "a\u{7F}b"), Case("http", "a/b"), Case("http", "a?b"), Case("http", "a#b"),
        Case("http", #"a\b"#), Case("http", "evil.test/@api.test"), Case("http", "evil.test#@api.test"),
        Case("http", #"evil.test\@api.test"#), Case("http", "<a>"), Case("http", "{a}"), Case("http", "a|b"),
        Case("http", "a\(longestHost)"), Case("http", "A\(longestHost)"), Case("http", "user@a\(longestHost):80"),
        Case("", "api.test"), Case("ht tp", "api.test"), Case("1http", "api.test"), Case("http:", "api.test"),
    ]

    @Test("is refused where scheme or authority is malformed (RFC 3986 §3.2)", arguments: malformed)
    func refuses(_ example: Case) {
        #expect(Origin(scheme: example.scheme, authority: example.authority) == nil)
    }

    @Test("is read from a request's head, which must have scheme and authority")
    func fromHead() {
        let head = HTTPRequest(method: .get, scheme: "https", authority: "api.test", path: "/")
        #expect(Origin(head) == Origin(scheme: "https", host: "api.test"))
        #expect(Origin(HTTPRequest(method: .get, scheme: nil, authority: "api.test", path: "/")) == nil)
        #expect(Origin(HTTPRequest(method: .get, scheme: "https", authority: nil, path: "/")) == nil)
    }

    @Test("differs by scheme, host and port, and by nothing else (RFC 6454 §4)")
    func equality() {
        let origin = Origin(scheme: "https", host: "api.test")
        #expect(origin == Origin(scheme: "HTTPS", host: "API.TEST", port: 443))
        #expect(origin != Origin(scheme: "http", host: "api.test", port: 443))
        #expect(origin != Origin(scheme: "https", host: "api.test", port: 8443))
        #expect(origin != Origin(scheme: "https", host: "www.api.test"))
        #expect(Origin(scheme: "http", host: "[::1]") == Origin(scheme: "http", host: "::1"))
    }

    @Test(
        "knows whether it is reached over TLS",
        arguments: [("http", false), ("https", true), ("wss", true), ("ws", false)])
    func security(scheme: String, isSecure: Bool) {
        #expect(Origin(scheme: scheme, host: "api.test").isSecure == isSecure)
    }

    @Test("is formatted with its port, and an IPv6 address in brackets")
    func description() {
        #expect("\(Origin(scheme: "https", host: "api.test"))" == "https://api.test:443")
        #expect("\(Origin(scheme: "http", host: "::1", port: 8080))" == "http://[::1]:8080")
    }
}
