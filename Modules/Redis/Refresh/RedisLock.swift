internal import FoundationEssentials

/// A lock that processes share. The process that sets a key holds the lock until it removes the key, or until the lease
/// ends.
///
/// The lease frees the lock of a killed process. A holder that is suspended for longer than its lease loses the lock
/// without notice, so use the lock to save work and not to protect data.
public struct RedisLock: Sendable {
    /// A lock that is held.
    public struct Lease: Sendable {
        /// Identifies this holder.
        let token: String
    }

    /// The key.
    public let name: String
    /// The time for which the lock is held unless it is extended.
    public let lease: Duration

    private let client: RedisClient

    /// Describes a lock.
    ///
    /// - Parameters:
    ///   - client: The connection.
    ///   - name: The key.
    ///   - lease: The time for which the lock is held unless it is extended.
    public init(_ client: RedisClient, name: String, lease: Duration = .seconds(10)) {
        self.client = client
        self.name = name
        self.lease = lease
    }

    /// Takes the lock if it is free.
    ///
    /// - Returns: `nil` if another holder has it.
    /// - Throws: ``RedisError`` if the server does not answer.
    public func acquire() async throws(RedisError) -> Lease? {
        let token = UUID().uuidString
        let reply = try await client.send(RedisCommand("SET", name, token, "NX", "PX", milliseconds))
        return reply == .null ? nil : Lease(token: token)
    }

    /// Renews the lease.
    ///
    /// - Returns: Whether the lock is still this holder's.
    /// - Throws: ``RedisError`` when the server does not answer.
    public func extend(_ lease: Lease) async throws(RedisError) -> Bool {
        let script =
            "if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end "
            + "return redis.call('PEXPIRE', KEYS[1], ARGV[2])"
        return try await client.send(.script(script, keys: [name], lease.token, milliseconds)).integer == 1
    }

    /// Releases the lock if it is still this holder's.
    ///
    /// - Throws: ``RedisError`` if the server does not answer. The lock is then free when the lease ends.
    public func release(_ lease: Lease) async throws(RedisError) {
        let script = "if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end"
        _ = try await client.send(.script(script, keys: [name], lease.token))
    }

    private var milliseconds: Int { max(1, Int(min(lease / .milliseconds(1), 1e12))) }
}
