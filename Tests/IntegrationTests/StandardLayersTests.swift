import Airframe
import AirframeMock
import Foundation
import HTTPTypes
import Testing

@Suite("The standard layers of the umbrella's sessions", .timeLimit(.minutes(1)))
struct StandardLayersTests {
    /// Asks for Basic credentials, and says yes to the right ones.
    private static func mock() -> MockTransport {
        MockTransport {
            Route(.get, "/secret").when(header: .authorization, is: "Basic dXNlcjpwYXNz").reply(.text("yes"))
            Route(.get, "/secret").reply(.status(401).header(.wwwAuthenticate, "Basic realm=\"r\""))
            Route(.get, "/open").reply(.text("open"))
        }
    }

    @Test("Whatever its transport, a session answers challenges")
    func authenticates() async throws {
        let session = Session(transport: Self.mock())
        let text = try await session.request("http://api.test/secret").authenticate(username: "user", password: "pass")
            .validate().serializingString().value
        #expect(text == "yes")
        let refused = await session.request("http://api.test/secret").authenticate(username: "user", password: "x")
            .serializingString().response
        #expect(refused.response?.statusCode == 401)
    }

    @Test("What a transport does already is not added again, and the order does not change")
    func idempotent() {
        let once = Session.standardLayers(over: Self.mock())
        let twice = Session.standardLayers(over: once)
        #expect(twice.capabilities == once.capabilities)
        #expect(once.capabilities.authenticationSchemes == ["Basic", "Digest"])
        #expect(once.capabilities.contentCodings.contains("gzip"))
    }

    @Test("A credential that no layer would use is refused before anything is sent; other requests are not")
    func refused() async throws {
        let mock = Self.mock()
        let session = Session(composed: mock)
        let error = await session.request("http://api.test/secret").authenticate(username: "user", password: "pass")
            .serializingString().response.error
        #expect(error?.transportError?.code == .unsupportedOption)
        #expect(error?.localizedDescription.contains("AuthenticationLayer") == true)
        #expect(mock.requests.isEmpty)
        #expect(try await session.request("http://api.test/open").serializingString().value == "open")
    }

    @Test("A subclass begins with the layers that it is given, or inherits the initializers")
    func subclass() async throws {
        // `@unchecked Sendable` as their class is: what they add is immutable.
        final class Bare: Session, @unchecked Sendable {
            init(over transport: any Transport) { super.init(composed: transport) }
        }
        final class Inheriting: Session, @unchecked Sendable {}
        #expect(Bare(over: Self.mock()).transport.capabilities.authenticationSchemes.isEmpty)
        #expect(!Inheriting(transport: Self.mock()).transport.capabilities.authenticationSchemes.isEmpty)
    }

    @Test("A challenge with a redirect before and after it: the layers do not get in each other's way")
    func redirectsAndChallenges() async throws {
        let mock = MockTransport {
            Route(.get, "/start").reply(.redirect(to: "/secret"))
            Route(.get, "/secret").when(header: .authorization).reply(.redirect(to: "/end"))
            Route(.get, "/secret").reply(.status(401).header(.wwwAuthenticate, "Digest realm=\"r\", nonce=\"n\""))
            Route(.get, "/end").when(header: .authorization).reply(.text("end"))
            Route(.get, "/end").reply(.status(401).header(.wwwAuthenticate, "Digest realm=\"r\", nonce=\"n\""))
        }
        let session = Session(transport: mock)
        let response = await session.request("http://api.test/start").authenticate(username: "u", password: "p")
            .serializingString().response
        #expect(response.value == "end")
        #expect(response.metrics?.redirectCount == 2)
        #expect(mock.requests.map { $0.head.path ?? "" } == ["/start", "/secret", "/secret", "/end"])
        #expect(response.request?.headers["Authorization"] == nil, "the answer is the layer's secret")
    }
}
