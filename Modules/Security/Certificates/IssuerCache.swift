internal import Synchronization

/// A cache of fetched issuer certificates, so that a handshake need not fetch them again.
public final class IssuerCache: Sendable {
    private static let capacity = 256

    // Guards the certificates, which are keyed by their URLs.
    private let places = Mutex<[String: [Certificate]]>([:])

    /// Creates an empty cache.
    public init() {}

    /// Removes all certificates.
    public func removeAll() { places.withLock { $0.removeAll() } }

    func certificates(from place: String) -> [Certificate]? { places.withLock { $0[place] } }

    func keep(_ certificates: [Certificate], from place: String) {
        places.withLock { places in
            // Two authorities may name one URL. Each of their certificates is kept.
            let kept = (places[place] ?? []).filter { !certificates.contains($0) }.suffix(3)
            if places.count >= Self.capacity { places.removeAll() }
            places[place] = kept + certificates
        }
    }
}
