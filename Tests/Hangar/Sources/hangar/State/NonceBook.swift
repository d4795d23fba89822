import Synchronization

/// The nonces of Digest authentication, and the counts that were used with each (RFC 7616 §3.3, §3.4).
final class NonceBook: Sendable {
    enum Verdict {
        case fresh
        /// Not one of ours, worn out, or a count that was seen before: the client may try again with a new one.
        case stale
    }

    private let used = Mutex<[String: Set<UInt32>]>([:])

    func issue() -> String {
        let nonce =
            String(UInt64.random(in: .min ... .max), radix: 16) + String(UInt64.random(in: .min ... .max), radix: 16)
        used.withLock { used in
            if used.count >= 10_000 { used.removeAll() }
            used[nonce] = []
        }
        return nonce
    }

    /// Takes note that `nonce` was used.
    ///
    /// - Parameters:
    ///   - count: the client's nonce count; nil for clients of RFC 2069, which have none.
    ///   - limit: how many uses a nonce has.
    func use(_ nonce: String, count: UInt32?, limit: Int) -> Verdict {
        used.withLock { used in
            guard let seen = used[nonce], seen.count < limit else { return .stale }
            guard used[nonce]?.insert(count ?? UInt32(seen.count)).inserted == true else { return .stale }
            return .fresh
        }
    }
}
