internal import AirframeTransport
internal import Synchronization

/// The identity of a trust evaluation in cache keys.
///
/// A `TrustKey` has a meaning in one process only. The name is therefore random, and responses under it are not written
/// to disk. Cache keys retain the identity, and the identity retains the `TrustKey`: as long as responses are stored
/// under the name, no other evaluation can have an equal key. The name is not used again after that.
final class TrustIdentity: Sendable {
    private struct Reference {
        weak var identity: TrustIdentity?
        let name: String
    }

    // Guards the identities in use, by the hashes of their keys.
    private static let inUse = Mutex<[Int: Reference]>([:])

    /// The name in cache keys.
    let name: String
    private let key: TrustKey
    private let hash: Int

    private init(_ key: TrustKey, _ hash: Int) {
        name = Digest.hexadecimal(.random(in: 0 ... .max)) + Digest.hexadecimal(.random(in: 0 ... .max))
        self.key = key
        self.hash = hash
    }

    deinit {
        let (hash, name) = (hash, name)
        Self.inUse.withLock { inUse in
            if inUse[hash]?.name == name { inUse[hash] = nil }
        }
    }

    /// Returns the identity of the evaluations with `key`.
    ///
    /// Two threads that first use a key at the same time may get two identities. Their requests then do not share
    /// responses.
    static func of(_ key: TrustKey) -> TrustIdentity {
        let hash = key.hashValue
        let known = inUse.withLock { $0[hash]?.identity }
        // Compared without the lock, because the comparison calls the program's code.
        if let known, known.key == key { return known }
        let identity = TrustIdentity(key, hash)
        inUse.withLock { $0[hash] = Reference(identity: identity, name: identity.name) }
        return identity
    }
}
