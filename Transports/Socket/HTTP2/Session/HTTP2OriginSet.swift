internal import AirframeTransport

/// The origins that a server claims for its connection by ORIGIN frames (RFC 8336 §2.3).
struct HTTP2OriginSet {
    /// The most origins that are kept. Further ones are ignored, so that they get connections of their own.
    private static let capacity = 1_000

    private var origins: Set<Origin> = []

    /// Whether the server claims `origin`.
    func contains(_ origin: Origin) -> Bool { origins.contains(origin) }

    /// Adds an ASCII origin, such as `https://api.test:8443` (RFC 6454 §6.2). Text of another form is ignored.
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
