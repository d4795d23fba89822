/// The order in which entries are evicted: a segmented LRU list.
///
/// A new entry is on probation; a second use protects it. Entries on probation are evicted first, so that a scan of
/// many resources, each used once, does not displace resources that are used repeatedly.
struct SegmentedLRU<Key: Hashable & Sendable>: Sendable {
    private struct Node {
        var cost: Int
        var isProtected = false
        var newer: Key?
        var older: Key?
    }

    private struct Segment {
        var newest: Key?
        var oldest: Key?
        var cost = 0
    }

    private var nodes: [Key: Node] = [:]
    private var probation = Segment()
    private var protected = Segment()
    /// The cost of all entries.
    var cost: Int { probation.cost + protected.cost }
    var count: Int { nodes.count }

    /// Adds an entry, or changes its cost.
    mutating func insert(_ key: Key, cost: Int) {
        let wasProtected = nodes[key]?.isProtected ?? false
        remove(key)
        link(key, cost: cost, isProtected: wasProtected)
    }

    /// Records a use.
    ///
    /// - Parameter protectedLimit: The maximum cost of protected entries; beyond it the least recently used ones return
    ///   to probation.
    mutating func touch(_ key: Key, protectedLimit: Int) {
        if protected.newest == key { return }
        guard let node = nodes[key] else { return }
        remove(key)
        link(key, cost: node.cost, isProtected: true)
        while protected.cost > protectedLimit, let oldest = protected.oldest, oldest != key, let old = nodes[oldest] {
            remove(oldest)
            link(oldest, cost: old.cost, isProtected: false)
        }
    }

    /// Removes an entry.
    mutating func remove(_ key: Key) {
        guard let node = nodes.removeValue(forKey: key) else { return }
        if let newer = node.newer { nodes[newer]?.older = node.older }
        if let older = node.older { nodes[older]?.newer = node.newer }
        change(node.isProtected) { segment in
            if segment.newest == key { segment.newest = node.older }
            if segment.oldest == key { segment.oldest = node.newer }
            segment.cost -= node.cost
        }
    }

    /// Removes and returns the next entry to evict.
    mutating func evict() -> Key? {
        guard let victim = probation.oldest ?? protected.oldest else { return nil }
        remove(victim)
        return victim
    }

    private mutating func link(_ key: Key, cost: Int, isProtected: Bool) {
        var node = Node(cost: cost, isProtected: isProtected)
        let newest = isProtected ? protected.newest : probation.newest
        node.older = newest
        if let newest { nodes[newest]?.newer = key }
        nodes[key] = node
        change(isProtected) { segment in
            segment.newest = key
            if segment.oldest == nil { segment.oldest = key }
            segment.cost += cost
        }
    }

    private mutating func change(_ isProtected: Bool, _ body: (inout Segment) -> Void) {
        if isProtected { body(&protected) } else { body(&probation) }
    }
}
