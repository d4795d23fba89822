public import AirframeCache
public import FoundationEssentials

/// Stored responses in Redis, shared by processes on any number of machines.
///
/// Each resource has two hashes: one of heads by variant, which includes contents up to 16 KiB, and one of larger
/// contents. Scripts change both atomically. Both expire when the responses have been stale for ``staleRetention``, and
/// the server may evict them earlier (`maxmemory-policy allkeys-lru`).
///
/// ```swift
/// let store = RedisCacheStore(try RedisClient(url: "redis://cache.internal"))
/// configuration.layers.replace(.cache) { CacheLayer($0, store: store) }
/// ```
///
/// A server that cannot be reached is a miss; the decision `cacheFailed` has the reason.
public final class RedisCacheStore: CacheStore {
    /// The maximum length, in bytes, of content that is stored together with its head, which saves a round trip.
    static let embeddedLimit = 16 << 10

    /// The connection.
    public let client: RedisClient
    /// The prefix of all keys.
    public let prefix: String
    /// The largest content that is stored, in bytes.
    public let maximumContentLength: Int64
    /// The time for which a stale response is kept, to be validated, or served when the server fails.
    public let staleRetention: Duration

    /// Creates a store.
    ///
    /// - Parameters:
    ///   - client: The connection, which locks may share.
    ///   - prefix: The prefix of all keys. Caches with different prefixes can share a database.
    ///   - maximumContentLength: The largest content that is stored, in bytes. Content is collected in memory before it
    ///     is sent.
    ///   - staleRetention: The time for which a stale response is kept.
    public init(
        _ client: RedisClient,
        prefix: String = "airframe:cache:",
        maximumContentLength: Int64 = 4 << 20,
        staleRetention: Duration = .seconds(86_400)
    ) {
        self.client = client
        self.prefix = prefix
        self.maximumContentLength = maximumContentLength
        self.staleRetention = staleRetention
    }

    /// Returns all responses stored under `key`.
    ///
    /// - Throws: ``CacheStoreError`` if the server cannot be reached, does not answer in time, or refuses the command.
    public func entries(for key: CacheKey) async throws(CacheStoreError) -> [CacheEntry] {
        let reply = try await run("read", RedisCommand("HVALS", headsKey(key)))
        return (reply.elements ?? []).compactMap { element in
            guard let entry = element.data.flatMap(Self.entry), entry.key == key else { return nil }
            return entry
        }
    }

    /// Returns the content of a stored response, or `nil` if it is no longer stored.
    ///
    /// - Throws: ``CacheStoreError`` if the server cannot be reached, does not answer in time, or refuses the command.
    public func content(of entry: CacheEntry) async throws(CacheStoreError) -> CacheContent? {
        if let content = entry.content { return .data(content) }
        let field = Self.name(entry.identifier)
        guard let content = try await run("read", RedisCommand("HGET", contentsKey(entry.key), field)).data,
            Int64(content.count) == entry.contentLength
        else { return nil }
        return .data(content)
    }

    /// Begins to store a response; `nil` for content longer than ``maximumContentLength``. Throws no error.
    public func writer(
        for entry: CacheEntry,
        expectedLength: Int64?
    ) async throws(CacheStoreError) -> (any CacheWriter)? {
        guard expectedLength ?? 0 <= maximumContentLength, !entry.isMemoryOnly else { return nil }
        return RedisCacheWriter(self)
    }

    /// Replaces the head of a stored response.
    ///
    /// - Throws: ``CacheStoreError`` if the server cannot be reached, does not answer in time, or refuses the command.
    public func update(_ entry: CacheEntry) async throws(CacheStoreError) {
        _ = try await run(
            "write",
            .script(
                RedisCacheScript.update, keys: keys(entry.key), Self.field(entry), Self.name(entry.identifier),
                Self.value(entry), milliseconds(entry)))
    }

    /// Removes one response.
    ///
    /// - Throws: ``CacheStoreError`` if the server cannot be reached, does not answer in time, or refuses the command.
    public func remove(_ entry: CacheEntry) async throws(CacheStoreError) {
        _ = try await run(
            "remove",
            .script(
                RedisCacheScript.remove, keys: keys(entry.key), Self.field(entry), Self.name(entry.identifier)))
    }

