import AirframeAuthentication
import AirframeLayers
import AirframeTestSupport
import AirframeTransport
import HTTPTypes
import Testing

@Suite("A request's own credential is never replaced by another user's (RFC 9110 §11.6.2)", .timeLimit(.minutes(1)))
struct OtherUsersTests {
    private static let basic = "Basic TXVmYXNhOkNpcmNsZSBvZiBMaWZl"

    /// Accepts only the shared user's answers.
    private static func server(_ challenge: String) -> ScriptedTransport {
        ScriptedTransport { request in
            let field = request.head.headerFields[.authorization]
            return field == basic || DigestParameters(field)?["username"] == "Mufasa"
                ? .status(200, to: request) : .challenge([challenge], to: request)
        }
    }

    private static let challenges = ["Basic realm=\"r\"", "Digest realm=\"r\", nonce=\"n\", qop=auth"]

    @Test(
        "A rejected Authorization leads to a 401 and not to another user's credential", arguments: challenges)
    func refused(challenge: String) async throws {
        let base = Self.server(challenge)
        let layer = AuthenticationLayer(base)
        #expect(try await layer.send(.to(isShared: true)).head.status == .ok)
        let count = base.requests.count
        for own in ["Bearer expired", "Basic b3RoZXI6eA==", "Digest username=\"other\"", ""] {
            let log = EventLog()
            var request = TransportRequest.to(user: nil)
            request.head.headerFields[.authorization] = own
            request.events = log
            #expect(try await layer.send(request).head.status == .unauthorized, "\(own)")
            #expect(base.authorizations.last == own)
            #expect(log.words.last?.contains("not replaced") == true)
        }
        #expect(base.requests.count == count + 4, "each is sent once")
        #expect(try await layer.send(.to(user: nil)).head.status == .ok, "the session's credential is still there")
    }

    @Test(
        "A request with its own credential is not sent as another user, also to another origin", arguments: challenges)
    func elsewhere(challenge: String) async throws {
        let layer = AuthenticationLayer(Self.server(challenge))
        #expect(try await layer.send(.to(isShared: true)).head.status == .ok)
        #expect(try await layer.send(.to(user: "other", password: "x")).head.status == .unauthorized)
        var request = TransportRequest.to(user: nil)
        request[RequestCredential.self] = HTTPCredential(
            user: "other",
            password: "x",
            origin: Origin(scheme: "http", host: "other.test")
        )
        #expect(try await layer.send(request).head.status == .unauthorized)
    }

    @Test("An Authorization that a redirect dropped is not replaced at the other origin", arguments: challenges)
    func redirected(challenge: String) async throws {
        let server = Self.server(challenge)
        let base = ScriptedTransport { (request) throws(TransportError) in
            if request.head.authority == "first.test" {
                return .status(302, fields: [.location: "http://api.test/"], to: request)
            }
            return try await server.send(request)
        }
        let layer = RedirectLayer(AuthenticationLayer(base))
        #expect(try await layer.send(.to(isShared: true)).head.status == .ok)
        var request = TransportRequest.to(at: "first.test", user: nil)
        request.head.headerFields[.authorization] = "Bearer other"
        #expect(try await layer.send(request).head.status == .unauthorized)
        #expect(server.authorizations.last == .some(nil))
        #expect(try await layer.send(.to(at: "first.test", user: nil)).head.status == .ok, "one without any is served")
    }

    @Test("Concurrent users of one layer are each authenticated with their own credential", arguments: challenges)
    func atOnce(challenge: String) async throws {
        let base = ScriptedTransport(challenging: challenge)
        let layer = AuthenticationLayer(base)
        try await withThrowingTaskGroup { group in
            for index in 0..<100 {
                let path = "/\(index % 2 == 0 ? "even" : "odd")/\(index)"
                let user = index % 2 == 0 ? "even" : "odd"
                group.addTask { _ = try await layer.send(.to(path, user: user, password: user, isShared: true)) }
            }
            try await group.waitForAll()
        }
        for request in base.requests {
            guard let field = request.head.headerFields[.authorization] else { continue }
            let isEven = request.head.path?.hasPrefix("/even") == true
            let user = DigestParameters(field)?["username"] ?? (field == "Basic ZXZlbjpldmVu" ? "even" : "odd")
            #expect(user == (isEven ? "even" : "odd"))
        }
    }
}
