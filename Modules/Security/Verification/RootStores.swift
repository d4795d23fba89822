internal import AirframeOpenSSL
internal import AirframeTransport
internal import Synchronization

/// Stores of roots, kept: an evaluator has the same ones at each handshake, and reading a bundle takes 17 ms.
final class RootStores: Sendable {
    static let shared = RootStores()

    private static let capacity = 16

    // Guards the stores.
    private let stores = Mutex<[TrustRoots: TrustStore]>([:])

    /// - Throws: What makes the roots unusable. A file is read anew when it could not be read before.
    func store(for roots: TrustRoots) throws(TransportError) -> TrustStore {
        if let known = stores.withLock({ $0[roots] }) { return known }
        let made = try TrustStore.store(for: roots)
        // A file may change while the process runs.
        if case .pemFile = roots { return made }
        return stores.withLock { stores in
            if stores.count >= Self.capacity { stores.removeAll() }
            stores[roots] = made
            return made
        }
    }
}
