import AirframeCore
import AirframeEncoding
import AirframeSerialization

public struct User: Codable, Sendable {
    public var id: Int
    public var name: String
}

public struct UsersClient: Sendable {
    let api: RequestGroup

    public init(session: Session, baseURL: String, token: String) {
        api = session.group(
            baseURL: baseURL, headers: [.authorization(bearerToken: token)], interceptor: .retryPolicy)
    }

    public func user(_ id: Int) async throws -> User {
        try await api.get("users/\(id)").validate().serializingDecodable(User.self).value
    }

    public func rename(_ id: Int, to name: String) async throws -> User {
        try await api.put("users/\(id)", body: ["name": name]).validate().serializingDecodable(User.self).value
    }
}
