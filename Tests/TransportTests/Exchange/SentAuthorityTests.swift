import AirframeTransport
import HTTPTypes
import Testing

@Suite("The authority that a server receives", .timeLimit(.minutes(1)))
struct SentAuthorityTests {
    private func head(_ scheme: String?, _ authority: String?, host: String? = nil) throws -> HTTPRequest {
        var head = HTTPRequest(method: .get, scheme: scheme, authority: authority, path: "/")
        if let host { head.headerFields[try #require(HTTPField.Name("Host"))] = host }
        return head
    }

    @Test(
        "has no user information, no zone and no default port (RFC 9110 §4.2, RFC 6874 §4)",
        arguments: [
            ("https", "API.test", "API.test"), ("https", "api.test:443", "api.test"), ("HTTPS", "a.test:443", "a.test"),
            ("https", "api.test:80", "api.test:80"), ("http", "api.test:80", "api.test"), ("http", "a.test:", "a.test"),
            ("http", "api.test:0080", "api.test"), ("http", "u:p@a@api.test:8080", "api.test:8080"),
            ("http", "[::80]", "[::80]"), ("http", "[::1]:80", "[::1]"), ("https", "[fe80::1%25eth0]:443", "[fe80::1]"),
            ("http", "[fe80::1%1]:9000", "[fe80::1]:9000"), ("http", ":80", ":80"),
        ])
    func form(_ scheme: String, _ authority: String, _ sent: String) throws {
        #expect(try head(scheme, authority).sentAuthority == sent)
    }

    @Test("is the request's own Host, unchanged")
    func ownHost() throws {
        #expect(try head("https", "10.0.0.5", host: "API.test:443").sentAuthority == "API.test:443")
        #expect(try head("https", nil).sentAuthority == nil)
    }

    @Test(
        "differs from the URL's if the request's own Host names another server",
        arguments: [
            ("api.test", nil, false), ("api.test", "api.test", false), ("api.test", "API.test:443", false),
            ("u@API.test:443", "api.test", false), ("[fe80::1%25eth0]:1", "[fe80::1]:1", false),
            ("api.test", "b.test", true), ("api.test", "api.test:80", true), ("api.test", "u@api.test", true),
            ("api.test", "", true),
        ] as [(String, String?, Bool)])
    func comparison(_ authority: String, _ host: String?, _ isOther: Bool) throws {
        #expect(try head("https", authority, host: host).namesOtherHost == isOther)
    }
}
