/// A scheme whose challenges ``AuthenticationLayer`` answers with a user's name and password (RFC 9110 §11.1).
public struct AuthenticationScheme: Sendable, Hashable, CustomStringConvertible {
    /// The scheme's name in the registry of HTTP authentication schemes.
    public let name: String

    private init(_ name: String) { self.name = name }

    /// Digest (RFC 7616), which sends a hash and not the password.
    public static let digest = AuthenticationScheme("Digest")
    /// Basic (RFC 7617), which sends the password.
    public static let basic = AuthenticationScheme("Basic")

    /// All schemes, the strongest first.
    public static let strongestFirst: [AuthenticationScheme] = [.digest, .basic]

    /// The scheme's name.
    public var description: String { name }
}
