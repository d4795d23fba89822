internal import AirframeTransport

/// The contexts of a transport, by their keys; those in use, and a bounded number of others.
struct ContextTable {
    private let limit: Int
    // The one that was used last is last. Few in number, and the last one is nearly always the one that is sought.
    private(set) var all: [Context] = []
    private var lastNumber: UInt32 = 0

    init(limit: Int) { self.limit = max(1, limit) }

    subscript(number: UInt32) -> Context? { all.last { $0.number == number } }

    /// When the first of them wants to be called.
    var earliestDeadline: Int64 {
        var earliest = Int64.max
        for context in all where context.dueTime < earliest { earliest = context.dueTime }
        return earliest
    }

    /// The context for `key`, made when there is none.
    ///
    /// - Throws: What makes the roots or the identity of the key unusable.
    mutating func context(for key: ContextKey, engine: Engine) throws(TransportError) -> Context {
        if let last = all.last, last.key == key { return last }
        if let index = all.lastIndex(where: { $0.key == key }) {
            let context = all.remove(at: index)
            all.append(context)
            return context
        }
        lastNumber += 1
        let context = try Context(number: lastNumber, key: key, engine: engine)
        while all.count >= limit, let idle = all.firstIndex(where: { $0.transferCount == 0 }) {
            all.remove(at: idle).close()
        }
        all.append(context)
        return context
    }

    /// When the first of the contexts without transfers has been so for `age` nanoseconds; `.max` for never.
    func earliestEviction(after age: Int64) -> Int64 {
        var earliest = Int64.max
        for context in all where context.transferCount == 0 && context.idleSince < earliest {
            earliest = context.idleSince
        }
        let (sum, overflow) = earliest.addingReportingOverflow(age)
        return overflow ? .max : sum
    }

    /// Closes the connections of the contexts that have been without transfers since an instant: libcurl itself
    /// closes an idle connection only when it looks for one.
    mutating func evictIdle(since instant: Int64) {
        while let index = all.firstIndex(where: { $0.transferCount == 0 && $0.idleSince <= instant }) {
            all.remove(at: index).close()
        }
    }

    /// Closes all connections of all contexts.
    mutating func removeAll() {
        for context in all { context.close() }
        all = []
    }
}
