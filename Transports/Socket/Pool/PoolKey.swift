internal import AirframeTransport

/// What must be equal for two requests to share connections.
struct PoolKey: Sendable {
    /// Where the connection leads.
    let destination: Destination
    /// What sets the connection apart from one that is made without any options; `nil` when nothing does, so that a plain
    /// request pays for no more than the comparison of its origin.
    let variant: Variant?
    /// Whether there is no variant. Beside it, because comparing that copies it.
    let isPlain: Bool

    init(destination: Destination, variant: Variant?) {
        self.destination = destination
        self.variant = variant
        isPlain = variant == nil
    }

    /// What sets a connection apart.
    struct Variant: Sendable, Hashable {
        var proxy: Proxy?
        var isForwarded = false
        var trust: TrustKey?
        var identity: ClientIdentity?
        var tls = TLSOptions()
        var resolveOverrides: [ResolveOverride] = []
        var localAddress: String?
        var networkInterface: String?
        var unixSocketPath: String?
    }
}

extension PoolKey: Hashable {
    static func == (left: PoolKey, right: PoolKey) -> Bool {
        (left.destination === right.destination || left.destination.origin == right.destination.origin)
            && left.isPlain == right.isPlain && (left.isPlain || left.variant == right.variant)
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(destination.hash)
        if !isPlain, let variant { hasher.combine(variant) }
    }
}
