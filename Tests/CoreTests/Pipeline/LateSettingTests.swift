import Airframe
import AirframeConformance
import AirframeTestSupport
import Foundation
import HTTPTypes
import Synchronization
import Testing

@Suite("What is set after the start of a request", .timeLimit(.minutes(1)))
struct LateSettingTests {
    /// Answers when a test has changed the request in flight.
    private final class Server: Sendable {
        let release = Signal()
        let paths = Log<String>()
        private let answer: @Sendable (HTTPRequest) -> (Int, HTTPFields)

        init(_ answer: @escaping @Sendable (HTTPRequest) -> (Int, HTTPFields)) { self.answer = answer }

        func session(
            interceptor: (any RequestInterceptor)? = nil, redirectHandler: (any RedirectHandler)? = nil
        ) -> Session {
            let transport = ClosureTransport { [self] request in
                paths.append(request.head.path ?? "")
                _ = try? await eventually { release.isUp }
                let (status, fields) = answer(request.head)
                return TransportResponse(
                    head: HTTPResponse(status: .init(code: status), headerFields: fields),
                    body: ResponseBody(Data("ok".utf8)), request: request.head)
            }
            return kept(
                Session(
                    transport: transport, configuration: .af.ephemeral, interceptor: interceptor,
                    redirectHandler: redirectHandler))
        }
    }

    private static func redirecting() -> Server {
        Server { $0.path == "/old" ? (302, [.location: "/new"]) : (200, [:]) }
    }

    private static func challenging() -> Server {
        Server { head in
            head.headerFields[.authorization] == "Basic dXNlcjpwYXNz"
                ? (200, [:]) : (401, [.wwwAuthenticate: "Basic realm=\"r\""])
        }
    }

    @Test("a redirect handler is called for the next redirect, in place of the session's", arguments: [false, true])
    func redirects(hasSessionHandler: Bool) async {
        let server = Self.redirecting()
        let session = server.session(redirectHandler: hasSessionHandler ? Redirector.follow : nil)
        let request = session.request("http://api.test/old")
        let task = request.serializingData(emptyResponseCodes: [302])
        request.redirect(using: .doNotFollow)
        server.release.raise()
        #expect(await task.response.response?.statusCode == 302)
        #expect(server.paths.values == ["/old"])
    }

    @Test("a credential answers the next challenge")
    func credential() async {
        let server = Self.challenging()
        let request = server.session().request("http://api.test/")
        let task = request.serializingData()
        request.authenticate(username: "user", password: "pass")
        server.release.raise()
        #expect(await task.response.response?.statusCode == 200)
        #expect(server.paths.values.count == 2)
    }

    @Test("a credential replaces one that was set before the start")
    func replacement() async {
        let server = Self.challenging()
        let request = server.session().request("http://api.test/").authenticate(username: "user", password: "old")
        let task = request.serializingData()
        request.authenticate(username: "user", password: "pass")
        server.release.raise()
        #expect(await task.response.response?.statusCode == 200)
    }

    @Test("a credential does not answer a challenge of another origin")
    func otherOrigin() async {
        let server = Server { head in
            head.authority == "api.test"
                ? (302, [.location: "http://other.test/"]) : (401, [.wwwAuthenticate: "Basic realm=\"r\""])
        }
        let request = server.session().request("http://api.test/")
        let task = request.serializingData()
        request.authenticate(username: "user", password: "pass")
        server.release.raise()
        #expect(await task.response.response?.statusCode == 401)
        #expect(server.paths.values.count == 2)
    }

    @Test("a handler decides on the response that a cache stores")
    func caching() async throws {
        let server = Server { _ in (200, [.cacheControl: "max-age=60"]) }
        let session = server.session()
        let request = session.request("http://api.test/")
        let task = request.serializingData()
        request.cacheResponse(using: .doNotCache)
        server.release.raise()
        _ = try await task.value
        _ = try await session.request("http://api.test/").serializingData().value
        #expect(server.paths.values.count == 2)
    }
}
