import AirframeAuthentication
import Foundation
import HTTPTypes
import Testing

/// The messages, keys and signatures of RFC 9421, appendix B and §2.4.
struct SignatureVectors: Decodable {
    struct Vector: Decodable, Sendable, CustomTestStringConvertible {
        let name: String
        let key: String
        let message: String
        let label: String
        let input: String
        let signature: String

        var testDescription: String { name }
    }

    struct Transformation: Decodable {
        let input: String
        let signature: String
    }

    let keys: [String: String]
    let vectors: [Vector]
    let transformation: Transformation
    let clientCertificate: String

    static func load() throws -> SignatureVectors {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        let data = try Data(contentsOf: folder.appending(path: "Vectors/rfc9421.json"))
        return try JSONDecoder().decode(SignatureVectors.self, from: data)
    }

    /// A key that verifies; keys of deterministic algorithms also sign.
    func key(_ name: String) throws -> SignatureKey {
        switch name {
        case "rsa-pss":
            return try SignatureKey("test-key-rsa-pss", .rsaPSSSHA512, publicKey: text("rsaPSSPublic"))
        case "ecc-p256":
            return try SignatureKey("test-key-ecc-p256", .ecdsaP256SHA256, publicKey: text("p256Public"))
        case "ed25519":
            return try SignatureKey("test-key-ed25519", .ed25519, privateKey: text("ed25519Private"))
        default:
            let secret = try #require(Data(base64Encoded: text("secret")))
            return SignatureKey("test-shared-secret", secret: secret)
        }
    }

    func signingKey(_ algorithm: SignatureAlgorithm) throws -> SignatureKey {
        switch algorithm {
        case .rsaPSSSHA512: try SignatureKey("k", algorithm, privateKey: text("rsaPSSPrivate"))
        case .rsaPKCS1SHA256: try SignatureKey("k", algorithm, privateKey: text("rsaPrivate"))
        case .hmacSHA256: try key("secret")
        case .ecdsaP256SHA256: try SignatureKey("k", algorithm, privateKey: text("p256Private"))
        case .ecdsaP384SHA384: try SignatureKey("k", algorithm, privateKey: text("p384Private"))
        case .ed25519: try key("ed25519")
        }
    }

    private func text(_ name: String) throws -> String { try #require(keys[name]) }

    // MARK: Messages (RFC 9421 §B.2)

    var request: HTTPRequest {
        var head = HTTPRequest(
            method: .post, scheme: "https", authority: "example.com", path: "/foo?param=Value&Pet=dog")
        head.headerFields[.date] = "Tue, 20 Apr 2021 02:07:55 GMT"
        head.headerFields[.contentType] = "application/json"
        head.headerFields[ContentDigest.name] =
            "sha-512=:WZDPaVn/7XgHaAy8pmojAkGWoRx2UFChF41A2svX+TaPm+AbwAgBWnrIiYllu7BNNyealdVLvRwEmTHWXvJwew==:"
        head.headerFields[.contentLength] = "18"
        return head
    }

    var response: HTTPResponse {
        var head = HTTPResponse(status: .ok)
        head.headerFields[.date] = "Tue, 20 Apr 2021 02:07:56 GMT"
        head.headerFields[.contentType] = "application/json"
        head.headerFields[ContentDigest.name] =
            "sha-512=:mEWXIS7MaLRuGgxOBdODa3xqM1XdEvxoYhvlCFJ41QJgJc4GTsPp29l5oGX69wWdXymyU0rjJuahq4l5aGgfLQ==:"
        head.headerFields[.contentLength] = "23"
        return head
    }

    var unavailable: HTTPResponse {
        var head = HTTPResponse(status: .serviceUnavailable)
        head.headerFields[.contentType] = "application/json"
        head.headerFields[.contentLength] = "62"
        head.headerFields[ContentDigest.name] =
            "sha-512=:0Y6iCBzGg5rZtoXS95Ijz03mslf6KAMCloESHObfwnHJDbkkWWQz6PhhU9kxsTbARtY2PTBOzq24uJFpHsMuAg==:"
        return head
    }

    var proxiedRequest: HTTPRequest {
        var head = request
        head.authority = "service.internal.example"
        head.headerFields[HTTPField.Name("Client-Cert") ?? .accept] = clientCertificate
        return head
    }
}
