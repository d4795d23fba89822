import AirframeAuthentication
import AirframeTestSupport
import AirframeTransport
import HTTPTypes
import Synchronization
import Testing

@Suite("Protection spaces (RFC 9110 §11.5)", .timeLimit(.minutes(1)))
struct ProtectionSpaceTests {
    private static let basic = "Basic TXVmYXNhOkNpcmNsZSBvZiBMaWZl"

    @Test("A known space is authenticated preemptively, with an increasing nonce count")
    func preemptive() async throws {
        let base = ScriptedTransport(challenging: "Digest realm=\"r\", nonce=\"n\", qop=auth")
        let layer = AuthenticationLayer(base)
        for path in ["/a/b", "/a/c", "/"] { _ = try await layer.send(.to(path)) }
        let answers = base.authorizations.map(DigestParameters.init)
        #expect(answers.map { $0?["nc"] } == [nil, "00000001", "00000002", "00000003"])
        #expect(answers.compactMap { $0?["uri"] } == ["/a/b", "/a/c", "/"])
    }

    @Test("Basic is sent preemptively at or below the folder of the challenged path (RFC 7617 §2.2)")
    func basicSpace() async throws {
        let base = ScriptedTransport(challenging: "Basic realm=\"r\"")
        let layer = AuthenticationLayer(base)
        for path in ["/docs/index.html?x=/y/", "/docs/test.doc", "/docs/deeper/x", "/docs", "/other"] {
            _ = try await layer.send(.to(path))
        }
        #expect(
            base.requests.map { $0.head.path ?? "" } == [
                "/docs/index.html?x=/y/", "/docs/index.html?x=/y/", "/docs/test.doc", "/docs/deeper/x", "/docs",
                "/docs",
                "/other",
            ])
    }

    @Test("A Digest challenge's domain limits the space within the origin (RFC 7616 §3.3)")
    func domain() async throws {
        let base = ScriptedTransport(
            challenging: "Digest nonce=\"n\", domain=\"/in http://api.test/also http://other.test/ //other.test/\"")
        let layer = AuthenticationLayer(base)
        for path in ["/in/1", "/in/2", "/also/x", "/out"] { _ = try await layer.send(.to(path)) }
        #expect(base.authorizations.map { $0 == nil } == [true, false, false, false, true, false])
    }

    @Test("A shared credential serves later requests without their own; other credentials do not")
    func shared() async throws {
        for isShared in [true, false] {
            let base = ScriptedTransport(challenging: "Basic realm=\"r\"")
            let layer = AuthenticationLayer(base)
            _ = try await layer.send(.to("/a", isShared: isShared))
            let later = try await layer.send(.to("/b", user: nil))
            #expect(later.head.status == (isShared ? .ok : .unauthorized))
            let elsewhere = try await layer.send(.to("/b", at: "other.test", user: nil))
            #expect(elsewhere.head.status == .unauthorized)
        }
    }

    @Test("A request's own credential takes precedence over a shared one")
    func ownBeforeShared() async throws {
        let base = ScriptedTransport(challenging: "Basic realm=\"r\"")
        let layer = AuthenticationLayer(base)
        _ = try await layer.send(.to(isShared: true))
        _ = try await layer.send(.to(user: "other", password: "x"))
        #expect(base.authorizations.last == "Basic b3RoZXI6eA==")
        _ = try await layer.send(.to(user: nil))
        #expect(base.authorizations.last == Self.basic)
    }

    @Test("A rejected shared credential is removed")
    func sharedRefused() async throws {
        let isRevoked = Atomic(false)
        let base = ScriptedTransport { request in
            request.head.headerFields.contains(.authorization) && !isRevoked.load(ordering: .relaxed)
                ? .status(200, to: request) : .challenge(["Basic realm=\"r\""], to: request)
        }
        let layer = AuthenticationLayer(base)
        _ = try await layer.send(.to(isShared: true))
        isRevoked.store(true, ordering: .relaxed)
        #expect(try await layer.send(.to(user: nil)).head.status == .unauthorized)
        let count = base.requests.count
        #expect(try await layer.send(.to(user: nil)).head.status == .unauthorized)
        #expect(base.requests.count == count + 1)
        #expect(base.authorizations.last == .some(nil))
    }

    @Test("A preemptive answer with an old nonce is followed by one with the new nonce, with and without stale=true")
    func oldNonce() async throws {
        let nonce = Mutex("1")
        let base = ScriptedTransport { request in
            let current = nonce.withLock { $0 }
            return DigestParameters(request.head.headerFields[.authorization])?["nonce"] == current
                ? .status(200, to: request)
                : .challenge(["Digest realm=\"r\", nonce=\"\(current)\", qop=auth"], to: request)
        }
        let layer = AuthenticationLayer(base)
        _ = try await layer.send(.to())
        nonce.withLock { $0 = "2" }
        #expect(try await layer.send(.to()).head.status == .ok)
        #expect(base.requests.count == 4)
    }

    @Test("The number of known spaces is bounded, and the least recently used is dropped first")
    func bounded() async throws {
        let base = ScriptedTransport { request in
            request.head.headerFields.contains(.authorization)
                ? .status(200, to: request)
                : .challenge(["Basic realm=\"\(request.head.path ?? "")\""], to: request)
        }
        let layer = AuthenticationLayer(base)
        _ = try await layer.send(.to("/first/x"))
        for index in 0..<255 { _ = try await layer.send(.to("/\(index)/x")) }
        _ = try await layer.send(.to("/first/x"))
        #expect(base.authorizations.last != .some(nil))
        let count = base.requests.count
        _ = try await layer.send(.to("/last/x"))
        _ = try await layer.send(.to("/0/x"))
        #expect(base.requests.count == count + 4, "both were asked for")
    }

    @Test("Concurrent requests never use a nonce count twice")
    func counts() async throws {
        let base = ScriptedTransport(challenging: "Digest realm=\"r\", nonce=\"n\", qop=auth")
        let layer = AuthenticationLayer(base)
        try await withThrowingTaskGroup { group in
            for _ in 0..<200 { group.addTask { _ = try await layer.send(.to()) } }
            try await group.waitForAll()
        }
        let counts = base.authorizations.compactMap { DigestParameters($0)?["nc"] }
        #expect(counts.count == 200)
        #expect(Set(counts).count == 200)
    }

    @Test("A credential that was used with Digest is not sent to a later Basic challenge")
    func sharedIsNotWeakened() async throws {
        let isWeak = Atomic(false)
        let base = ScriptedTransport { request in
            if isWeak.load(ordering: .relaxed) { return .challenge(["Basic realm=\"r\""], to: request) }
            return request.head.headerFields.contains(.authorization)
                ? .status(200, to: request) : .challenge(["Digest realm=\"r\", nonce=\"1\""], to: request)
        }
        let layer = AuthenticationLayer(base)
        _ = try await layer.send(.to(isShared: true))
        isWeak.store(true, ordering: .relaxed)
        #expect(try await layer.send(.to(user: nil)).head.status == .unauthorized)
        #expect(base.authorizations.compactMap(\.self).allSatisfy { $0.hasPrefix("Digest ") })
    }

    @Test("A late response to an older nonce does not restore that nonce")
    func lateResponse() async throws {
        let name = try #require(HTTPField.Name("Authentication-Info"))
        let base = ScriptedTransport { request in
            guard let answer = DigestParameters(request.head.headerFields[.authorization]) else {
                return .challenge(["Digest realm=\"r\", nonce=\"1\", qop=auth"], to: request)
            }
            guard request.head.path == "/next" else { return .status(200, to: request) }
            return .status(200, fields: [name: "nextnonce=\"\(answer["nonce"] ?? "")+\""], to: request)
        }
        let layer = AuthenticationLayer(base)
        for path in ["/", "/next", "/", "/next", "/"] { _ = try await layer.send(.to(path)) }
        let nonces = base.authorizations.compactMap { DigestParameters($0)?["nonce"] }
        #expect(nonces == ["1", "1", "1+", "1+", "1++"])
    }
}