    /// Removes all responses under `key`.
    ///
    /// - Throws: ``CacheStoreError`` if the server cannot be reached, does not answer in time, or refuses the command.
    public func removeAll(for key: CacheKey) async throws(CacheStoreError) {
        _ = try await run("remove", RedisCommand("UNLINK", headsKey(key), contentsKey(key)))
    }

    /// Removes the responses that were received at `date` or later; all of them for `nil`. Scans every key of the
    /// database.
    ///
    /// - Throws: ``CacheStoreError`` if the server cannot be reached, does not answer in time, or refuses the command.
    public func removeAll(since date: Date?) async throws(CacheStoreError) {
        var cursor = "0"
        repeat {
            let pattern = Self.escaped(prefix) + (date == nil ? "*" : "heads:*")
            let reply = try await run("remove", RedisCommand("SCAN", cursor, "MATCH", pattern, "COUNT", 500))
            guard let parts = reply.elements, parts.count == 2, let next = parts[0].text else {
                throw error("remove", "SCAN returned a reply other than a cursor and keys")
            }
            let found = (parts[1].elements ?? []).compactMap(\.text)
            if let date {
                for key in found { try await removeEntries(in: key, since: date) }
            } else if !found.isEmpty {
                _ = try await run("remove", RedisCommand(["UNLINK"] + found))
            }
            cursor = next
        } while cursor != "0"
    }

    private func removeEntries(in key: String, since date: Date) async throws(CacheStoreError) {
        let reply = try await run("read", RedisCommand("HVALS", key))
        for entry in (reply.elements ?? []).compactMap({ $0.data.flatMap(Self.entry) })
        where entry.responseTime >= date {
            try await remove(entry)
        }
    }
}

// MARK: Writing

extension RedisCacheStore {
    /// Stores a response with its content. It replaces one with the same variant.
    func insert(_ entry: CacheEntry, _ content: Data) async throws(CacheStoreError) {
        var entry = entry
        entry.content = content.count <= Self.embeddedLimit ? content : nil
        let apart = entry.content == nil ? content : Data()
        _ = try await run(
            "write",
            .script(
                RedisCacheScript.insert, keys: keys(entry.key), entry.variant.identifier, entry.part == nil ? 0 : 1,
                Self.name(entry.identifier), Self.value(entry), milliseconds(entry), apart))
    }

    func error(_ action: String, _ reason: String) -> CacheStoreError {
        CacheStoreError(action: action, place: client.description, reason: reason)
    }

    private func run(_ action: String, _ command: RedisCommand) async throws(CacheStoreError) -> RedisReply {
        do throws(RedisError) {
            return try await client.send(command)
        } catch {
            throw self.error(action, error.reason)
        }
    }

    /// The time for which the response is kept, from now.
    private func milliseconds(_ entry: CacheEntry) -> Int {
        let fresh = max(0, entry.freshnessLifetime - entry.age(at: Date()))
        // Ten years at most: Redis refuses times beyond its clock.
        return Int(min((fresh + staleRetention / .seconds(1)) * 1000, 3.2e11).rounded(.up))
    }
}

// MARK: Names

extension RedisCacheStore {
    // Braces keep both keys of a resource in one slot of a cluster.
    private func headsKey(_ key: CacheKey) -> String { "\(prefix)heads:{\(key.uri)}" }

    private func contentsKey(_ key: CacheKey) -> String { "\(prefix)contents:{\(key.uri)}" }

    private func keys(_ key: CacheKey) -> [String] { [headsKey(key), contentsKey(key)] }

    /// A response's field in the hash of heads. A part has a field in addition to that of the complete response.
    private static func field(_ entry: CacheEntry) -> String {
        entry.variant.identifier + (entry.part == nil ? "" : RedisCacheScript.partSuffix)
    }

    /// An identifier of fixed length, which scripts read from the start of a value.
    private static func name(_ identifier: UInt64) -> String {
        let digits = String(identifier, radix: 16)
        return String(repeating: "0", count: RedisCacheScript.nameLength - digits.count) + digits
    }

    private static func value(_ entry: CacheEntry) -> Data { Data(name(entry.identifier).utf8) + entry.encoded() }

    private static func entry(_ value: Data) -> CacheEntry? {
        CacheEntry(encoded: Data(value.dropFirst(RedisCacheScript.nameLength)))
    }

    /// Escapes the special characters of a pattern.
    private static func escaped(_ text: String) -> String {
        text.map { "*?[]\\".contains($0) ? "\\\($0)" : "\($0)" }.joined()
    }
}
