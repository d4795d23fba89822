import AirframeCore
import Foundation
import HTTPTypes
import Testing

@Suite("The head made of a URLRequest", .timeLimit(.minutes(1)))
struct RequestHeadTests {
    private func head(_ text: String) throws -> HTTPRequest {
        try URLRequest(url: try #require(URL(string: text))).head()
    }

    @Test(
        "has scheme, authority, path and query of the URL, and no fragment (RFC 9110 §7.1)",
        arguments: [
            ("http://host.test", "http", "host.test", "/"),
            ("HTTP://host.test/a/b?c=d&e=f#g", "http", "host.test", "/a/b?c=d&e=f"),
            ("https://host.test:8443/a", "https", "host.test:8443", "/a"),
            ("https://host.test:443/", "https", "host.test:443", "/"),
            ("http://host.test:/", "http", "host.test", "/"),
            ("http://host.test?q=1", "http", "host.test", "/?q=1"),
            ("http://host.test#fragment", "http", "host.test", "/"),
            ("http://[::1]:8080/x", "http", "[::1]:8080", "/x"),
            ("http://127.0.0.1/", "http", "127.0.0.1", "/"),
            ("http://host.test/a%20b%2Fc", "http", "host.test", "/a%20b%2Fc"),
            ("http://host.test/a b|ü?q=ü", "http", "host.test", "/a%20b%7C%C3%BC?q=%C3%BC"),
            ("http://host.test//a/../b", "http", "host.test", "//a/../b"),
            ("http://host.test/?redirect=http://other.test/", "http", "host.test", "/?redirect=http://other.test/"),
            ("http://host.test/a@b:c", "http", "host.test", "/a@b:c"),
            ("http://bücher.test/", "http", "xn--bcher-kva.test", "/"),
        ]
    )
    func parts(text: String, scheme: String, authority: String, path: String) throws {
        let head = try head(text)
        #expect(head.scheme == scheme)
        #expect(head.authority == authority)
        #expect(head.path == path)
        #expect(head.method == .get)
    }

    @Test(
        "is rejected for a URL without a host to connect to",
        arguments: [
            "/relative", "host.test", "mailto:user@host.test", "http:///path", "http://:80/", "http://host.test:65536/",
            "http://host.test:99999/", "http://user@/", "file:///etc/hosts", "data:text/plain,x", "http://a%20b/",
        ]
    )
    func refused(text: String) throws {
        let error = #expect(throws: AFError.self) { try head(text) }
        #expect(error?.isSessionTaskError == true)
        #expect((error?.underlyingError as? URLError)?.code == .unsupportedURL)
    }

    @Test("is rejected without a URL")
    func noURL() throws {
        var request = URLRequest(url: try #require(URL(string: "http://h.test")))
        request.url = nil
        let error = #expect(throws: AFError.self) { try request.head() }
        #expect((error?.underlyingError as? URLError)?.code == .badURL)
    }

    @Test("is rejected for a method that is not a token", arguments: ["", "GE T", "GET\r\nX: y", "GÉT"])
    func method(name: String) throws {
        var request = URLRequest(url: try #require(URL(string: "http://h.test")))
        request.httpMethod = name
        let error = #expect(throws: AFError.self) { try request.head() }
        #expect(error?.isCreateURLRequestError == true)
        #expect(error?.errorDescription?.contains(name.debugDescription) == true)
    }

    @Test(
        "has the URL's decoded user information as Basic credentials",
        arguments: [
            ("http://Aladdin:open%20sesame@h.test/", "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="),
            ("http://user@h.test/", "Basic dXNlcjo="),
            ("http://u:p:q@h.test/", "Basic dTpwOnE="),
        ]
    )
    func userInformation(text: String, value: String) throws {
        let head = try head(text)
        #expect(head.authority == "h.test")
        #expect(head.headerFields[.authorization] == value)
    }

    @Test("keeps the request's own Authorization field")
    func ownAuthorization() throws {
        var request = URLRequest(url: try #require(URL(string: "http://u:p@h.test/")))
        request.setValue("Bearer t", forHTTPHeaderField: "Authorization")
        #expect(try request.head().headerFields[values: .authorization] == ["Bearer t"])
    }

    @Test("converts back to a URLRequest")
    func back() throws {
        var original = URLRequest(url: try #require(URL(string: "https://h.test:81/a?b=c")))
        original.method = .put
        original.headers = ["A": "1"]
        #expect(URLRequest(head: try original.head()) == original)
        #expect(URLRequest(head: HTTPRequest(method: .get, scheme: nil, authority: nil, path: nil)) == nil)
    }

    @Test("of a redirect changes URL, method and fields, and drops the body with the method")
    func redirect() throws {
        var original = URLRequest(url: try #require(URL(string: "https://h.test/a")))
        original.method = .post
        original.httpBody = Data("b".utf8)
        original.headers = ["Authorization": "Basic x", "A": "1"]
        var next = HTTPRequest(method: .get, scheme: "http", authority: "other.test", path: "/b")
        next.headerFields = HTTPHeaders(["A": "1"]).fields
        let redirected = original.redirected(to: next)
        #expect(redirected.url?.absoluteString == "http://other.test/b")
        #expect(redirected.method == .get)
        #expect(redirected.httpBody == nil)
        #expect(redirected.headers == ["A": "1"])
        next.method = .post
        #expect(original.redirected(to: next).httpBody == original.httpBody)
    }
}
