internal import Synchronization

/// Keeps the certificates of issuers that were fetched, so that not every handshake fetches them anew.
public final class IssuerCache: Sendable {
    private static let capacity = 256

    // Guards the certificates, by the places that they came from.
    private let places = Mutex<[String: [Certificate]]>([:])

    /// Makes an empty cache.
    public init() {}

    /// Forgets everything.
    public func removeAll() { places.withLock { $0.removeAll() } }

    func certificates(from place: String) -> [Certificate]? { places.withLock { $0[place] } }

    func keep(_ certificates: [Certificate], from place: String) {
        places.withLock { places in
            // Two authorities may name one place: what comes from it is theirs, each with its own signature.
            let kept = (places[place] ?? []).filter { !certificates.contains($0) }.suffix(3)
            if places.count >= Self.capacity { places.removeAll() }
            places[place] = kept + certificates
        }
    }
}
