import AirframeAuthentication
import AirframeLayers
import AirframeTestSupport
import AirframeTransport
import Foundation
import HTTPTypes
import Synchronization
import Testing

@Suite("The authentication layer", .timeLimit(.minutes(1)))
struct LayerTests {
    private static let basic = "Basic TXVmYXNhOkNpcmNsZSBvZiBMaWZl"

    @Test(
        "A challenge is answered, also without a realm",
        arguments: ["Basic realm=\"r\"", "Basic", "BASIC Realm=x", "Basic realm=\"r\", charset=\"UTF-8\""]
    )
    func answers(challenge: String) async throws {
        let base = ScriptedTransport(challenging: challenge)
        let response = try await AuthenticationLayer(base).send(.to())
        #expect(response.head.status == .ok)
        #expect(base.authorizations == [nil, Self.basic])
    }

    @Test("Without a credential a challenge is returned with its body")
    func withoutCredential() async throws {
        let base = ScriptedTransport { .challenge(["Basic realm=\"r\""], body: ResponseBody(Data([1])), to: $0) }
        let response = try await AuthenticationLayer(base).send(.to(user: nil))
        #expect(response.head.status == .unauthorized)
        #expect(try await response.body.collect(upTo: 1) == Data([1]))
        #expect(base.requests.count == 1)
    }

    @Test(
        "The strongest of several challenges is answered, regardless of their order and fields",
        arguments: [
            (["Basic realm=\"b\", Digest realm=\"d\", nonce=\"1\""], "MD5"),
            (["Basic realm=\"b\"", "Digest realm=\"d\", nonce=\"1\""], "MD5"),
            (["Digest realm=\"d\", nonce=\"1\"", "Digest realm=\"d\", nonce=\"1\", algorithm=SHA-256"], "SHA-256"),
            (["Digest algorithm=SHA-512-256, nonce=\"1\", Digest algorithm=SHA-256, nonce=\"1\""], "SHA-512-256"),
            (["Negotiate", "NTLM", "Digest nonce=\"1\"", "Basic realm=\"b\""], "MD5"),
            (["Digest algorithm=SHA-9, nonce=\"1\"", "Basic realm=\"b\""], "Basic"),
            (["Digest realm=\"no nonce\"", "Basic realm=\"b\""], "Basic"),
            (["Bearer", "Basic realm=\"b\""], "Basic"),
        ]
    )
    func strongest(challenges: [String], expected: String) async throws {
        let base = ScriptedTransport { request in
            request.head.headerFields.contains(.authorization)
                ? .status(200, to: request) : .challenge(challenges, to: request)
        }
        _ = try await AuthenticationLayer(base).send(.to())
        let sent = try #require(base.authorizations.last ?? nil)
        let digest = DigestParameters(sent)
        #expect((digest.map { $0["algorithm"] ?? "MD5" } ?? "Basic") == expected)
    }

    @Test(
        "Challenges of unsupported schemes are returned",
        arguments: ["Bearer", "", "?"])
    func unknown(challenge: String) async throws {
        let base = ScriptedTransport { .challenge([challenge], to: $0) }
        #expect(try await AuthenticationLayer(base).send(.to()).head.status == .unauthorized)
        #expect(base.requests.count == 1)
    }

    @Test(
        "Negotiate and NTLM alone fail with an error that names the alternatives",
        arguments: [("Negotiate", "Negotiate"), ("NTLM abc=", "NTLM"), ("Bearer, ntlm, negotiate", "NTLM")]
    )
    func connectionSchemes(challenge: String, name: String) async throws {
        let base = ScriptedTransport(engine: "scripted") { .challenge([challenge], to: $0) }
        let error = await #expect(throws: TransportError.self) { try await AuthenticationLayer(base).send(.to()) }
        #expect(error?.code == .authenticationFailed)
        #expect(error?.message.hasPrefix("the server requires \(name), which the transport scripted") == true)
        #expect(error?.message.contains("Digest, Basic or bearer tokens") == true)
        // Without a credential the challenge is the response.
        #expect(try await AuthenticationLayer(base).send(.to(user: nil)).head.status == .unauthorized)
    }

