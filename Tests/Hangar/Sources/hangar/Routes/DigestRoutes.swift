import Foundation

extension Router {
    /// Digest (RFC 7616).
    mutating func addDigestRoutes(nonces: NonceBook) {
        let handler: Handler = { call in try await DigestChallenge(call).reply(to: call, nonces: nonces) }
        add(path: "/digest-auth/{qop}/{user}/{passwd}", handler: handler)
        add(path: "/digest-auth/{qop}/{user}/{passwd}/{algorithm}", handler: handler)
        add(path: "/digest-auth/{qop}/{user}/{passwd}/{algorithm}/{stale_after}", handler: handler)
    }
}

/// The challenge of a Digest endpoint, and the check of the answer.
private struct DigestChallenge {
    private let qop: [String]
    private let user: String
    private let password: String
    private let algorithm: Digest.Algorithm
    private let isSession: Bool
    private let usesPerNonce: Int
    private let realm = "Hangar"
    private let opaque = "68616e676172"

    init(_ call: Call) throws {
        switch call["qop"] {
        case "auth", "auth-int": qop = [call["qop"]]
        case "auth,auth-int", "both": qop = ["auth", "auth-int"]
        case "none": qop = []
        default: throw Failure(400, "qop is auth, auth-int, both or none, not \"\(call["qop"])\"")
        }
        user = call["user"]
        password = call["passwd"]
        let name = call["algorithm"].isEmpty ? "MD5" : call["algorithm"].uppercased()
        isSession = name.hasSuffix("-SESS")
        guard let algorithm = Digest.Algorithm(rawValue: isSession ? String(name.dropLast(5)) : name) else {
            throw Failure(400, "algorithm is MD5, SHA-256, SHA-512-256 or one of them with -sess, not \"\(name)\"")
        }
        self.algorithm = algorithm
        let limit = call["stale_after"]
        usesPerNonce = limit.isEmpty || limit == "never" ? .max : try call.integer("stale_after", in: 1...1_000_000)
    }

    func reply(to call: Call, nonces: NonceBook) async throws -> Reply {
        guard let credentials = call.credentials(of: "Digest") else {
            return challenge(nonces: nonces, isStale: false)
        }
        let answer = HeaderParameters(credentials, separator: ",")
        if let objection = try await objection(to: answer, call: call) {
            return challenge(nonces: nonces, isStale: false, reason: objection)
        }
        let count = answer["nc"].flatMap { UInt32($0, radix: 16) }
        switch nonces.use(answer["nonce"] ?? "", count: count, limit: usesPerNonce) {
        case .fresh: return .json(["authenticated": true, "user": .string(user)])
        case .stale: return challenge(nonces: nonces, isStale: true, reason: "the nonce is stale")
        }
    }

    private var algorithmName: String { algorithm.rawValue + (isSession ? "-sess" : "") }

    private func challenge(nonces: NonceBook, isStale: Bool, reason: String = "no credentials") -> Reply {
        let value = [
            "realm=\"\(realm)\"",
            "nonce=\"\(nonces.issue())\"",
            "opaque=\"\(opaque)\"",
            "algorithm=\(algorithmName)",
            qop.isEmpty ? nil : "qop=\"\(qop.joined(separator: ", "))\"",
            isStale ? "stale=true" : nil,
        ].compactMap { $0 }.joined(separator: ", ")
        return .json(
            ["authenticated": false, "reason": .string(reason)], status: 401,
            fields: [Field("WWW-Authenticate", "Digest \(value)")])
    }

    /// The fault of the answer; nil if it proves the password.
    private func objection(to answer: HeaderParameters, call: Call) async throws -> String? {
        guard answer["username"] == user else { return "the username is another" }
        guard answer["realm"] == realm else { return "the realm is another" }
        guard answer["opaque"] == opaque else { return "opaque did not come back as it was" }
        guard answer["uri"] == call.target else { return "uri is not the request's target" }
        guard (answer["algorithm"] ?? "MD5").uppercased() == algorithmName.uppercased() else {
            return "the algorithm is another"
        }
        guard answer["qop"].map(qop.contains) ?? qop.isEmpty else { return "that qop was not offered" }
        guard answer["response"] == (try await response(expectedOf: answer, call: call)) else {
            return "the response is wrong"
        }
        return nil
    }

    /// RFC 7616 §3.4.1 to §3.4.3.
    private func response(expectedOf answer: HeaderParameters, call: Call) async throws -> String {
        let nonce = answer["nonce"] ?? ""
        var secret = try hash("\(user):\(realm):\(password)")
        if isSession { secret = try hash("\(secret):\(nonce):\(answer["cnonce"] ?? "")") }
        var subject = "\(call.method):\(answer["uri"] ?? "")"
        if answer["qop"] == "auth-int" {
            subject += ":" + (try Digest.hex(of: await call.body.collect(), algorithm))
        }
        let subjectHash = try hash(subject)
        guard let qop = answer["qop"] else { return try hash("\(secret):\(nonce):\(subjectHash)") }
        return try hash(
            "\(secret):\(nonce):\(answer["nc"] ?? ""):\(answer["cnonce"] ?? ""):\(qop):\(subjectHash)")
    }

    private func hash(_ text: String) throws -> String {
        try Digest.hex(of: Data(text.utf8), algorithm)
    }
}
