/// What the kernel is told of a connection before it is opened. `nil` leaves a setting to the level above, and at last
/// to the engine or the kernel.
///
/// Connections whose settings differ are never shared. A setting that the kernel does not know, or that the process may
/// not use, fails the request with ``TransportError/Code/unsupportedOption`` and the setting's name.
public struct SocketSettings: Sendable, Hashable {
    /// The probes of an idle connection (RFC 9293 §3.8.4).
    public struct KeepAlive: Sendable, Hashable {
        /// How long the connection is silent before the first probe; at least a second.
        public var idle: Duration
        /// The time between two probes; at least a second.
        public var interval: Duration
        /// The number of unanswered probes after which the connection is lost.
        public var count: Int

        /// Sets the probes.
        public init(idle: Duration, interval: Duration, count: Int) {
            self.idle = idle
            self.interval = interval
            self.count = count
        }
    }

    /// The differentiated services code point of all packets (RFC 2474), 0 to 63.
    public var dscp: Int?
    /// The mark that routing rules and firewalls of this machine see (`SO_MARK`). Needs `CAP_NET_ADMIN`.
    public var mark: UInt32?
    /// The probes of an idle connection.
    public var keepAlive: KeepAlive?
    /// How long sent bytes may stay unacknowledged before the connection is lost (RFC 5482), at least a millisecond.
    public var userTimeout: Duration?
    /// Whether the first bytes are sent with the first packet to a server that allowed it before (RFC 7413).
    public var fastOpen: Bool?
    /// Whether the connection may use several networks at once (Multipath TCP, RFC 8684). A server without it is spoken
    /// to by plain TCP.
    public var multipath: Bool?

    /// Settings that leave everything open.
    public init() {}

    /// These settings with what `overrides` sets in its place.
    public func merging(_ overrides: SocketSettings) -> SocketSettings {
        var merged = self
        merged.dscp = overrides.dscp ?? dscp
        merged.mark = overrides.mark ?? mark
        merged.keepAlive = overrides.keepAlive ?? keepAlive
        merged.userTimeout = overrides.userTimeout ?? userTimeout
        merged.fastOpen = overrides.fastOpen ?? fastOpen
        merged.multipath = overrides.multipath ?? multipath
        return merged
    }

    var requiredFeatures: TransportFeatures {
        var required: TransportFeatures = []
        if dscp != nil { required.insert(.dscp) }
        if mark != nil { required.insert(.packetMark) }
        if keepAlive != nil { required.insert(.keepAliveProbes) }
        if userTimeout != nil { required.insert(.userTimeout) }
        if fastOpen == true { required.insert(.fastOpen) }
        if multipath == true { required.insert(.multipath) }
        return required
    }
}
