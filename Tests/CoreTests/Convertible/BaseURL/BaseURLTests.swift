import Airframe
import AirframeConformance
import AirframeTestSupport
import Foundation
import Testing

@Suite("Base URLs", .timeLimit(.minutes(1)))
struct BaseURLTests {
    static let joined: [(base: String, reference: String, url: String)] = [
        ("https://api.test/v2", "users/7", "https://api.test/v2/users/7"),
        ("https://api.test/v2/", "users/7", "https://api.test/v2/users/7"),
        ("https://api.test/v2", "/users/7", "https://api.test/v2/users/7"),
        ("https://api.test/v2/", "/users/7", "https://api.test/v2/users/7"),
        ("https://api.test", "users", "https://api.test/users"),
        ("https://api.test", "/", "https://api.test/"),
        ("https://api.test/v2", "/", "https://api.test/v2/"),
        ("https://api.test/v2", ".", "https://api.test/v2/"),
        ("https://api.test/v2", "users/", "https://api.test/v2/users/"),
        ("https://api.test/v2", "./users", "https://api.test/v2/users"),
        ("https://api.test/v2", "a/./b", "https://api.test/v2/a/b"),
        ("https://api.test/v2", "a/../b", "https://api.test/v2/b"),
        ("https://api.test/v2", "a/%2E%2e/b", "https://api.test/v2/b"),
        ("https://api.test/v2", "a/..", "https://api.test/v2/"),
        ("https://api.test/v2", "a//b", "https://api.test/v2/a//b"),
        ("https://api.test/v2", "a%2Fb", "https://api.test/v2/a%2Fb"),
        ("https://api.test/v2", "a%2F..%2Fb", "https://api.test/v2/a%2F..%2Fb"),
        ("https://api.test/v2", "...", "https://api.test/v2/..."),
        ("https://api.test/v2", "?page=2", "https://api.test/v2?page=2"),
        ("https://api.test/v2", "users?page=2#top", "https://api.test/v2/users?page=2#top"),
        ("https://api.test/v2?key=1", "users", "https://api.test/v2/users?key=1"),
        ("https://api.test/v2?key=1", "users?page=2", "https://api.test/v2/users?key=1&page=2"),
        ("https://api.test/v2?key=1#base", "#own", "https://api.test/v2?key=1#own"),
        ("https://user:secret@api.test:8443/v2", "x", "https://user:secret@api.test:8443/v2/x"),
        ("https://[::1]:8443/v2", "x", "https://[::1]:8443/v2/x"),
        (
            "https://api.test/v2", "search?next=https://x.test/../y",
            "https://api.test/v2/search?next=https://x.test/../y"
        ),
        ("https://api.test/v2", "to/https://x.test/", "https://api.test/v2/to/https://x.test/"),
        ("https://api.test/v2", "https://cdn.test/x", "https://cdn.test/x"),
        ("https://api.test/v2", "HTTP://cdn.test/../x", "HTTP://cdn.test/../x"),
    ]

    @Test("a reference is appended to the path of the base", arguments: joined.indices)
    func joining(index: Int) throws {
        let expected = Self.joined[index]
        let base = try BaseURL(#require(URL(string: expected.base)))
        let reference = try #require(URL(string: expected.reference))
        #expect(try base.joining(reference).absoluteString == expected.url)
    }

    @Test(
        "a reference that leads out of the base is rejected",
        arguments: [
            "..", "../admin", "/../admin", "a/../../admin", "%2e%2e/admin", ".%2E/admin", "..%2Fadmin", "..%5Cadmin",
            "a/..%2f..%2fadmin", "a%2F..%2F..%2F..%2Fadmin", "./../x",
        ])
    func leaving(reference: String) throws {
        let base = try BaseURL(#require(URL(string: "https://api.test/v2")))
        let error = try #require(throws: BaseURLError.self) { try base.joining(#require(URL(string: reference))) }
        #expect(error.reason == .leavesBase)
        #expect(error.description.contains("https://api.test/v2"))
    }

    @Test("a reference that names a host without a scheme is rejected")
    func hostWithoutScheme() throws {
        let base = try BaseURL(#require(URL(string: "https://api.test/v2")))
        let error = try #require(throws: BaseURLError.self) {
            try base.joining(#require(URL(string: "//evil.test/x")))
        }
        #expect(error.reason == .namesHost)
    }

    @Test("a base without a scheme or a host is rejected, with its password redacted")
    func invalidBase() throws {
        for text in ["api.test/v2", "/v2", "mailto:user@api.test"] {
            let error = try #require(throws: BaseURLError.self) { try BaseURL(#require(URL(string: text))) }
            #expect(error.reason == .invalidBase)
        }
        let base = try BaseURL(#require(URL(string: "https://user:secret1@api.test/v2")))
        let error = try #require(throws: BaseURLError.self) { try base.joining(#require(URL(string: "../x"))) }
        #expect(!error.description.contains("secret1"))
    }

    @Test("a session resolves relative URLs against its base, including those of templates and parameters")
    func sessions() async throws {
        let session = echoSession { $0.baseURL = URL(string: "https://api.test/v2?key=1") }
        #expect(try await session.request("users/7").line == "GET https://api.test/v2/users/7?key=1")
        #expect(
            try await session.request(.template("users/{id}{?fields*}", ["id": 7, "fields": ["name", "age"]])).line
                == "GET https://api.test/v2/users/7?key=1&fields=name&fields=age")
        let paged = try await session.request("users", parameters: ["page": 2]).line
        #expect(paged == "GET https://api.test/v2/users?key=1&page=2")
        #expect(try await session.request("https://cdn.test/x").line == "GET https://cdn.test/x")
        let upload = try await session.upload(Data("x".utf8), to: "files").serializingString().value
        #expect(upload.hasPrefix("POST https://api.test/v2/files?key=1\n"))
        let error = await session.request("../admin").serializingString().response.error
        #expect(error?.underlyingError is BaseURLError)
    }

    @Test("an invalid base fails only requests with a relative URL")
    func invalidSessionBase() async throws {
        let session = echoSession { $0.baseURL = URL(string: "/v2") }
        let error = await session.request("users").serializingString().response.error
        #expect((error?.underlyingError as? BaseURLError)?.reason == .invalidBase)
        #expect(try await session.request("https://cdn.test/x").line == "GET https://cdn.test/x")
    }

    @Test("a base URL works over the wire", arguments: TestedEngine.allCases)
    func wire(engine: TestedEngine) async throws {
        let server = try ScriptedServer.echoing()
        let session = engine.session { $0.baseURL = URL(string: "\(server.origin)/v2") }
        #expect(try await session.get("users/7").text.hasPrefix("GET /v2/users/7 HTTP/1.1\r\n"))
        #expect(try await session.group(baseURL: "users").get("8").text.hasPrefix("GET /v2/users/8 HTTP/1.1\r\n"))
    }
}
