import Foundation

extension Router {
    /// Basic (RFC 7617) and Bearer (RFC 6750).
    mutating func addBasicAuthenticationRoutes() {
        add(path: "/basic-auth/{user}/{passwd}") { call in
            Self.basic(call)
                ?? .json(
                    ["authenticated": false], status: 401,
                    fields: [Field("WWW-Authenticate", "Basic realm=\"Hangar\"")])
        }
        add(path: "/hidden-basic-auth/{user}/{passwd}") { call in
            Self.basic(call) ?? .json(["error": "not found"], status: 404)
        }
        add(path: "/basic-auth-no-realm/{user}/{passwd}") { call in
            Self.basic(call)
                ?? .json(
                    ["authenticated": false], status: 401, fields: [Field("WWW-Authenticate", "Basic")])
        }
        add(path: "/bearer") { call in
            guard let token = call.credentials(of: "Bearer") else {
                return .json(["authenticated": false], status: 401, fields: [Field("WWW-Authenticate", "Bearer")])
            }
            return .json(["authenticated": true, "token": .string(token)])
        }
    }

    /// Nil unless the credentials are those in the path.
    private static func basic(_ call: Call) -> Reply? {
        guard let credentials = call.credentials(of: "Basic"), let decoded = Data(base64Encoded: credentials),
            decoded == Data("\(call["user"]):\(call["passwd"])".utf8)
        else { return nil }
        return .json(["authenticated": true, "user": .string(call["user"])])
    }
}

extension Call {
    /// What follows the scheme in `Authorization`; nil for another scheme or none.
    func credentials(of scheme: String) -> String? {
        let parts = (field("Authorization") ?? "").split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == scheme.lowercased() else { return nil }
        return parts[1].trimmingCharacters(in: .whitespaces)
    }
}
