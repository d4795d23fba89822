internal import AirframeTransport
internal import FoundationEssentials

/// The answer to a Digest challenge for one request (RFC 7616 §3.4).
struct DigestAnswer: Sendable {
    /// The input of the answer other than the challenge.
    struct Input: Sendable {
        var user: String
        var password: String
        var method: String
        /// The request target.
        var target: String
        /// The nonce to use: the challenge's, or its successor.
        var nonce: String
        var nonceCount: UInt32
        var clientNonce: String
        /// The hash of the content, if the content is protected.
        var contentHash: String?
    }

    private let challenge: DigestChallenge
    private let input: Input
    /// A1 of RFC 7616 §3.4.2, hashed.
    private let secret: String
    let response: String

    init(to challenge: DigestChallenge, _ input: Input) throws(HashUnavailable) {
        self.challenge = challenge
        self.input = input
        let hash = challenge.algorithm.hash
        var secret = try RunningHash.hex(of: "\(input.user):\(challenge.realm):\(input.password)", hash)
        if challenge.algorithm.isSession {
            secret = try RunningHash.hex(of: "\(secret):\(input.nonce):\(input.clientNonce)", hash)
        }
        self.secret = secret
        response = try Self.response(challenge, input, secret: secret, method: input.method, content: input.contentHash)
    }

    /// The value of the `Authorization` field.
    func fieldValue() throws(HashUnavailable) -> String {
        var parts: [String] = []
        parts.append(try user())
        parts.append("realm=\(Self.quoted(challenge.realm))")
        parts.append("nonce=\(Self.quoted(input.nonce))")
        parts.append("uri=\(Self.quoted(input.target))")
        parts.append("response=\"\(response)\"")
        if let name = challenge.algorithm.name { parts.append("algorithm=\(name)") }
        if let opaque = challenge.opaque { parts.append("opaque=\(Self.quoted(opaque))") }
        if let protection = challenge.protection {
            parts.append("qop=\(protection.rawValue)")
            parts.append("nc=\(Self.hexadecimal(input.nonceCount))")
        }
        if challenge.protection != nil || challenge.algorithm.isSession {
            parts.append("cnonce=\(Self.quoted(input.clientNonce))")
        }
        if challenge.hashesUser { parts.append("userhash=true") }
        return "Digest \(parts.joined(separator: ", "))"
    }

    /// The `rspauth` of a server that knows the password (RFC 7616 §3.5); `nil` if it depends on content that has not
    /// arrived.
    func expectedServerProof() throws(HashUnavailable) -> String? {
        guard challenge.protection == .auth else { return nil }
        return try Self.response(challenge, input, secret: secret, method: "", content: nil)
    }

    /// The client's nonce and count, which identify the answer that a server's proof refers to.
    var clientNonce: String { input.clientNonce }
    var nonceCountText: String { Self.hexadecimal(input.nonceCount) }

    private static func response(
        _ challenge: DigestChallenge,
        _ input: Input,
        secret: String,
        method: String,
        content: String?
    ) throws(HashUnavailable) -> String {
        let hash = challenge.algorithm.hash
        let subject = try RunningHash.hex(of: "\(method):\(input.target)\(content.map { ":\($0)" } ?? "")", hash)
        guard let protection = challenge.protection else {
            return try RunningHash.hex(of: "\(secret):\(input.nonce):\(subject)", hash)
        }
        let counted = "\(input.nonce):\(hexadecimal(input.nonceCount)):\(input.clientNonce):\(protection.rawValue)"
        return try RunningHash.hex(of: "\(secret):\(counted):\(subject)", hash)
    }

    /// The user's name: hashed if the server requests that, in the extended form if it is not ASCII and the server
    /// supports UTF-8 (RFC 7616 §3.4 and §4). Older servers support neither, and get the bytes.
    private func user() throws(HashUnavailable) -> String {
        if challenge.hashesUser {
            let hashed = try RunningHash.hex(of: "\(input.user):\(challenge.realm)", challenge.algorithm.hash)
            return "username=\"\(hashed)\""
        }
        let isPlain = input.user.utf8.allSatisfy { (0x20..<0x7F).contains($0) }
        let isQuotable = input.user.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
        if isPlain || (isQuotable && !challenge.isUTF8) { return "username=\(Self.quoted(input.user))" }
        return "username*=UTF-8''\(Self.extended(input.user))"
    }

    private static func quoted(_ text: String) -> String { text.asQuotedString }

    /// `ext-value` (RFC 8187 §3.2.1): everything but `attr-char` is percent-encoded.
    private static func extended(_ text: String) -> String {
        text.utf8.reduce(into: "") { result, byte in
            let scalar = Unicode.Scalar(byte)
            if scalar.isASCII,
                scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
                    || "!#$&+-.^_`|~".unicodeScalars.contains(scalar)
            {
                result.unicodeScalars.append(scalar)
            } else {
                result += (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
            }
        }
    }

    private static func hexadecimal(_ count: UInt32) -> String {
        let digits = String(count, radix: 16)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }
}
