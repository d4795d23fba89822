import AirframeOAuth
import AirframeTestSupport
import AirframeTransport
import Foundation
import HTTPTypes
import Testing

@Suite("Proofs of possession", .timeLimit(.minutes(1)))
struct DPoPLayerTests {
    /// The claims of a proof that the tests check.
    private struct Claims: Decodable {
        let htu: String
        let nonce: String?
    }

    private static func request(_ path: String) -> TransportRequest {
        TransportRequest(
            HTTPRequest(
                method: .get, scheme: "https", authority: "api.test", path: path,
                headerFields: [.authorization: "DPoP token"]))
    }

    /// The claims of the proof that a request carries.
    private static func claims(of head: HTTPRequest) throws -> Claims {
        let proof = try #require(HTTPField.Name("DPoP").flatMap { head.headerFields[$0] })
        let parts = proof.split(separator: ".")
        try #require(parts.count == 3)
        var text = parts[1].replacing("-", with: "+").replacing("_", with: "/")
        while text.utf8.count % 4 != 0 { text += "=" }
        return try JSONDecoder().decode(Claims.self, from: try #require(Data(base64Encoded: String(text))))
    }

    @Test("The nonce of a stored response does not replace the most recent one (RFC 9449 §8.2)")
    func storedNonce() async throws {
        let name = try #require(HTTPField.Name("DPoP-Nonce"))
        let base = ScriptedTransport { request in
            let isStored = request.head.path == "/stored"
            let head = HTTPResponse(status: .ok, headerFields: [name: isStored ? "old" : "new"])
            var response = TransportResponse(head: head, body: ResponseBody(), request: request.head)
            if isStored { response.source = .cache }
            return response
        }
        let layer = DPoPLayer(base, key: try DPoPKey())
        for path in ["/a", "/stored", "/b"] { _ = try await layer.send(Self.request(path)) }
        #expect(try base.heads.map { try Self.claims(of: $0).nonce } == [nil, "new", "new"])
    }

    @Test("The URI of a proof is the one that engines send, also for an empty path", arguments: ["", "?q", "/?q"])
    func target(path: String) async throws {
        let base = ScriptedTransport { request in
            TransportResponse(head: HTTPResponse(status: .ok), body: ResponseBody(), request: request.head)
        }
        _ = try await DPoPLayer(base, key: try DPoPKey()).send(Self.request(path))
        #expect(try base.heads.map { try Self.claims(of: $0).htu } == ["https://api.test/"])
    }
}
