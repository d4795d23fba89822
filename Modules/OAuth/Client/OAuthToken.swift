public import Foundation

/// An access token and its properties (RFC 6749 §5.1).
///
/// It is `Codable`; store it as a secret. Its descriptions omit the tokens.
public struct OAuthToken: Sendable, Hashable, Codable {
    /// The token that requests carry.
    public let accessToken: String
    /// The type of the token in the server's spelling: `Bearer` (RFC 6750) or `DPoP` (RFC 9449).
    public let type: String
    /// The token with which a new access token is requested; `nil` if the server issued none.
    public let refreshToken: String?
    /// The scope of the token; `nil` if it is the requested one.
    public let scope: String?
    /// The date at which the token expires; `nil` if the server did not send it.
    public let expiration: Date?

    /// Creates a token.
    ///
    /// - Parameters:
    ///   - accessToken: The token that requests carry.
    ///   - type: The type of the token.
    ///   - refreshToken: The token with which a new access token is requested.
    ///   - scope: The scope of the token.
    ///   - expiration: The date at which the token expires.
    public init(
        accessToken: String,
        type: String = "Bearer",
        refreshToken: String? = nil,
        scope: String? = nil,
        expiration: Date? = nil
    ) {
        self.accessToken = accessToken
        self.type = type
        self.refreshToken = refreshToken
        self.scope = scope
        self.expiration = expiration
    }

    /// Whether the token has expired at `date`.
    public func isExpired(at date: Date) -> Bool { expiration.map { $0 <= date } ?? false }

    /// Whether requests need a proof of possession in addition to the token (RFC 9449 §5).
    public var isBoundToKey: Bool { type.lowercased() == "dpop" }

    /// The value of the `Authorization` field (RFC 6750 §2.1, RFC 9449 §7.1).
    public var fieldValue: String { "\(isBoundToKey ? "DPoP" : "Bearer") \(accessToken)" }

    /// Returns this token, with the refresh token of `previous` if the server issued no new one (RFC 6749 §6).
    func keepingRefreshToken(of previous: OAuthToken) -> OAuthToken {
        guard refreshToken == nil else { return self }
        return OAuthToken(
            accessToken: accessToken, type: type, refreshToken: previous.refreshToken, scope: scope ?? previous.scope,
            expiration: expiration
        )
    }
}

extension OAuthToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The type, the scope and the expiration.
    public var description: String {
        let scope = scope.map { ", scope \($0)" } ?? ""
        let expiration = expiration.map { ", expires \($0.ISO8601Format())" } ?? ""
        let refresh = refreshToken == nil ? "" : ", with a refresh token"
        return "\(type) token\(scope)\(expiration)\(refresh)"
    }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// The type, the scope and the expiration, so that a dump does not show the tokens.
    public var customMirror: Mirror {
        Mirror(self, children: ["type": type, "scope": scope as Any, "expiration": expiration as Any])
    }
}
