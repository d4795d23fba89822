/// A command that failed or timed out.
public struct RedisError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of failure.
    public enum Kind: Sendable, Hashable {
        /// The configuration cannot be used.
        case configuration
        /// The server cannot be reached, refused the credentials, or closed the connection.
        case connection
        /// The server did not answer in time.
        case timeout
        /// The server answered with an error, or with a reply of an unexpected kind.
        case reply
        /// The queue of unanswered commands is full.
        case overload
        /// The task was cancelled.
        case cancelled
        /// The client was closed.
        case closed
    }

    /// The kind of failure.
    public let kind: Kind
    /// The server's address, without credentials.
    public let server: String
    /// The error message of the server, the system or hiredis.
    public let reason: String

    init(_ kind: Kind, _ server: String, _ reason: String) {
        self.kind = kind
        self.server = server
        self.reason = reason
    }

    /// `redis://127.0.0.1:6379/0: Connection refused`.
    public var description: String { "\(server): \(reason)" }
}