    @Test(
        "The order of the schemes decides, and schemes that are not listed are not answered",
        arguments: [
            ([.digest, .basic], "Digest"), ([.basic, .digest], "Basic"), ([.basic], "Basic"), ([.digest], "Digest"),
            ([], nil),
        ] as [([AuthenticationScheme], String?)]
    )
    func order(schemes: [AuthenticationScheme], expected: String?) async throws {
        let base = ScriptedTransport(challenging: "Digest realm=\"d\", nonce=\"1\", Basic realm=\"b\"")
        let layer = AuthenticationLayer(base, schemes: schemes)
        #expect(layer.capabilities.authenticationSchemes == schemes.map(\.name).sorted())
        let response = try await layer.send(.to())
        #expect(response.head.status == (expected == nil ? .unauthorized : .ok))
        let scheme = (base.authorizations.last ?? nil)?.prefix { $0 != " " }
        #expect(scheme.map { String($0) } == expected)
    }

    @Test("Of several Digest challenges the strongest is answered, wherever Digest is in the order")
    func strongestDigest() async throws {
        let base = ScriptedTransport(
            challenging: "Digest nonce=\"1\", Digest nonce=\"2\", algorithm=SHA-512-256, Digest nonce=\"3\"")
        _ = try await AuthenticationLayer(base, schemes: [.basic, .digest]).send(.to())
        #expect(DigestParameters(base.authorizations.last ?? nil)?["nonce"] == "2")
    }

    @Test("A name that Basic cannot carry (RFC 7617 §2) is sent by Digest", arguments: ["a:b", "a\nb"])
    func unfitUser(user: String) async throws {
        let plain = ScriptedTransport(challenging: "Basic realm=\"r\"")
        #expect(try await AuthenticationLayer(plain).send(.to(user: user)).head.status == .unauthorized)
        let digest = ScriptedTransport(challenging: "Basic realm=\"r\", Digest realm=\"r\", nonce=\"1\"")
        #expect(try await AuthenticationLayer(digest).send(.to(user: user)).head.status == .ok)
    }

    @Test(
        "A rejected answer is not repeated, and its response is returned",
        arguments: [
            "Basic realm=\"r\"", "Digest realm=\"r\", nonce=\"1\"", "Digest realm=\"r\", nonce=\"1\", qop=auth",
        ]
    )
    func refused(challenge: String) async throws {
        let base = ScriptedTransport { .challenge([challenge], to: $0) }
        let response = try await AuthenticationLayer(base).send(.to())
        #expect(response.head.status == .unauthorized)
        #expect(base.requests.count == 2)
    }

    @Test("After a rejected Digest answer no weaker scheme is used, so that an attacker cannot get the password")
    func noDowngrade() async throws {
        let base = ScriptedTransport { request in
            request.head.headerFields.contains(.authorization)
                ? .challenge(["Basic realm=\"r\""], to: request)
                : .challenge(["Digest realm=\"r\", nonce=\"1\""], to: request)
        }
        #expect(try await AuthenticationLayer(base).send(.to()).head.status == .unauthorized)
        #expect(base.requests.count == 2)
    }

    @Test("A stale nonce is replaced and the request repeated, but not without limit (RFC 7616 §3.3)")
    func stale() async throws {
        let count = Mutex(0)
        let base = ScriptedTransport { request in
            let number = count.withLock { count in
                count += 1
                return count
            }
            guard number < 3 else { return .status(200, to: request) }
            let stale = number == 1 ? "" : ", stale=TRUE"
            return .challenge(["Digest realm=\"r\", nonce=\"\(number)\", qop=auth\(stale)"], to: request)
        }
        #expect(try await AuthenticationLayer(base).send(.to()).head.status == .ok)
        let answers = base.authorizations.compactMap(DigestParameters.init)
        #expect(answers.map { $0["nonce"] } == ["1", "2"])
        #expect(answers.map { $0["nc"] } == ["00000001", "00000001"])
        let always = ScriptedTransport { .challenge(["Digest realm=\"r\", nonce=\"x\", stale=true"], to: $0) }
        #expect(try await AuthenticationLayer(always).send(.to()).head.status == .unauthorized)
        #expect(always.requests.count < 8)
    }

    // MARK: Origins

    @Test(
        "A credential is sent to its origin only, even after redirects",
        arguments: ["http://other.test/", "http://api.test:8080/", "https://api.test/", "http://api.test.evil.test/"]
    )
    func otherOrigins(location: String) async throws {
        let base = ScriptedTransport { request in
            if request.head.path == "/start" {
                return .status(302, fields: [.location: location], to: request)
            }
            return request.head.headerFields.contains(.authorization)
                ? .status(200, to: request) : .challenge(["Basic realm=\"r\""], to: request)
        }
        let transport = RedirectLayer(AuthenticationLayer(base))
        let response = try await transport.send(.to("/start", isShared: true))
        #expect(response.head.status == .unauthorized)
        #expect(base.authorizations.allSatisfy { $0 == nil })
    }

