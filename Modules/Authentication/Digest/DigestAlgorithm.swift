internal import COpenSSL
internal import FoundationEssentials

/// A hash of Digest authentication (RFC 7616 §3.3), computed by libcrypto, and whether it is used for a session.
struct DigestAlgorithm: Hashable, Sendable {
    /// The hash, from the weakest to the strongest.
    enum Hash: Int, Sendable, CaseIterable {
        case md5
        case sha256
        case sha512Half

        var name: String {
            switch self {
            case .md5: "MD5"
            case .sha256: "SHA-256"
            case .sha512Half: "SHA-512-256"
            }
        }
    }

    let hash: Hash
    /// Whether the secret is bound to the first nonce: `-sess` in the name.
    let isSession: Bool
    /// The name as the server spells it, to be sent back; `nil` when it named none, which means MD5.
    let name: String?

    /// Reads an `algorithm` parameter; `nil` for an algorithm that is not known. Early servers say `SHA` with a size for
    /// what is now spelled with a hyphen, and some write the names in lower case.
    init?(_ name: String?) {
        self.name = name
        let upper = name?.uppercased() ?? "MD5"
        isSession = upper.hasSuffix("-SESS")
        let base = isSession ? String(upper.dropLast(5)) : upper
        switch base {
        case "MD5": hash = .md5
        case "SHA-256", "SHA256": hash = .sha256
        case "SHA-512-256": hash = .sha512Half
        case "SHA-512/256": hash = .sha512Half
        default: return nil
        }
    }
}

/// A running hash. libcrypto's context is freed with it.
struct RunningHash: ~Copyable {
    private let context: OpaquePointer

    /// - Throws: ``DigestFailure/unavailable(_:)`` when libcrypto refuses the algorithm, as one in FIPS mode does with MD5.
    init(_ hash: DigestAlgorithm.Hash) throws(DigestFailure) {
        let type =
            switch hash {
            case .md5: EVP_md5()
            case .sha256: EVP_sha256()
            case .sha512Half: EVP_sha512_256()
            }
        guard let context = EVP_MD_CTX_new() else { throw .unavailable(hash.name) }
        guard EVP_DigestInit_ex(context, type, nil) == 1 else {
            EVP_MD_CTX_free(context)
            throw .unavailable(hash.name)
        }
        self.context = context
    }

    deinit { EVP_MD_CTX_free(context) }

    mutating func update(_ data: Data) {
        data.withUnsafeBytes { _ = EVP_DigestUpdate(context, $0.baseAddress, $0.count) }
    }

    /// Ends the hash: lower-case hexadecimal.
    consuming func hex() -> String {
        var bytes = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var count: UInt32 = 0
        EVP_DigestFinal_ex(context, &bytes, &count)
        let digits = Array("0123456789abcdef".utf8)
        let text = bytes.prefix(Int(count)).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        return String(decoding: text, as: UTF8.self)
    }

    /// The hash of a text's UTF-8.
    static func hex(of text: String, _ hash: DigestAlgorithm.Hash) throws(DigestFailure) -> String {
        try hex(of: Data(text.utf8), hash)
    }

    /// The hash of `data`.
    static func hex(of data: Data, _ hash: DigestAlgorithm.Hash) throws(DigestFailure) -> String {
        var running = try RunningHash(hash)
        running.update(data)
        return running.hex()
    }
}

/// Why a Digest challenge cannot be answered.
enum DigestFailure: Error {
    /// libcrypto does not offer the hash.
    case unavailable(String)
}

extension DigestFailure: CustomStringConvertible {
    var description: String {
        switch self {
        case .unavailable(let name): "libcrypto does not offer \(name)"
        }
    }
}
