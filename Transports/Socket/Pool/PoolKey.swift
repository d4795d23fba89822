internal import AirframeTransport

/// What must be equal for two requests to share connections.
struct PoolKey: Sendable {
    /// Where the connection leads.
    let destination: Destination
    private let box: Box?

    init(destination: Destination, variant: Variant?) {
        self.destination = destination
        box = variant.map(Box.init)
    }

    /// What sets the connection apart from one that is made without any options; `nil` when nothing does, so that a
    /// plain request pays for no more than the comparison of its origin.
    var variant: Variant? { box?.variant }

    /// Whether there is no variant.
    var isPlain: Bool { box == nil }

    /// A class, so that keys are small: they are copied with each request, and few have a variant.
    private final class Box: Sendable {
        let variant: Variant

        init(_ variant: Variant) { self.variant = variant }
    }

    /// This key for a connection that speaks HTTP/1.1 alone.
    var overHTTP1: PoolKey {
        var variant = self.variant ?? Variant()
        variant.offer = .http1
        return PoolKey(destination: destination, variant: variant)
    }

    /// This key for a connection whose version of HTTP the server chooses.
    var withAutomaticVersion: PoolKey {
        var variant = self.variant ?? Variant()
        variant.offer = .automatic
        return PoolKey(destination: destination, variant: variant == Variant() ? nil : variant)
    }

    /// What sets a connection apart.
    struct Variant: Sendable, Hashable {
        var proxy: Proxy?
        var isForwarded = false
        var offer = VersionOffer.automatic
        var trust: TrustKey?
        var identity: ClientIdentity?
        var tls = TLSOptions()
        var resolveOverrides: [ResolveOverride] = []
        var localAddress: String?
        var networkInterface: String?
        var unixSocketPath: String?
        var socket = SocketSettings()
    }
}

extension PoolKey: Hashable {
    static func == (left: PoolKey, right: PoolKey) -> Bool {
        (left.destination === right.destination || left.destination.origin == right.destination.origin)
            && (left.box === right.box || left.variant == right.variant)
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(destination.hash)
        if let variant { hasher.combine(variant) }
    }
}