    @Test("A credential is sent again after redirects within its origin and back to it")
    func redirects() async throws {
        let base = ScriptedTransport { request in
            switch (request.head.authority, request.head.path) {
            case ("api.test", "/start"): .status(302, fields: [.location: "http://other.test/"], to: request)
            case ("other.test", _): .status(302, fields: [.location: "http://api.test/end"], to: request)
            default:
                request.head.headerFields.contains(.authorization)
                    ? .status(200, to: request) : .challenge(["Basic realm=\"r\""], to: request)
            }
        }
        let response = try await RedirectLayer(AuthenticationLayer(base)).send(.to("/start"))
        #expect(response.head.status == .ok)
        #expect(base.authorizations == [nil, nil, nil, Self.basic])
    }

    // MARK: Authorization of the caller

    @Test("An Authorization of the caller is sent, and replaced only after a challenge")
    func ownField() async throws {
        let base = ScriptedTransport { request in
            request.head.headerFields[.authorization] == Self.basic
                ? .status(200, to: request) : .challenge(["Basic realm=\"r\""], to: request)
        }
        let layer = AuthenticationLayer(base)
        for _ in 0..<2 {
            var request = TransportRequest.to()
            request.head.headerFields[.authorization] = "Bearer x"
            #expect(try await layer.send(request).head.status == .ok)
        }
        #expect(base.authorizations == ["Bearer x", Self.basic, "Bearer x", Self.basic])
    }

    @Test("Basic that was sent preemptively from a URL is not repeated, but followed by Digest")
    func unaskedBasic() async throws {
        var request = TransportRequest.to()
        request.head.headerFields[.authorization] = Self.basic
        let refusing = ScriptedTransport { .challenge(["Basic realm=\"r\""], to: $0) }
        #expect(try await AuthenticationLayer(refusing).send(request).head.status == .unauthorized)
        #expect(refusing.requests.count == 1)
        let digest = ScriptedTransport { request in
            DigestParameters(request.head.headerFields[.authorization]) != nil
                ? .status(200, to: request) : .challenge(["Digest realm=\"r\", nonce=\"1\""], to: request)
        }
        let layer = AuthenticationLayer(digest)
        #expect(try await layer.send(request).head.status == .ok)
        #expect(try await layer.send(request).head.status == .ok)
        #expect(digest.requests.count == 3, "the second request uses Digest from the start")
    }

    // MARK: Bodies

    @Test("A body is sent again with the answer; one that can be read only once fails with the reason")
    func bodies() async throws {
        let base = ScriptedTransport(challenging: "Basic realm=\"r\"")
        _ = try await AuthenticationLayer(base).send(.to(method: .post, body: .bytes(Data([1]))))
        #expect(base.requests.map(\.body.length) == [1, 1])
        let once = ScriptedTransport(challenging: "Basic realm=\"r\"")
        let log = EventLog()
        var request = TransportRequest.to(method: .post, body: .sequence(AsyncStream<Data> { nil }))
        request.events = log
        let posted = request
        let error = await #expect(throws: TransportError.self) { try await AuthenticationLayer(once).send(posted) }
        #expect(error?.code == .bodyNotReplayable)
        #expect(error?.processing == .notProcessed)
        #expect(error?.message.contains("authentication") == true)
        #expect(log.words.last == "failed bodyNotReplayable")
    }

    @Test("A body that can be read only once can be sent within a known protection space")
    func oneShotInSpace() async throws {
        let base = ScriptedTransport(challenging: "Basic realm=\"r\"")
        let layer = AuthenticationLayer(base)
        _ = try await layer.send(.to())
        let request = TransportRequest.to(method: .post, body: .sequence(AsyncStream<Data> { nil }))
        #expect(try await layer.send(request).head.status == .ok)
    }

    // MARK: Authentication-Info

