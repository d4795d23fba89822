import AirframeTransport
import HTTPTypes
import Testing

@testable import AirframeCache

@Suite("Cache keys", .timeLimit(.minutes(1)))
struct CacheKeyTests {
    private func key(_ scheme: String, _ authority: String, _ path: String = "/a?b") -> CacheKey? {
        CacheKey(HTTPRequest(method: .get, scheme: scheme, authority: authority, path: path))
    }

    @Test(
        "are normalized URIs: scheme and host in lower case, no default port, no empty path (RFC 9110 §4.2.3)",
        arguments: [
            ("http", "api.test", "/a?b", "http://api.test/a?b"), ("HTTPS", "API.test", "/a", "https://api.test/a"),
            ("http", "api.test:80", "/", "http://api.test/"), ("https", "api.test:443", "/", "https://api.test/"),
            ("https", "api.test:80", "/", "https://api.test:80/"),
            ("http", "api.test:8080", "", "http://api.test:8080/"),
            ("http", "api.test:0081", "/", "http://api.test:81/"),
            ("http", "[2001:DB8::1]:80", "/", "http://[2001:db8::1]/"),
            ("http", "127.0.0.1:65535", "/", "http://127.0.0.1:65535/"),
        ])
    func normalization(scheme: String, authority: String, path: String, uri: String) throws {
        let key = try #require(self.key(scheme, authority, path))
        #expect(key.uri == uri)
        let again = CacheKey(uri: uri)
        #expect(again == key && again.hash == key.hash && again.uri == uri)
        #expect(key.resolving(uri) == key)
    }

    @Test("differ where URIs differ, wherever their parts meet")
    func difference() throws {
        let keys = try [
            #require(self.key("http", "a.test", "/b")), #require(self.key("https", "a.test", "/b")),
            #require(self.key("http", "a.test", "/b?")), #require(self.key("http", "a.test:81", "/b")),
            #require(self.key("http", "a.tes", "/tb")), #require(self.key("http", "a.test", "/b/")),
            #require(self.key("http", "a.test", "/bbbbbbbb")), #require(self.key("http", "a.test", "/bbbbbbbbb")),
        ]
        #expect(Set(keys).count == keys.count)
        #expect(Set(keys.map(\.hash)).count == keys.count)
    }

    @Test("have a fragment for a request that names its server, which references keep (RFC 9111 §4.4)")
    func partition() throws {
        var request = get("/a?b")
        request.options.unixSocketPath = "/run/a.sock"
        let plain = try #require(CacheKey(request.head))
        let own = try #require(CacheKey(request))
        #expect(own != plain)
        #expect(own.uri.hasPrefix("http://api.test/a?b#"))
        #expect(CacheKey(uri: own.uri) == own)
        #expect(own.withoutQuery.query == "b")
        #expect(own.resolving("/a?b") == own)
        #expect(own.resolving("http://API.test/a?b") == own)
        #expect(plain.resolving("/a?b") == plain)
        #expect(Set([own, plain, own.withoutSearch, plain.withoutSearch]).count == 4)
    }

    @Test(
        "resolve references whose query contains a URI (RFC 3986 §4.2)",
        arguments: [
            ("/b?u=http://x/", "http://h/b?u=http://x/"), ("b?u=https://x/", "http://h/d/b?u=https://x/"),
            ("?u=http://x/", "http://h/d/a?u=http://x/"), ("http://H/c?u=http://x/", "http://h/c?u=http://x/"),
            ("//h/c?u=http://x/", "http://h/c?u=http://x/"), ("http://x/?u=http://h/", nil),
        ] as [(String, String?)])
    func references(reference: String, uri: String?) {
        #expect(CacheKey(uri: "http://h/d/a").resolving(reference)?.uri == uri)
    }

    @Test(
        "are not made for other schemes, malformed authorities and targets that are not paths",
        arguments: [("ftp", "a.test", "/"), ("http", "a.test:99999", "/"), ("http", "", "/"), ("http", "a.test", "*")])
    func refusal(scheme: String, authority: String, path: String) { #expect(key(scheme, authority, path) == nil) }
}
