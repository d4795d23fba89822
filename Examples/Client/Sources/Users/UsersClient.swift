import AirframeCore
import AirframeEncoding
import AirframeSerialization

/// A client of a users API.
public struct UsersClient: Sendable {
    /// A user of the service.
    public struct User: Codable, Equatable, Sendable {
        /// The number of the user.
        public var id: Int
        /// The name of the user.
        public var name: String

        /// Describes a user.
        public init(id: Int, name: String) {
            self.id = id
            self.name = name
        }
    }

    private let api: RequestGroup

    /// Makes a client.
    ///
    /// - Parameters:
    ///   - session: The session of all requests. The client keeps it.
    ///   - token: The bearer token of all requests.
    public init(session: Session, token: String) {
        api = session.group(
            baseURL: "https://api.test/v1",
            headers: [.authorization(bearerToken: token)],
            interceptor: .retryPolicy
        )
    }

    /// Returns the user with a number.
    ///
    /// - Throws: `AFError`, also for every status but 200 to 299.
    public func user(_ id: Int) async throws -> User {
        try await api.get("users/\(id)").validate().serializingDecodable(User.self).value
    }

    /// Changes the name of a user, and returns the changed user.
    public func rename(_ id: Int, to name: String) async throws -> User {
        try await api.put("users/\(id)", body: ["name": name]).validate().serializingDecodable(User.self).value
    }
}
