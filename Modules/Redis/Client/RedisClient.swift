internal import FoundationEssentials

/// One connection to a Redis or Valkey server, for a cache store, locks and credentials.
///
/// The connection is opened with the first command, and again after it was lost. It is closed after 30 idle seconds.
/// Commands of all tasks are pipelined. While the server cannot be reached, commands fail immediately, and the client
/// reconnects after 50 ms, then after pauses that double up to two seconds.
///
/// ```swift
/// let client = try RedisClient(url: "redis://:secret@cache.internal:6379/2")
/// let store = RedisCacheStore(client)
/// ```
///
/// A class, because its owners share the connection.
public final class RedisClient: Sendable {
    /// The server and the time limits.
    public let configuration: Configuration

    private let loop: RedisLoop

    /// Creates a client. It connects with the first command.
    public init(_ configuration: Configuration) {
        self.configuration = configuration
        loop = RedisLoop(configuration)
    }

    /// Creates a client for the server at a URL: see ``Configuration/init(url:)``.
    ///
    /// - Throws: ``RedisError`` if the URL cannot be used.
    public convenience init(url: String) throws(RedisError) { self.init(try Configuration(url: url)) }

    deinit { loop.close() }

    /// Closes the connection. Pending and later commands fail.
    public func close() { loop.close() }

    /// Sends a command.
    ///
    /// - Returns: The reply, which is not an error.
    func send(_ command: RedisCommand) async throws(RedisError) -> RedisReply {
        let reply = try await loop.send(command).get()
        if case .error(let text) = reply { throw error(text) }
        return reply
    }

    /// Creates an error for an error reply, or for a reply of the wrong kind.
    func error(_ reason: String) -> RedisError { RedisError(.reply, configuration.place, reason) }
}

extension RedisClient: CustomStringConvertible {
    /// The server's address, without credentials.
    public var description: String { configuration.place }
}
