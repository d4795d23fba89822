import Airframe
import AirframeMock
import AirframeTestSupport
import Foundation
import HTTPTypes
import Testing

@Suite("Stored cookies and credentials in curl commands", .timeLimit(.minutes(1)))
struct CURLCommandTests {
    /// A session whose storages have cookies for `host` and, under the user's name `pilot`, a default credential for
    /// `http://host:port`.
    private func session(
        _ cookies: KeyValuePairs<String, String> = [:],
        password: String? = nil,
        host: String = "api.test",
        port: Int = 80,
        _ change: (URLSessionConfiguration) -> Void = { _ in }
    ) throws -> Session {
        let configuration = URLSessionConfiguration.ephemeral
        for (name, value) in cookies {
            let cookie = HTTPCookie(name: name, value: value, domain: host)
            configuration.httpCookieStorage?.setCookie(try #require(cookie))
        }
        if let password {
            let space = URLProtectionSpace(
                host: host, port: port, protocol: "http", realm: "r", authenticationMethod: "Basic")
            let credential = URLCredential(user: "pilot", password: password, persistence: .forSession)
            configuration.urlCredentialStorage?.setDefaultCredential(credential, for: space)
        }
        change(configuration)
        return Session(transport: MockTransport { Route("/**").reply(.text("ok")) }, configuration: configuration)
    }

    /// The options of the command that shows all secrets, between the method and the URL.
    private func options(
        of session: Session,
        _ url: String = "http://api.test/a",
        _ change: @escaping @Sendable (inout URLRequest) throws -> Void = { _ in }
    ) throws -> [String] {
        let request = session.request(url, requestModifier: change)
        let command = try #require(request.cURLCommand(showingSecrets: true))
        return Array(command.components(separatedBy: " \\\n\t").dropFirst(2).dropLast())
    }

    @Test("-u and -b have the storages' credential and cookies, redacted unless they are requested")
    func redaction() async throws {
        let session = try session(["a": "s3cret1", "b": "it's $x"], password: "s3cret2")
        session.sessionConfiguration.httpCookieStorage?
            .setCookie(try #require(HTTPCookie(name: "c", value: "3", domain: "b.test")))
        let request = session.request("http://api.test/a")
        _ = await request.serializingString().response
        #expect(
            request.cURLDescription().components(separatedBy: " \\\n\t")
                == ["$ curl -v", "-X GET", #"-u "pilot:•••""#, #"-b "•••""#, #""http://api.test/a""#])
        let hidden = try #require(request.cURLCommand())
        #expect(hidden.contains("-u 'pilot:•••'") && hidden.contains("-b '•••'") && !hidden.contains("s3cret"))
        #expect(request.cURLCommand(redaction: .standard)?.contains("-u 'pilot:•••' -b '•••'") == true)
        #expect(try options(of: session) == ["-u 'pilot:s3cret2'", #"-b 'a=s3cret1; b=it'\''s $x'"#])
    }

    @Test("the settings of the session and the request decide on the cookies, as for those that are sent")
    func cookieSettings() throws {
        #expect(try options(of: session(["a": "1"])) == ["-b 'a=1'"])
        #expect(try options(of: session(["a": "1"]) { $0.httpShouldSetCookies = false }) == [])
        #expect(try options(of: session(["a": "1"]) { $0.httpCookieStorage = nil }) == [])
        let both = try session(["a": "1", "b": "2"])
        #expect(try options(of: both, "http://b.test/") == [])
        #expect(try options(of: both) { $0.httpShouldHandleCookies = false } == [])
        #expect(try options(of: both) { $0.mainDocumentURL = URL(string: "http://b.test/") } == [])
        #expect(try options(of: both) { $0[CookieSettings.self].jar = CookieJar() } == [])
        #expect(
            try options(of: both) { $0[CookieSettings.self].filter = { cookie, _, _ in cookie.name == "b" } }
                == ["-b 'b=2'"])
    }

    @Test("stored cookies are appended to the request's own field, with which curl ignores -b")
    func ownField() throws {
        let session = try session(["a": "1", "b": "2"])
        let own = try options(of: session) { $0.headers.add(name: "Cookie", value: "b=own") }
        #expect(own == ["-H 'Cookie: b=own; a=1'"])
    }

    @Test("cookies that curl would take for the name of a file are in a field", arguments: [("", "v"), ("@a", "1")])
    func fileNames(name: String, value: String) throws {
        let text = name.isEmpty ? value : "\(name)=\(value)"
        #expect(try options(of: session([name: value])) == ["-H 'Cookie: \(text)'"])
    }

    @Test("the stored credential is that of the request's server, for a request without one of its own")
    func credentials() throws {
        let session = try session(password: "s3cret")
        #expect(try options(of: session) == ["-u 'pilot:s3cret'"])
        #expect(try options(of: session, "https://api.test/") == [])
        #expect(try options(of: session, "http://b.test/") == [])
        #expect(try options(of: session, "http://user:own@api.test/") == [])
        let field = try options(of: session) { $0.headers.add(.authorization(bearerToken: "t")) }
        #expect(field == ["-H 'Authorization: Bearer t'"])
        let own = session.request("http://api.test/").authenticate(username: "user", password: "own")
        let command = try #require(own.cURLCommand(showingSecrets: true))
        #expect(command.contains("-u 'user:own'") && !command.contains("pilot"))
    }

    /// A server's report of the request that it received.
    private struct Echo: Decodable {
        let headers: [String: String]
    }

    @Test("the complete command sends the cookies and the credential", .enabled(if: Peers.areExpected, "no peers run"))
    func inShell() async throws {
        let origin = try Peers.required().http("hangar")
        let url = try #require(URL(string: origin))
        let session = try session(
            ["a": "it's $x", "b": "2"], password: "s3cret", host: try #require(url.host()), port: url.port ?? 80)
        let request = session.request("\(origin)/anything/x")
        let command = try #require(request.cURLCommand(showingSecrets: true))
        let silent = command.replacing("curl ", with: "curl --silent --show-error ", maxReplacements: 1)
        let outcome = try await Command(["sh", "-c", silent]).run()
        #expect(outcome.status == 0, "\(outcome.output)")
        let echo = try JSONDecoder().decode(Echo.self, from: Data(outcome.output.utf8))
        let headers = Dictionary(uniqueKeysWithValues: echo.headers.map { ($0.key.lowercased(), $0.value) })
        #expect(headers["cookie"] == "a=it's $x; b=2")
        #expect(headers["authorization"] == "Basic " + Data("pilot:s3cret".utf8).base64EncodedString())
    }
}
