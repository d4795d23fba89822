internal import AirframeTransport

/// The key of a pool entry: requests with equal keys share connections.
struct PoolKey: Sendable {
    /// The server that the connection leads to.
    let destination: Destination
    let box: VariantBox?

    init(destination: Destination, variant: Variant?) {
        self.destination = destination
        box = variant.map(VariantBox.init)
    }

    init(destination: Destination, box: VariantBox?) {
        self.destination = destination
        self.box = box
    }

    /// The properties that differ from a connection without options; `nil` if there are none, so that keys of plain
    /// requests only compare origins.
    var variant: Variant? { box?.variant }

    /// Whether both keys have the same objects. Equal keys may have different ones.
    func isIdentical(to other: borrowing PoolKey) -> Bool {
        destination === other.destination && box === other.box
    }

    /// A class, so that keys are small. Each request copies its key, and few keys have a variant.
    final class VariantBox: Sendable {
        let variant: Variant
        /// The hash of the variant, computed once.
        let hash: Int

        init(_ variant: Variant) {
            self.variant = variant
            hash = variant.hashValue
        }
    }

    /// This key for a connection that speaks only HTTP/1.1.
    var overHTTP1: PoolKey {
        var variant = self.variant ?? Variant()
        variant.offer = .http1
        return PoolKey(destination: destination, variant: variant)
    }

    /// This key for a connection whose HTTP version the server chooses.
    var withAutomaticVersion: PoolKey {
        var variant = self.variant ?? Variant()
        variant.offer = .automatic
        return PoolKey(destination: destination, variant: variant == Variant() ? nil : variant)
    }

    /// The properties in which connections to one destination may differ.
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
            && (left.box === right.box || (left.box?.hash == right.box?.hash && left.variant == right.variant))
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(destination.hash)
        if let box { hasher.combine(box.hash) }
    }
}
