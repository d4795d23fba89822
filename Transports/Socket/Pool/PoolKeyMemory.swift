internal import AirframeTransport
internal import Synchronization

/// The pool key of the last request to a destination, for requests whose key depends only on their options.
///
/// Deriving a key from options copies, hashes and compares some thirty strings, arrays and enums. Requests of one
/// session share their options, so that comparing one reference finds the key again.
final class PoolKeyMemory: Sendable {
    private struct Entry {
        let options: TransportOptions
        let variant: PoolKey.VariantBox?
    }

    // Guards the entry.
    private let entry = Mutex<Entry?>(nil)

    /// Returns the key for `options`, if they are the same object as at the last ``keep(_:for:)``.
    func key(of destination: Destination, for options: TransportOptions) -> PoolKey? {
        entry.withLock { entry in
            guard let entry, entry.options.isIdentical(to: options) else { return nil }
            return PoolKey(destination: destination, box: entry.variant)
        }
    }

    /// Stores the key of a request with `options`.
    func keep(_ key: PoolKey, for options: TransportOptions) {
        entry.withLock { $0 = Entry(options: options, variant: key.box) }
    }
}
