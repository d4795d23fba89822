internal import Synchronization

/// The meters of one name, created once for each set of labels.
final class MeterCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    // Guards the values. They are created without the lock, because the back end does the work.
    private let values = Mutex<[Key: Value]>([:])

    /// Returns the value for `key`, and creates it on first use. If two threads create one, the first to finish wins.
    func value(for key: Key, make: () -> Value) -> Value {
        if let known = values.withLock({ $0[key] }) { return known }
        let made = make()
        return values.withLock { values in
            if let known = values[key] { return known }
            values[key] = made
            return made
        }
    }
}
