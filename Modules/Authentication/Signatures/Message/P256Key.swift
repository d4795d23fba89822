package import FoundationEssentials

/// A private key on the curve P-256, for tokens that are signed with ES256 (RFC 7518 §3.4).
package struct P256Key: Sendable {
    private let key: LibraryKey
    /// The coordinates of the public point, of 32 bytes each.
    package let x: [UInt8], y: [UInt8]

    /// Creates a new key.
    package init() throws(MessageSignatureError) { try self.init(LibraryKey(newOnP256: ())) }

    /// Reads a key from PEM.
    package init(pem: String) throws(MessageSignatureError) {
        try self.init(LibraryKey(pem: pem, isPrivate: true, .ecdsaP256SHA256))
    }

    private init(_ key: LibraryKey) throws(MessageSignatureError) {
        let point = try key.uncompressedPoint()
        self.key = key
        x = Array(point[1..<33])
        y = Array(point[33..<65])
    }

    /// Returns the private key in PEM (PKCS #8), without encryption.
    package func pem() throws(MessageSignatureError) -> String { try key.privatePEM() }

    /// Returns the signature of `data` by ECDSA with SHA-256: two numbers of 32 bytes side by side.
    package func sign(_ data: Data) throws(MessageSignatureError) -> Data { try key.sign(data) }
}
