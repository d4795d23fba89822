import AirframeAuthentication
import AirframeCache
import AirframeLayers
import AirframeTestSupport
import AirframeTransport
import Foundation
import HTTPTypes
import Testing

@Suite("The authentication layer above a cache", .timeLimit(.minutes(1)))
struct CachedResponseTests {
    /// The right proof for the first request for `/` by Mufasa in the realm r, with the nonce 1 and the client nonce c.
    private static let proof = "rspauth=\"40448a5acab423fc11b2d4e1877d02cd\", qop=auth, cnonce=\"c\", nc=00000001"

    private static func info(_ value: String) throws -> HTTPFields {
        let name = try #require(HTTPField.Name("Authentication-Info"))
        return [name: value]
    }

    /// A server that sends public responses with its proof, and a 304 without one.
    private static func base() throws -> ScriptedTransport {
        var fields = try info(proof)
        fields[.cacheControl] = "public, max-age=60"
        fields[.eTag] = "\"1\""
        let sent = fields
        return ScriptedTransport { request in
            guard request.head.headerFields.contains(.authorization) else {
                return .challenge(["Digest realm=\"r\", nonce=\"1\", qop=auth"], to: request)
            }
            guard !request.head.headerFields.contains(.ifNoneMatch) else {
                return .status(304, fields: [.eTag: "\"1\""], to: request)
            }
            return .status(200, fields: sent, body: ResponseBody(Data("content".utf8)), to: request)
        }
    }

    @Test("The proof of a stored response is that of another exchange, and is not checked (RFC 9110 §11.6.3)")
    func storedProof() async throws {
        let base = try Self.base()
        let layer = AuthenticationLayer(CacheLayer(base, store: MemoryCacheStore())) { "c" }
        for source in [ResponseSource.network, .cache] {
            let response = try await layer.send(.to())
            #expect(response.source == source)
            #expect(try await response.body.collect(upTo: 10) == Data("content".utf8))
        }
        #expect(base.requests.count == 2)
    }

    @Test("A validated response has the proof of the validation, or none")
    func validatedProof() async throws {
        let base = try Self.base()
        let layer = AuthenticationLayer(CacheLayer(base, store: MemoryCacheStore())) { "c" }
        _ = try await layer.send(.to()).body.collect(upTo: 10)
        var request = TransportRequest.to()
        request[CacheUse.self] = .revalidate
        let response = try await layer.send(request)
        #expect(response.source == .revalidated)
        #expect(try response.head.headerFields[#require(HTTPField.Name("Authentication-Info"))] == nil)
        #expect(try await response.body.collect(upTo: 10) == Data("content".utf8))
    }

    @Test("A space is remembered although the cache answers the authenticated request")
    func rememberedSpace() async throws {
        let base = ScriptedTransport { request in
            guard request.head.headerFields.contains(.authorization) else {
                return .challenge(["Basic realm=\"r\""], to: request)
            }
            var response = TransportResponse.status(200, fields: [:], to: request)
            response.source = .cache
            return response
        }
        let layer = AuthenticationLayer(base)
        for path in ["/a", "/b"] { _ = try await layer.send(.to(path)) }
        #expect(base.requests.count == 3, "the second request is authenticated preemptively")
    }

    @Test("The nextnonce of a stored response does not replace a newer one")
    func storedNonce() async throws {
        let (old, new) = (try Self.info("nextnonce=\"2\""), try Self.info("nextnonce=\"3\""))
        let base = ScriptedTransport { request in
            guard request.head.headerFields.contains(.authorization) else {
                return .challenge(["Digest realm=\"r\", nonce=\"1\", qop=auth"], to: request)
            }
            let isStored = request.head.path == "/stored"
            var response = TransportResponse.status(200, fields: isStored ? old : new, to: request)
            if isStored { response.source = .cache }
            return response
        }
        let layer = AuthenticationLayer(base)
        for path in ["/a", "/stored", "/b"] { _ = try await layer.send(.to(path)) }
        let answers = base.authorizations.compactMap(DigestParameters.init)
        #expect(answers.map { $0["nonce"] } == ["1", "3", "3"])
    }

    @Test(
        "The uri of a Digest answer is the target that engines send, also for an empty path (RFC 7616 §3.4.6)",
        arguments: [("", "/"), ("?q", "/?q"), ("/a?q", "/a?q")])
    func target(path: String, uri: String) async throws {
        let base = ScriptedTransport(challenging: "Digest realm=\"r\", nonce=\"1\", qop=auth")
        let layer = AuthenticationLayer(base)
        for _ in 0..<2 { #expect(try await layer.send(.to(path)).head.status == .ok) }
        let answers = base.authorizations.compactMap(DigestParameters.init)
        #expect(answers.map { $0["uri"] } == [uri, uri])
        #expect(base.requests.count == 3, "the second request is authenticated preemptively")
    }
}
