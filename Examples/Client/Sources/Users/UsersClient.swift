import AirframeCore
import AirframeEncoding
import AirframeSerialization

/// A user of the service.
public struct User: Codable, Sendable {
    /// The number of the user.
    public var id: Int
    /// The name of the user.
    public var name: String
}

/// A client of the service.
public struct UsersClient: Sendable {
    let api: RequestGroup

    /// Creates a client for the service at a URL.
    public init(session: Session, baseURL: String, token: String) {
        api = session.group(
            baseURL: baseURL, headers: [.authorization(bearerToken: token)], interceptor: .retryPolicy)
    }

    /// Returns a user.
    public func user(_ id: Int) async throws -> User {
        try await api.get("users/\(id)").validate().serializingDecodable(User.self).value
    }

    /// Renames a user, and returns it.
    public func rename(_ id: Int, to name: String) async throws -> User {
        try await api.put("users/\(id)", body: ["name": name]).validate().serializingDecodable(User.self).value
    }
}
