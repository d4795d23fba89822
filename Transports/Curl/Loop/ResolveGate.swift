/// Lets one transfer look a name up while others for the same name wait for what it finds.
///
/// libcurl starts a thread for each lookup, also when a thousand transfers ask for one name at once. The first to come
/// leads; when it has an address it is in libcurl's cache, and the rest find it there.
struct ResolveGate {
    /// A name as one context sees it: each context has a cache of its own.
    struct Name: Hashable {
        let context: UInt32
        let host: String
    }

    private struct Lookup {
        let leader: ExchangeID
        var waiting: [ExchangeID] = []
    }

    private var lookups: [Name: Lookup] = [:]
    /// Until when a name is in libcurl's cache, in nanoseconds.
    private var known: [Name: Int64] = [:]

    // libcurl keeps a name for 60 s; a little less, so that nobody counts on one that has just been forgotten.
    private static let lifetime: Int64 = 50_000_000_000

    /// Whether a transfer may go on; if not, it is named when it may.
    mutating func enter(_ name: Name, _ exchange: ExchangeID, now: Int64) -> Bool {
        if let until = known[name] {
            if now < until { return true }
            known[name] = nil
        }
        guard lookups[name] == nil else {
            lookups[name]?.waiting.append(exchange)
            return false
        }
        lookups[name] = Lookup(leader: exchange)
        return true
    }

    /// The leader has found an address. Returns those who may go on.
    mutating func resolved(_ name: Name, by exchange: ExchangeID, now: Int64) -> [ExchangeID] {
        guard let lookup = lookups[name], lookup.leader == exchange else { return [] }
        lookups[name] = nil
        if known.count >= 1000 { known = known.filter { $0.value > now } }
        known[name] = now + Self.lifetime
        return lookup.waiting
    }

    /// The leader has learnt that there is no address. Returns those for whom that is true as well.
    mutating func failed(_ name: Name, by exchange: ExchangeID) -> [ExchangeID] {
        guard let lookup = lookups[name], lookup.leader == exchange else { return [] }
        lookups[name] = nil
        return lookup.waiting
    }

    /// A transfer is over, whether it led or waited. Returns who leads from now on.
    mutating func leave(_ name: Name, _ exchange: ExchangeID) -> ExchangeID? {
        guard var lookup = lookups[name] else { return nil }
        guard lookup.leader == exchange else {
            lookup.waiting.removeAll { $0 == exchange }
            lookups[name] = lookup
            return nil
        }
        guard let next = lookup.waiting.first else {
            lookups[name] = nil
            return nil
        }
        lookups[name] = Lookup(leader: next, waiting: Array(lookup.waiting.dropFirst()))
        return next
    }
}
