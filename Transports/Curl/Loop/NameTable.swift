/// The names that are being looked up for transfers of one transport.
///
/// libcurl 7.88 starts a thread for each lookup, and waits for the thread when a transfer is cancelled. The engine
/// therefore resolves names itself. If a transfer needs a name that is not in libcurl's cache, it is removed from
/// libcurl until the transport's resolver has answered, and added again with the addresses. Requests over kept
/// connections never wait for a name.
struct NameTable {
    private struct Entry {
        let lookup: NameLookup
        var waiting: [ExchangeID]
    }

    private var entries: [String: Entry] = [:]
    /// The addresses that libcurl was last given for a name, in its order.
    private var given: [String: [String]] = [:]

    private static let capacity = 1024

    /// Adds a transfer to the waiters for the addresses of `host`.
    ///
    /// - Returns: A lookup to start, or `nil` if one is running.
    mutating func wait(for host: String, _ exchange: ExchangeID) -> NameLookup? {
        if var entry = entries[host] {
            if !entry.waiting.contains(exchange) { entry.waiting.append(exchange) }
            entries[host] = entry
            return nil
        }
        let lookup = NameLookup(host: host)
        entries[host] = Entry(lookup: lookup, waiting: [exchange])
        return lookup
    }

    /// Removes a lookup that has ended. Returns the transfers that wait for it.
    mutating func finish(_ lookup: NameLookup) -> [ExchangeID] {
        guard let entry = entries[lookup.host], entry.lookup === lookup else { return [] }
        entries[lookup.host] = nil
        return entry.waiting
    }

    /// Removes a transfer from the waiters. The last one cancels the lookup.
    mutating func leave(_ host: String, _ exchange: ExchangeID) {
        guard var entry = entries[host] else { return }
        entry.waiting.removeAll { $0 == exchange }
        if entry.waiting.isEmpty { entry.lookup.cancel() }
        entries[host] = entry.waiting.isEmpty ? nil : entry
    }

    /// Records the addresses that libcurl is given.
    mutating func note(_ addresses: [String], of host: String) {
        if given.count >= Self.capacity { given.removeAll() }
        given[host] = addresses
    }

    /// The addresses that libcurl was last given for `host`.
    func addresses(of host: String) -> [String] { given[host] ?? [] }
}
