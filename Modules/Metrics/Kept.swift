internal import Synchronization

/// Values that are made once for each key, and kept.
final class Kept<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    // Guards the values. They are made without it: making them is the back end's work.
    private let values = Mutex<[Key: Value]>([:])

    /// The value for `key`, made if it is the first time. Two threads may both make one at first; one of them is kept.
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
