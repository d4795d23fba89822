import AirframeTransport
import HTTPTypes
import Testing

/// Rules for one host: others are refused.
private struct Rules: OriginSecurity {
    let evaluation = ClosureTrustEvaluation { _, _, _, _ in }
    var identity: ClientIdentity?

    func trust(for origin: Origin) throws -> (any TrustEvaluation)? {
        switch origin.host {
        case "pinned.test": evaluation
        case "open.test": nil
        default: throw ForeignError(number: origin.port)
        }
    }

    func identity(for origin: Origin) -> ClientIdentity? { origin.host == "pinned.test" ? identity : nil }
}

/// Rules that say nothing about identities.
private struct TrustOnly: OriginSecurity {
    func trust(for origin: Origin) -> (any TrustEvaluation)? { nil }
}

@Suite("The rules on an origin", .timeLimit(.minutes(1)))
struct OriginSecurityTests {
    private let identity = ClientIdentity(chain: [DER([1])], privateKey: DER([2]))

    private func request(to authority: String?, _ security: (any OriginSecurity)?) -> TransportRequest {
        var request = TransportRequest(
            HTTPRequest(method: .get, scheme: "https", authority: authority, path: "/"),
            trust: ClosureTrustEvaluation { _, _, _, _ in },
            identity: ClientIdentity(chain: [], privateKey: DER([]))
        )
        request.security = security
        return request
    }

    @Test("give a request the trust and the identity of its origin")
    func applies() throws {
        let rules = Rules(identity: identity)
        var request = request(to: "pinned.test", rules)
        try request.applySecurity()
        #expect(request.trust?.key == rules.evaluation.key)
        #expect(request.identity == identity)
    }

    @Test("remove both if the origin has none")
    func clears() throws {
        var request = request(to: "open.test", Rules(identity: identity))
        try request.applySecurity()
        #expect(request.trust == nil)
        #expect(request.identity == nil)
    }

    @Test("refuse an origin before anything is sent")
    func refuses() throws {
        var request = request(to: "other.test:8443", Rules())
        let error = try #require(throws: TransportError.self) { try request.applySecurity() }
        #expect(error.code == .trustRefused)
        #expect(error.processing == .notSent)
        #expect(error.origin == Origin(scheme: "https", host: "other.test", port: 8443))
        #expect(error.underlying as? ForeignError == ForeignError(number: 8443))
    }

    @Test(
        "refuse a request without an origin, which keeps no other origin's trust",
        arguments: [nil, "", "a/@b"])
    func malformed(authority: String?) throws {
        var request = request(to: authority, Rules())
        let error = try #require(throws: TransportError.self) { try request.applySecurity() }
        #expect(error.code == .invalidRequest)
        #expect(error.processing == .notSent)
    }

    @Test("have no effect if there are none")
    func withoutRules() throws {
        var request = request(to: "other.test", nil)
        let key = request.trust?.key
        try request.applySecurity()
        #expect(request.trust?.key == key)
        #expect(request.identity != nil)
    }

    @Test("present no identity by default")
    func defaultIdentity() {
        #expect(TrustOnly().identity(for: Origin(scheme: "https", host: "h")) == nil)
    }
}
