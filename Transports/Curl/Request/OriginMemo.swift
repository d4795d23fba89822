internal import AirframeTransport
internal import AirframeWire
internal import Synchronization

/// The origin and the URL of the last request. Consecutive requests often go to one server, and parsing an authority
/// takes 12,000 instructions and four allocations.
final class OriginMemo: Sendable {
    /// A parsed authority.
    struct Place {
        let origin: Origin
        /// The host to look up if the request takes no proxy; `nil` if there is nothing to look up.
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

    /// Returns the parsed authority, or `nil` if it is malformed.
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

    /// Returns the last URL, if it is that of `path` at this authority.
    func url(scheme: String, authority: String, path: String) -> String? {
        last.withLock { entry in
            switch entry {
            case .some(let entry)
            where entry.path == path && entry.scheme == scheme && entry.authority == authority: entry.url
            default: nil
            }
        }
    }

    /// Stores a URL.
    func keep(_ url: String, scheme: String, authority: String, path: String) {
        last.withLock { entry in
            guard entry?.scheme == scheme, entry?.authority == authority else { return }
            entry?.path = path
            entry?.url = url
        }
    }

    /// Whether the system's resolver is to resolve `host`.
    static func needsLookup(_ host: String) -> Bool {
        // libcurl resolves these itself. Only addresses contain a colon, such as those with a zone (`fe80::1%25eth0`,
        // RFC 6874).
        host != "localhost" && !host.hasSuffix(".localhost") && IPAddress(host) == nil
            && !host.utf8.contains(UInt8(ascii: ":"))
    }
}
