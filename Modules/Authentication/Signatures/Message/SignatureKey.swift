internal import COpenSSL
public import FoundationEssentials

/// An algorithm of HTTP message signatures (RFC 9421 §3.3).
public enum SignatureAlgorithm: String, Sendable, Hashable, CaseIterable {
    /// RSASSA-PSS with SHA-512 and a salt of 64 bytes (RFC 9421 §3.3.1).
    case rsaPSSSHA512 = "rsa-pss-sha512"
    /// RSASSA-PKCS1-v1_5 with SHA-256 (RFC 9421 §3.3.2).
    case rsaPKCS1SHA256 = "rsa-v1_5-sha256"
    /// HMAC with SHA-256 (RFC 9421 §3.3.3).
    case hmacSHA256 = "hmac-sha256"
    /// ECDSA over P-256 with SHA-256 (RFC 9421 §3.3.4).
    case ecdsaP256SHA256 = "ecdsa-p256-sha256"
    /// ECDSA over P-384 with SHA-384 (RFC 9421 §3.3.5).
    case ecdsaP384SHA384 = "ecdsa-p384-sha384"
    /// Ed25519 (RFC 9421 §3.3.6).
    case ed25519 = "ed25519"
}

/// A key that signs messages or verifies their signatures, bound to one algorithm.
public struct SignatureKey: Sendable {
    /// The name that signatures carry as `keyid`.
    public let identifier: String
    /// The algorithm that the key is for.
    public let algorithm: SignatureAlgorithm

    private let material: Material

    private enum Material: Sendable {
        case secret([UInt8])
        case asymmetric(LibraryKey)
    }

    /// Creates a key for ``SignatureAlgorithm/hmacSHA256``.
    ///
    /// - Parameters:
    ///   - identifier: The name that signatures carry as `keyid`.
    ///   - secret: The shared secret.
    public init(_ identifier: String, secret: Data) {
        self.identifier = identifier
        algorithm = .hmacSHA256
        material = .secret(Array(secret))
    }

    /// Creates a private key, which signs and verifies.
    ///
    /// - Parameters:
    ///   - identifier: The name that signatures carry as `keyid`.
    ///   - algorithm: The algorithm that the key is for.
    ///   - privateKey: The key in PEM.
    /// - Throws: ``MessageSignatureError/unusableKey(_:)``, with libcrypto's error message.
    public init(
        _ identifier: String,
        _ algorithm: SignatureAlgorithm,
        privateKey: String
    ) throws(MessageSignatureError) {
        self.identifier = identifier
        self.algorithm = algorithm
        material = .asymmetric(try LibraryKey(pem: privateKey, isPrivate: true, algorithm))
    }

    /// Creates a public key, which verifies.
    ///
    /// - Parameters:
    ///   - identifier: The name that signatures carry as `keyid`.
    ///   - algorithm: The algorithm that the key is for.
    ///   - publicKey: The key in PEM (SubjectPublicKeyInfo).
    /// - Throws: ``MessageSignatureError/unusableKey(_:)``, with libcrypto's error message.
    public init(
        _ identifier: String,
        _ algorithm: SignatureAlgorithm,
        publicKey: String
    ) throws(MessageSignatureError) {
        self.identifier = identifier
        self.algorithm = algorithm
        material = .asymmetric(try LibraryKey(pem: publicKey, isPrivate: false, algorithm))
    }

    /// Returns the signature of `text`.
    func sign(_ text: String) throws(MessageSignatureError) -> Data {
        switch material {
        case .secret(let secret): Data(try authenticationCode(text, secret))
        case .asymmetric(let key): try key.sign(Data(text.utf8))
        }
    }

    /// Whether `signature` is a valid signature of `text`.
    func verify(_ signature: Data, of text: String) throws(MessageSignatureError) -> Bool {
        switch material {
        case .secret(let secret):
            let code = try authenticationCode(text, secret)
            // Compares in constant time.
            return code.count == signature.count && CRYPTO_memcmp(code, Array(signature), code.count) == 0
        case .asymmetric(let key): return try key.verify(signature, of: Data(text.utf8))
        }
    }

    private func authenticationCode(_ text: String, _ secret: [UInt8]) throws(MessageSignatureError) -> [UInt8] {
        do {
            return try HashFunction.sha256.authenticationCode(Data(text.utf8), key: secret)
        } catch {
            throw .unusableKey("\(error)")
        }
    }
}

extension SignatureKey: CustomStringConvertible, CustomReflectable {
    /// The key's name and algorithm.
    public var description: String { "SignatureKey(\(identifier), \(algorithm.rawValue))" }

    /// The key's name and algorithm.
    public var customMirror: Mirror {
        Mirror(self, children: ["identifier": identifier, "algorithm": algorithm.rawValue])
    }
}
