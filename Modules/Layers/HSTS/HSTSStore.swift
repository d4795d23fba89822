public import FoundationEssentials
internal import Synchronization

/// A store of HSTS policies, learned or preloaded (RFC 6797).
///
/// Sessions whose configurations name the same store share it. A store opened on a file persists its policies there;
/// several processes may share the file.
public final class HSTSStore: Sendable {
    /// The store of default configurations, in memory.
    public static let shared = HSTSStore()

    /// The maximum number of learned policies. Beyond it, the policies that expire first are dropped.
    public let limit: Int

    // Guards the policies.
    private let table = Mutex(PolicyTable())
    /// The number of policies, so that a request need not take the lock while there is none.
    private let count = Atomic(0)
    private let saver: StateSaver?

    private struct PolicyTable: Sendable {
        var learned: [String: HSTSPolicy] = [:]
        var preloaded: [String: HSTSPolicy] = [:]
        /// The changes that the file lacks: a policy, or `nil` for a host to remove.
        var unsaved: [String: HSTSPolicy?] = [:]
    }

    /// Creates a store in memory.
    ///
    /// - Parameter limit: The maximum number of learned policies.
    public init(limit: Int = 10_000) {
        self.limit = limit
        saver = nil
    }

    /// Opens a store on a file, which need not exist. The store writes changes after a short delay; ``save()`` writes
    /// them immediately.
    ///
    /// - Parameters:
    ///   - file: The path of the file.
    ///   - limit: The maximum number of learned policies.
    /// - Throws: ``StateFileError`` if the file cannot be read or has a newer version.
    public init(file: String, limit: Int = 10_000) throws {
        self.limit = limit
        let saver = StateSaver(LockedFile(path: file))
        self.saver = saver
        let policies = try Self.policies(in: saver.file.read(), of: file)
        change { $0.learned = policies }
    }

    deinit { try? save() }

    /// Whether the store has no policies.
    public var isEmpty: Bool { count.load(ordering: .relaxed) == 0 }

    /// Changes the policies.
    private func change<Value: Sendable>(_ body: (inout PolicyTable) -> Value) -> Value {
        table.withLock { table in
            defer { count.store(table.learned.count + table.preloaded.count, ordering: .relaxed) }
            return body(&table)
        }
    }

    /// The learned policies, by host.
    public var policies: [HSTSPolicy] {
        table.withLock { Array($0.learned.values) }.sorted { $0.host < $1.host }
    }

    /// Returns whether `host` must be reached by `https`: it has a policy, or a parent domain has one that includes
    /// subdomains (RFC 6797 §8.2).
    ///
    /// - Parameters:
    ///   - host: The host. IP addresses never have policies.
    ///   - date: The current date.
    public func requiresHTTPS(_ host: String, at date: Date = Date()) -> Bool {
        let host = HostName.canonical(host)
        guard !HostName.isAddress(host) else { return false }
        return table.withLock { table in
            for name in HostName.withAncestors(host) {
                let key = String(name)
                for policy in [table.learned[key], table.preloaded[key]] {
                    guard let policy, policy.isCurrent(at: date) else { continue }
                    if policy.includesSubdomains || name.utf8.count == host.utf8.count { return true }
                }
            }
            return false
        }
    }

    /// Stores the policy of a `Strict-Transport-Security` field. The caller must have checked that the field was
    /// received from `host` over TLS without errors.
    ///
    /// - Parameters:
    ///   - field: The field's value. A malformed one is ignored.
    ///   - host: The host that sent it. An IP address is ignored (RFC 6797 §8.1.1).
    ///   - date: The date on which it was received.
    public func learn(_ field: String, from host: String, at date: Date = Date()) {
        let host = HostName.canonical(host)
        guard !HostName.isAddress(host), !host.isEmpty, let field = HSTSField(field) else { return }
        guard field.maximumAge > 0 else { return forget(host) }
        insert(
            HSTSPolicy(
                host: host,
                includesSubdomains: field.includesSubdomains,
                expires: date.addingTimeInterval(Double(field.maximumAge))
            ),
            at: date
        )
    }

    /// Adds or replaces the policy of a host.
    public func insert(_ policy: HSTSPolicy) { insert(policy, at: Date()) }

    private func insert(_ policy: HSTSPolicy, at date: Date) {
        let limit = limit
        change { table in
            table.learned[policy.host] = policy
            table.unsaved[policy.host] = .some(policy)
            guard table.learned.count > limit else { return }
            let ends = table.learned.values.sorted { ($0.expires ?? .distantFuture) < ($1.expires ?? .distantFuture) }
            // A tenth at a time, so that a store at its limit does not sort for every host.
            for old in ends.prefix(max(1, limit / 10)) where old.host != policy.host {
                table.learned[old.host] = nil
                table.unsaved[old.host] = .some(nil)
            }
        }
        scheduleSave()
    }

    /// Removes the learned policy of a host. A preloaded policy stays.
    public func forget(_ host: String) {
        let host = HostName.canonical(host)
        let isNews = change { table in
            guard table.learned.removeValue(forKey: host) != nil else { return false }
            table.unsaved[host] = .some(nil)
            return true
        }
        if isNews { scheduleSave() }
    }

    /// Replaces the preloaded policies, which do not expire.
    func preload(_ policies: [HSTSPolicy]) {
        let preloaded = Dictionary(policies.map { ($0.host, $0) }) { $1 }
        change { $0.preloaded = preloaded }
    }
}

extension HSTSStore {
    private struct File: Codable {
        var version = 1
        var policies: [HSTSPolicy]
    }

    /// Writes unsaved changes to the file, and adds the policies that other processes wrote.
    ///
    /// - Throws: ``StateFileError`` if the file cannot be locked, read or written. The changes stay unsaved, and the
    ///   next save retries.
    public func save() throws {
        guard let saver else { return }
        try saver.alone { try save(to: saver.file) }
    }

    private func save(to file: LockedFile) throws {
        let unsaved = table.withLock { table in
            defer { table.unsaved = [:] }
            return table.unsaved
        }
        guard !unsaved.isEmpty else { return }
        do {
            var merged: [String: HSTSPolicy] = [:]
            try file.update { content in
                merged = try Self.policies(in: content, of: file.path)
                for (host, policy) in unsaved { merged[host] = policy }
                let now = Date()
                merged = merged.filter { $0.value.isCurrent(at: now) }
                return try JSONEncoder().encode(File(policies: merged.values.sorted { $0.host < $1.host }))
            }
            change { table in
                for (host, policy) in table.unsaved { merged[host] = policy }
                table.learned = merged
            }
        } catch {
            table.withLock { $0.unsaved = unsaved.merging($0.unsaved) { $1 } }
            throw error
        }
    }

    private func scheduleSave() {
        saver?.schedule { [weak self] in try self?.save() }
    }

    private static func policies(in content: Data?, of path: String) throws -> [String: HSTSPolicy] {
        guard let content, !content.isEmpty else { return [:] }
        guard let file = try? JSONDecoder().decode(File.self, from: content) else {
            throw StateFileError(path: path, action: "read", reason: "it is not a file of HSTS policies")
        }
        guard file.version == 1 else {
            throw StateFileError(path: path, action: "read", reason: "version \(file.version) is newer than 1")
        }
        return Dictionary(file.policies.map { ($0.host, $0) }) { $1 }
    }
}
