/// Credentials of Amazon Web Services or a compatible server.
public struct AWSCredentials: Sendable, Hashable {
    /// The identifier of the access key. It is part of each signature and no secret.
    public let accessKeyID: String
    /// The secret access key. It never leaves the process.
    public let secretAccessKey: String
    /// The token of temporary credentials, sent with each request.
    public let sessionToken: String?

    /// Creates credentials.
    ///
    /// - Parameters:
    ///   - accessKeyID: The identifier of the access key.
    ///   - secretAccessKey: The secret access key.
    ///   - sessionToken: The token of temporary credentials; `nil` for permanent ones.
    public init(accessKeyID: String, secretAccessKey: String, sessionToken: String? = nil) {
        self.accessKeyID = accessKeyID
        self.secretAccessKey = secretAccessKey
        self.sessionToken = sessionToken
    }
}

extension AWSCredentials: CustomStringConvertible, CustomReflectable {
    /// The identifier of the access key, without the secrets.
    public var description: String { "AWSCredentials(\(accessKeyID))" }

    /// The identifier of the access key, without the secrets.
    public var customMirror: Mirror { Mirror(self, children: ["accessKeyID": accessKeyID]) }
}
