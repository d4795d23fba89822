internal import AirframeTransport
internal import Synchronization

/// The heads of a session's recent requests without header fields of their own, by URL.
final class PlainHeads: Sendable {
    // Guards the last head and its URL.
    private let last = Mutex<(url: KnownURL, head: SharedRequestHead)?>(nil)

    /// Returns the head of requests for `url`; makes it unless the last request was for the same URL.
    func head(
        of url: KnownURL,
        _ make: () throws -> SharedRequestHead
    ) rethrows -> SharedRequestHead {
        let known = last.withLock { last in
            if let last, last.url === url { last.head } else { nil as SharedRequestHead? }
        }
        if let known { return known }
        let head = try make()
        last.withLock { $0 = (url, head) }
        return head
    }
}
