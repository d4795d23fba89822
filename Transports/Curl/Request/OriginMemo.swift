internal import AirframeTransport
internal import Synchronization

/// The origin that the last request went to: requests come in runs to one server, and taking an authority apart costs
/// as much as writing a small request's head.
final class OriginMemo: Sendable {
    private struct Entry {
        let scheme: String
        let authority: String
        let origin: Origin
    }

    private let last = Mutex<Entry?>(nil)

    /// The origin of an authority, or `nil` when it is malformed.
    func origin(scheme: String, authority: String) -> Origin? {
        let known = last.withLock { entry in
            entry?.scheme == scheme && entry?.authority == authority ? entry?.origin : nil
        }
        if let known { return known }
        guard let origin = Origin(scheme: scheme, authority: authority) else { return nil }
        last.withLock { $0 = Entry(scheme: scheme, authority: authority, origin: origin) }
        return origin
    }
}
