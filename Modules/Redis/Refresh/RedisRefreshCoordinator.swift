internal import AirframeCache
public import AirframeCore
internal import FoundationEssentials

/// Coordinates a fleet of processes, so that a credential is refreshed once.
///
/// The process that takes the lock of a credential refreshes it and stores the new one; the other processes wait for
/// the new credential. The lock belongs to the credential, so processes with different credentials do not wait for each
/// other. After a failed refresh the next process tries.
///
/// ```swift
/// let interceptor = AuthenticationInterceptor(
///     authenticator: TokenAuthenticator(), credential: credential,
///     coordinator: RedisRefreshCoordinator<TokenCredential>(try RedisClient(url: "redis://state.internal")))
/// ```
///
/// The credential is any `Codable` type of your own. Redis holds credentials in the clear, so its users and its network
/// must be trusted. While Redis fails, each process refreshes for itself.
public struct RedisRefreshCoordinator<Credential: Codable & Sendable>: RefreshCoordinator {
    /// The time for which processes find the new credential by the old one.
    public let retention: Duration
    /// The time for which a process waits for another process's refresh before it refreshes itself.
    public let patience: Duration

    /// The interval at which a process polls for the new credential.
    private static var interval: Duration { .milliseconds(50) }

    private let client: RedisClient
    private let prefix: String
    private let lease: Duration
    private let onFailure: (@Sendable (RedisError) -> Void)?

    /// A new credential and the one that it replaces. The latter detects collisions of keys, which are digests.
    private struct Replacement: Codable {
        let old: Data
        let new: Data
    }

    private enum Turn {
        case replaced(Credential)
        case mine(RedisLock.Lease)
    }

    /// Creates a coordinator.
    ///
    /// - Parameters:
    ///   - client: The connection, which a cache store may share.
    ///   - prefix: The prefix of all keys. Applications with different prefixes can share a database.
    ///   - retention: The time for which processes find the new credential by the old one: at least as long as a
    ///     process may hold an old credential without using it.
    ///   - patience: The time for which a process waits for another process's refresh before it refreshes itself.
    ///   - lease: The time after which the lock of a killed process is free. A longer refresh extends its lease.
    ///   - onFailure: Called when Redis fails and this process refreshes for itself.
    public init(
        _ client: RedisClient,
        prefix: String = "airframe:refresh:",
        retention: Duration = .seconds(3600),
        patience: Duration = .seconds(30),
        lease: Duration = .seconds(10),
        onFailure: (@Sendable (RedisError) -> Void)? = nil
    ) {
        self.client = client
        self.prefix = prefix
        self.retention = retention
        self.patience = patience
        self.lease = lease
        self.onFailure = onFailure
    }

    /// Returns the credential that replaces `credential`: another process's, or the result of `refresh`.
    ///
    /// - Throws: The errors of `refresh`.
    public func replacement(
        for credential: Credential,
        refresh: @escaping @Sendable @concurrent () async throws -> Credential
    ) async throws -> Credential {
        guard let old = try? Self.encoder.encode(credential) else { return try await refresh() }
        let digest = Digest.text(String(decoding: old, as: UTF8.self))
        let lock = RedisLock(client, name: "\(prefix)lock:\(digest)", lease: lease)
        let key = "\(prefix)credential:\(digest)"
        let turn: Turn
        do throws(RedisError) {
            turn = try await self.turn(lock, key, old)
        } catch {
            onFailure?(error)
            return try await refresh()
        }
        switch turn {
        case .replaced(let credential): return credential
        case .mine(let lease):
            let result: Result<Credential, any Error>
            do {
                result = .success(try await extending(lease, of: lock, refresh))
            } catch {
                result = .failure(error)
            }
            do throws(RedisError) {
                if case .success(let new) = result { try await store(new, key, old) }
                try await lock.release(lease)
            } catch {
                onFailure?(error)
            }
            return try result.get()
        }
    }

    /// Waits until the credential is replaced, or its lock is free.
    private func turn(_ lock: RedisLock, _ key: String, _ old: Data) async throws(RedisError) -> Turn {
        let limit = ContinuousClock.now.advanced(by: patience)
        while true {
            if let credential = try await replacement(key, old) { return .replaced(credential) }
            if let lease = try await lock.acquire() {
                // The last holder stores the credential before it frees the lock.
                guard let credential = try await replacement(key, old) else { return .mine(lease) }
                try await lock.release(lease)
                return .replaced(credential)
            }
            guard .now < limit else {
                throw RedisError(.timeout, client.description, "another process's refresh took longer than \(patience)")
            }
            do {
                try await Task.sleep(for: Self.interval)
            } catch {
                throw RedisError(.cancelled, client.description, "the task was cancelled")
            }
        }
    }

    /// Runs `refresh`, and extends the lock until it ends.
    private func extending(
        _ lease: RedisLock.Lease,
        of lock: RedisLock,
        _ refresh: @escaping @Sendable @concurrent () async throws -> Credential
    ) async throws -> Credential {
        let keeper = Task {
            while true {
                try await Task.sleep(for: self.lease / 3)
                // A lost lock is not taken again while the refresh runs, because another process may hold it. A command
                // that fails is sent again: the lease has two thirds of its time left.
                if let isHeld = try? await lock.extend(lease), !isHeld { return }
            }
        }
        defer { keeper.cancel() }
        return try await refresh()
    }

    private func replacement(_ key: String, _ old: Data) async throws(RedisError) -> Credential? {
        guard let data = try await client.send(RedisCommand("GET", key)).data,
            let stored = try? JSONDecoder().decode(Replacement.self, from: data), stored.old == old
        else { return nil }
        return try? JSONDecoder().decode(Credential.self, from: stored.new)
    }

    private func store(_ credential: Credential, _ key: String, _ old: Data) async throws(RedisError) {
        guard let new = try? Self.encoder.encode(credential),
            let data = try? JSONEncoder().encode(Replacement(old: old, new: new))
        else { return }
        let milliseconds = max(1, Int(min(retention / .milliseconds(1), 1e12)))
        _ = try await client.send(RedisCommand("SET", key, data, "PX", milliseconds))
    }

    /// Equal credentials have equal encodings.
    private static var encoder: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return encoder
    }
}
