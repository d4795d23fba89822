internal import AirframeTransport
internal import AirframeWire
internal import Synchronization

/// Where the last request went: requests come in runs to one server, and taking an authority apart costs as much as
/// writing a small request's head.
final class OriginMemo: Sendable {
    /// What an authority means.
    struct Place {
        let origin: Origin
        /// The host, as it is looked up when the request takes no proxy; `nil` when there is nothing to look up.
        let lookedUpName: String?
    }

    private struct Entry {
        let scheme: String
        let authority: String
        let place: Place
        var path = ""
        var url: String?
    }

    private let last = Mutex<Entry?>(nil)

    /// What an authority means, or `nil` when it is malformed.
    func place(scheme: String, authority: String) -> Place? {
        let known = last.withLock { entry -> Place? in
            switch entry {
            case .some(let entry) where entry.scheme == scheme && entry.authority == authority: entry.place
            default: nil
            }
        }
        if let known { return known }
        guard let origin = Origin(scheme: scheme, authority: authority) else { return nil }
        let place = Place(origin: origin, lookedUpName: Self.needsLookup(origin.host) ? origin.host : nil)
        last.withLock { $0 = Entry(scheme: scheme, authority: authority, place: place) }
        return place
    }

    /// The URL that was made for `path` at an authority, if it was the last one.
    func url(scheme: String, authority: String, path: String) -> String? {
        last.withLock { entry in
            switch entry {
            case .some(let entry)
            where entry.path == path && entry.scheme == scheme && entry.authority == authority: entry.url
            default: nil
            }
        }
    }

    /// Keeps a URL that was made.
    func keep(_ url: String, scheme: String, authority: String, path: String) {
        last.withLock { entry in
            guard entry?.scheme == scheme, entry?.authority == authority else { return }
            entry?.path = path
            entry?.url = url
        }
    }

    /// Whether the system's resolver is to be asked for `host`.
    static func needsLookup(_ host: String) -> Bool {
        // libcurl knows these by itself. A colon is in addresses only, such as those with a zone (`fe80::1%25eth0`, RFC
        // 6874).
        host != "localhost" && !host.hasSuffix(".localhost") && IPAddress(host) == nil
            && !host.utf8.contains(UInt8(ascii: ":"))
    }
}
