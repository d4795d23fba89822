/// The kernel's settings of a connection. `nil` leaves a setting to the session, the engine or the kernel, in this
/// order.
///
/// Requests with different settings do not share connections. A setting that the kernel does not support, or that the
/// process may not use, fails the request with ``TransportError/Code/unsupportedOption`` and the setting's name.
public struct SocketSettings: Sendable, Hashable {
    /// The probes of an idle connection (RFC 9293 §3.8.4).
    public struct KeepAlive: Sendable, Hashable {
        /// How long the connection is silent before the first probe; at least a second.
        public var idle: Duration
        /// The time between two probes; at least a second.
        public var interval: Duration
        /// The number of unanswered probes after which the connection is lost.
        public var count: Int

        /// Creates settings of the probes. Times are rounded down to whole seconds; less than a second counts as one.
        ///
        /// - Parameters:
        ///   - idle: How long the connection is silent before the first probe.
        ///   - interval: The time between two probes.
        ///   - count: The number of unanswered probes after which the connection is lost.
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
    /// Whether the connection may use several networks at the same time (Multipath TCP, RFC 8684). With a server that
    /// does not support it, the connection falls back to plain TCP.
    public var multipath: Bool?

    /// Creates settings in which everything is `nil`.
    public init() {}

    /// Returns these settings, replaced by those that are set in `overrides`.
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
