internal import AirframeAuthentication
internal import AirframeTransport
internal import Foundation
internal import HTTPTypes

/// A key that tokens are bound to, so that a stolen token is useless without it: DPoP with ES256 (RFC 9449).
///
/// An ``OAuthClient`` gets tokens for the key, and a ``DPoPLayer`` proves its possession with each request. A token
/// that is stored needs its key after a restart: store ``pem()`` as a secret.
public struct DPoPKey: Sendable {
    /// The thumbprint of the public key (RFC 7638), which servers bind tokens to (`jkt`).
    public let thumbprint: String

    private let key: P256Key
    /// The nonces of servers that this key's proofs need.
    let nonces = DPoPNonces()

    /// Creates a new key.
    ///
    /// - Throws: ``OAuthError/unusableKey(_:)`` with libcrypto's error message.
    public init() throws(OAuthError) {
        do {
            try self.init(P256Key())
        } catch let error as OAuthError {
            throw error
        } catch {
            throw .unusableKey("\(error)")
        }
    }

    /// Reads a key.
    ///
    /// - Parameter pem: A private key on the curve P-256 in PEM.
    /// - Throws: ``OAuthError/unusableKey(_:)`` with libcrypto's error message.
    public init(pem: String) throws(OAuthError) {
        do {
            try self.init(P256Key(pem: pem))
        } catch let error as OAuthError {
            throw error
        } catch {
            throw .unusableKey("\(error)")
        }
    }

    private init(_ key: P256Key) throws(OAuthError) {
        self.key = key
        let (x, y) = (Base64URL.encode(key.x), Base64URL.encode(key.y))
        // The members in the order of RFC 7638 §3.2.
        thumbprint = try Base64URL.hash(of: #"{"crv":"P-256","kty":"EC","x":"\#(x)","y":"\#(y)"}"#)
    }

    /// Returns the private key in PEM (PKCS #8), without encryption.
    ///
    /// - Throws: ``OAuthError/unusableKey(_:)`` with libcrypto's error message.
    public func pem() throws(OAuthError) -> String {
        do {
            return try key.pem()
        } catch {
            throw .unusableKey("\(error)")
        }
    }

    // MARK: Proofs

    /// Sets the request's `DPoP` field to a new proof (RFC 9449 §4).
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - token: The access token of the request; `nil` at the token endpoint.
    ///   - nonce: The server's nonce, if it has sent one.
    ///   - clock: The clock of the transport.
    func addProof(
        to request: inout TransportRequest,
        with token: String? = nil,
        nonce: String?,
        on clock: any TransportClock
    ) throws(OAuthError) {
        let head = request.head
        let path = head.sentTarget.prefix { $0 != "?" && $0 != "#" }
        let claims = ProofClaims(
            jti: Base64URL.random(16),
            htm: head.method.rawValue,
            htu: "\(head.scheme ?? "https")://\(head.authority ?? "")\(path)",
            iat: Int(clock.date(at: clock.now).timeIntervalSince1970),
            ath: try token.map { token throws(OAuthError) in try Base64URL.hash(of: token) },
            nonce: nonce
        )
        let jwk = ProofHeader.Key(x: Base64URL.encode(key.x), y: Base64URL.encode(key.y))
        var field = HTTPField(name: .dpop, value: try signed(ProofHeader(jwk: jwk), claims))
        field.indexingStrategy = .disallow
        request.head.headerFields[fields: .dpop] = [field]
    }

    private func signed(_ header: ProofHeader, _ claims: ProofClaims) throws(OAuthError) -> String {
        do {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            let text = [try encoder.encode(header), try encoder.encode(claims)].map { Base64URL.encode($0) }
                .joined(separator: ".")
            return text + "." + Base64URL.encode(try key.sign(Data(text.utf8)))
        } catch {
            throw .unusableKey("\(error)")
        }
    }
}

extension DPoPKey: CustomStringConvertible, CustomReflectable {
    /// The thumbprint.
    public var description: String { "DPoP key \(thumbprint)" }

    /// The thumbprint, so that a dump does not show the key.
    public var customMirror: Mirror { Mirror(self, children: ["thumbprint": thumbprint]) }
}

extension HTTPField.Name {
    /// The proof of possession (RFC 9449 §4.1).
    static let dpop = Self("DPoP") ?? .authorization
    /// The nonce for the next proof (RFC 9449 §8.1).
    static let dpopNonce = Self("DPoP-Nonce") ?? .wwwAuthenticate
}

/// The header of a proof (RFC 9449 §4.2).
private struct ProofHeader: Encodable {
    struct Key: Encodable {
        var kty = "EC"
        var crv = "P-256"
        let x: String
        let y: String
    }

    var typ = "dpop+jwt"
    var alg = "ES256"
    let jwk: Key
}

/// The claims of a proof (RFC 9449 §4.2).
private struct ProofClaims: Encodable {
    let jti: String
    let htm: String
    let htu: String
    let iat: Int
    let ath: String?
    let nonce: String?
}
