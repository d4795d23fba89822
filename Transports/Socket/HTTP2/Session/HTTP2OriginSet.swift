internal import AirframeTransport

/// The origin set of a connection, from the server's ORIGIN frames (RFC 8336 §2.3).
struct HTTP2OriginSet {
    /// The maximum number of origins. Further origins are ignored and use their own connections.
    private static let capacity = 1_000

    private var origins: Set<Origin> = []

    /// Returns whether the set contains `origin`.
    func contains(_ origin: Origin) -> Bool { origins.contains(origin) }

    /// Adds an ASCII origin, such as `https://api.test:8443` (RFC 6454 §6.2). Malformed text is ignored.
    mutating func insert(_ text: UnsafeBufferPointer<UInt8>) {
        guard origins.count < Self.capacity, text.count < 1_024 else { return }
        let text = String(decoding: text, as: UTF8.self)
        let scheme = text.prefix { $0 != ":" }
        guard text.dropFirst(scheme.count).hasPrefix("://") else { return }
        guard let origin = Origin(scheme: String(scheme), authority: String(text.dropFirst(scheme.count + 3))) else {
            return
        }
        origins.insert(origin)
    }
}
