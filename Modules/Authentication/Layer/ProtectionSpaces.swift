internal import AirframeTransport
internal import HTTPTypes
internal import Synchronization

/// The protection spaces that a layer knows, for preemptive authentication, and the use counts of nonces.
///
/// A class, because the requests of a layer share it. It holds a bounded number of spaces and nonces; the least
/// recently used ones are dropped first.
final class ProtectionSpaces: Sendable {
    /// One use of a nonce.
    struct NonceUse {
        /// 1 for the first use (RFC 7616 §3.4, `nc`).
        let count: UInt32
        /// The client nonce of this use.
        let clientNonce: String
        /// The client nonce of the first use.
        let firstClientNonce: String
    }

    private struct Nonce {
        var count: UInt32 = 0
        let clientNonce: String
        var lastUse: UInt64
    }

    private struct NonceKey: Hashable {
        let origin: Origin
        let nonce: String
    }

    private struct Entry {
        var space: ProtectionSpace
        var lastUse: UInt64
    }

    private struct Known {
        var spaces: [Origin: [Entry]] = [:]
        var nonces: [NonceKey: Nonce] = [:]
        var uses: UInt64 = 0
    }

    private static let limit = 256

    // Guards the spaces and the counts of their nonces.
    private let known = Mutex(Known())
    private let isUnused = Atomic(true)

    /// Whether no space is known, read without the lock.
    var isEmpty: Bool { isUnused.load(ordering: .acquiring) }

    /// The space for which `round`'s request is authenticated preemptively; `nil` if there is none, its credential is
    /// missing, or the request has its own `Authorization`.
    func space(for round: AuthenticationRound) -> ProtectionSpace? {
        guard !isEmpty, !round.hasForeignAuthorization else { return nil }
        let path = round.request.head.sentTarget
        return known.withLock { known in
            let entries = known.spaces[round.origin] ?? []
            let reached = entries.indices.compactMap { index in
                entries[index].space.reach(to: path).map { (index, $0) }
            }
            guard let (index, _) = reached.max(by: { $0.1 < $1.1 }) else { return nil }
            let space = entries[index].space
            guard let credential = round.own ?? (round.mayShare ? space.credential : nil), space.canCarry(credential)
            else { return nil }
            known.uses += 1
            known.spaces[round.origin]?[index].lastUse = known.uses
            return space
        }
    }

    /// The credential that is stored for all requests to `space`. A credential that was used with Digest is not sent
    /// with Basic, which would disclose the password.
    func sharedCredential(for space: ProtectionSpace) -> HTTPCredential? {
        known.withLock { known in
            let entries = known.spaces[space.origin] ?? []
            return entries.first {
                $0.space.realm == space.realm && $0.space.credential != nil
                    && ($0.space.scheme == .basic || space.scheme != .basic)
            }?.space.credential
        }
    }

    /// Stores a space whose answer was accepted.
    func remember(_ space: ProtectionSpace, _ credential: HTTPCredential) {
        isUnused.store(false, ordering: .releasing)
        known.withLock { known in
            known.uses += 1
            var entries = known.spaces[space.origin] ?? []
            var space = space
            if let index = entries.firstIndex(where: { $0.space.isSame(as: space) }) {
                space.credential = credential.isShared ? credential : entries[index].space.credential
                entries[index] = Entry(space: space, lastUse: known.uses)
            } else {
                space.credential = credential.isShared ? credential : nil
                entries.append(Entry(space: space, lastUse: known.uses))
            }
            known.spaces[space.origin] = entries
            Self.trim(&known)
        }
    }

    /// Removes the credential of a space that rejected it.
    func forget(_ space: ProtectionSpace, _ credential: HTTPCredential) {
        known.withLock { known in
            known.spaces[space.origin]?.removeAll {
                $0.space.realm == space.realm && ($0.space.credential ?? credential) == credential
            }
        }
    }

    /// Counts a use of `nonce`.
    func use(_ nonce: String, of origin: Origin, _ makeClientNonce: () -> String) -> NonceUse {
        let fresh = makeClientNonce()
        return known.withLock { known in
            known.uses += 1
            let key = NonceKey(origin: origin, nonce: nonce)
            var entry = known.nonces[key] ?? Nonce(clientNonce: fresh, lastUse: 0)
            // The server reports the nonce as stale after 2³² uses.
            entry.count &+= 1
            entry.lastUse = known.uses
            known.nonces[key] = entry
            if known.nonces.count > Self.limit,
                let oldest = known.nonces.min(by: { $0.value.lastUse < $1.value.lastUse })
            {
                known.nonces[oldest.key] = nil
            }
            return NonceUse(count: entry.count, clientNonce: fresh, firstClientNonce: entry.clientNonce)
        }
    }

    private static func trim(_ known: inout Known) {
        let count = known.spaces.values.reduce(0) { $0 + $1.count }
        guard count > limit else { return }
        let all = known.spaces.flatMap { origin, entries in entries.map { (origin, $0.lastUse) } }
        guard let (origin, use) = all.min(by: { $0.1 < $1.1 }) else { return }
        known.spaces[origin]?.removeAll { $0.lastUse == use }
        if known.spaces[origin]?.isEmpty == true { known.spaces[origin] = nil }
    }
}

extension ProtectionSpace {
    /// Whether both challenges are equal except for their nonces.
    func isSame(as other: ProtectionSpace) -> Bool {
        realm == other.realm && scheme.name == other.scheme.name
            && (prefixes == other.prefixes || scheme.name == "Digest")
    }

    /// Whether the scheme can carry `credential`.
    func canCarry(_ credential: HTTPCredential) -> Bool { scheme != .basic || BasicAnswer.canCarry(credential) }
}
