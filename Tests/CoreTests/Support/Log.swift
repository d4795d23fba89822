import Synchronization

/// A thread-safe list of values in the order of arrival.
final class Log<Value: Sendable>: Sendable {
    // Guards the values.
    private let recorded = Mutex<[Value]>([])

    var values: [Value] { recorded.withLock { $0 } }

    func append(_ value: Value) { recorded.withLock { $0.append(value) } }
}

/// A thread-safe counter.
final class Counter: Sendable {
    private let count = Atomic<Int>(0)

    var value: Int { count.load(ordering: .acquiring) }

    /// Increments the counter. Returns its value, from 1 on.
    @discardableResult
    func next() -> Int { count.wrappingAdd(1, ordering: .acquiringAndReleasing).newValue }
}
