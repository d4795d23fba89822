import AirframeCore
import AirframeEncoding
import AirframeSerialization

/// A user of the service.
public struct User: Codable, Sendable {
    /// The number that identifies the user.
    public var id: Int
    /// The user's name.
    public var name: String
}

/// A client of the service of users.
public struct UsersClient: Sendable {
    let api: RequestGroup

    /// Creates a client.
    ///
    /// - Parameters:
    ///   - session: The session that sends the requests. A test passes one over a `MockTransport`.
    ///   - baseURL: The URL that the service's paths are appended to.
    ///   - token: The bearer token of each request.
    public init(session: Session, baseURL: String, token: String) {
        api = session.group(
            baseURL: baseURL, headers: [.authorization(bearerToken: token)], interceptor: .retryPolicy)
    }

    /// Returns the user with a number.
    ///
    /// - Throws: An `AFError`; for example, if there is no such user.
    public func user(_ id: Int) async throws -> User {
        try await api.get("users/\(id)").validate().serializingDecodable(User.self).value
    }

    /// Renames a user, and returns the user as the service has stored it.
    ///
    /// - Throws: An `AFError`; for example, if there is no such user.
    public func rename(_ id: Int, to name: String) async throws -> User {
        try await api.put("users/\(id)", body: ["name": name]).validate().serializingDecodable(User.self).value
    }
}
