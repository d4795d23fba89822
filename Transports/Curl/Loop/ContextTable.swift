internal import AirframeTransport

/// The contexts of a transport by their keys: those in use, and a bounded number of idle ones.
struct ContextTable {
    private let limit: Int
    // The most recently used context is last. There are few, and a lookup nearly always finds the last one.
    private(set) var all: [Context] = []
    private var lastNumber: UInt32 = 0

    init(limit: Int) { self.limit = max(1, limit) }

    subscript(number: UInt32) -> Context? { all.last { $0.number == number } }

    /// The earliest instant at which a context has something to do.
    var earliestDeadline: Int64 {
        var earliest = Int64.max
        for context in all where context.dueTime < earliest { earliest = context.dueTime }
        return earliest
    }

    /// Returns the context for `key`, and creates it if there is none.
    ///
    /// - Throws: The reason why the roots or the identity of the key are unusable.
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

    /// Returns the instant at which the first idle context has been idle for `age` nanoseconds; `.max` for never.
    func earliestEviction(after age: Int64) -> Int64 {
        var earliest = Int64.max
        for context in all where context.transferCount == 0 && context.idleSince < earliest {
            earliest = context.idleSince
        }
        let (sum, overflow) = earliest.addingReportingOverflow(age)
        return overflow ? .max : sum
    }

    /// Closes the contexts that have been idle since an instant. libcurl itself closes idle connections only when a
    /// transfer looks for one.
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