    @Test("The nextnonce is used for later requests (RFC 7616 §3.5)")
    func nextNonce() async throws {
        let count = Mutex(1)
        let base = ScriptedTransport { request in
            guard request.head.headerFields.contains(.authorization) else {
                return .challenge(["Digest realm=\"r\", nonce=\"1\", qop=auth"], to: request)
            }
            let next = count.withLock { count in
                count += 1
                return count
            }
            var fields = HTTPFields()
            if let name = HTTPField.Name("Authentication-Info") { fields[name] = "nextnonce=\"\(next)\"" }
            return .status(200, fields: fields, to: request)
        }
        let layer = AuthenticationLayer(base)
        for _ in 0..<3 { _ = try await layer.send(.to()) }
        let answers = base.authorizations.compactMap(DigestParameters.init)
        #expect(answers.map { $0["nonce"] } == ["1", "2", "3"])
        #expect(answers.map { $0["nc"] } == ["00000001", "00000001", "00000001"])
    }

    @Test(
        "A server's proof that it knows the password is checked (RFC 7616 §3.5)",
        arguments: [
            ("rspauth=\"@\", qop=auth, cnonce=\"c\", nc=00000001", true),
            ("rspauth=\"@\"", true), ("qop=auth", true), ("rspauth=\"0\", qop=auth-int", true),
            ("rspauth=\"00000000000000000000000000000000\", qop=auth", false),
            ("rspauth=\"@\", cnonce=\"d\"", false), ("rspauth=\"@\", nc=00000002", false), ("rspauth=\"\"", false),
        ]
    )
    func proof(info: String, isAccepted: Bool) async throws {
        // MD5 of "A1:nonce:nc:cnonce:qop:MD5(:/)", for Mufasa in the realm r with the nonce 1, computed elsewhere.
        let right = "40448a5acab423fc11b2d4e1877d02cd"
        let base = ScriptedTransport { request in
            guard request.head.headerFields.contains(.authorization) else {
                return .challenge(["Digest realm=\"r\", nonce=\"1\", qop=auth"], to: request)
            }
            var fields = HTTPFields()
            if let name = HTTPField.Name("Authentication-Info") { fields[name] = info.replacing("@", with: right) }
            return .status(200, fields: fields, to: request)
        }
        let layer = AuthenticationLayer(base) { "c" }
        if isAccepted {
            #expect(try await layer.send(.to()).head.status == .ok)
        } else {
            let error = await #expect(throws: TransportError.self) { try await layer.send(.to()) }
            #expect(error?.code == .authenticationFailed)
        }
    }

    // MARK: Other behaviour

    @Test("Challenges and the decisions on them are events")
    func events() async throws {
        let log = EventLog()
        let base = ScriptedTransport { .challenge(["Basic realm=\"r\""], to: $0) }
        var request = TransportRequest.to()
        request.events = log
        _ = try await AuthenticationLayer(base).send(request)
        #expect(log.words == ["answered Basic r", "refused Basic r: the server rejected the credential"])
    }

    @Test("A challenge without a credential is an event, and so is a scheme that the layer does not know")
    func unanswered() async throws {
        for challenge in ["Basic realm=\"r\"", "Bearer realm=\"r\""] {
            let log = EventLog()
            let base = ScriptedTransport { .challenge([challenge], to: $0) }
            var request = TransportRequest.to(user: nil)
            request.events = log
            #expect(try await AuthenticationLayer(base).send(request).head.status.code == 401)
            #expect(log.words.count == 1)
            #expect(log.words.first?.hasPrefix("unanswered \(challenge.prefix { $0 != " " }) r: ") == true)
        }
    }

    @Test("A proxy's challenge is returned")
    func proxies() async throws {
        let base = ScriptedTransport { .status(407, fields: [.proxyAuthenticate: "Basic realm=\"p\""], to: $0) }
        #expect(try await AuthenticationLayer(base).send(.to()).head.status.code == 407)
        #expect(base.requests.count == 1)
    }

    @Test("The capabilities are those of the transport beneath and the schemes")
    func capabilities() {
        let base = ScriptedTransport { .status(200, to: $0) }
        let layer = AuthenticationLayer(base)
        #expect(layer.capabilities.authenticationSchemes == ["Basic", "Digest"])
        #expect(layer.capabilities.engine == base.capabilities.engine)
        #expect(base.capabilities.authenticationSchemes.isEmpty)
    }

    @Test("Neither credentials nor answers show secrets")
    func secrets() {
        let credential = HTTPCredential(user: "u", password: "secret", origin: TransportRequest.origin)
        #expect(!"\(credential)".contains("secret"))
        #expect(!String(reflecting: credential).contains("secret"))
        var dumped = ""
        dump(credential, to: &dumped)
        #expect(!dumped.contains("secret"))
    }
}
