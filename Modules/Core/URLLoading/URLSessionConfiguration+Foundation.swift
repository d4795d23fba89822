public import AirframeTransport

// Foundation's properties that have little or no effect on Linux, so that code that sets them compiles. The comment of
// each describes its effect.

extension URLSessionConfiguration {
    /// The use of several networks by a connection (RFC 8684).
    public enum MultipathServiceType: Int, Sendable, Hashable {
        /// One network.
        case none = 0
        /// Another network takes over when one is lost.
        case handover = 1
        /// The network with the lower latency.
        case interactive = 2
        /// Several networks at the same time.
        case aggregate = 3
    }

    /// The name of a background session: always `nil`. There are none on Linux.
    public var identifier: String? { nil }

    /// A configuration for transfers that outlive the process.
    ///
    /// Unavailable: transfers end with their process. A `TransferQueue` of AirframeTransfers continues when the program
    /// runs again.
    @available(
        *, unavailable,
        message: "transfers end with their process: TransferQueue continues them when the program runs again"
    )
    public static func background(withIdentifier identifier: String) -> URLSessionConfiguration { .default }

    /// Classes that answer requests in place of the network. Unavailable: write a ``Transport`` instead.
    @available(
        *, unavailable,
        message: "pass a Transport instead: Session(transport:), with MockTransport or ClosureTransport in tests"
    )
    public var protocolClasses: [AnyClass]? {
        get { nil }
        set {}
    }
}

extension TLSVersion {
    /// TLS 1.0 by Security's name.
    public static var TLSv10: TLSVersion { .tls1_0 }
    /// TLS 1.1 by Security's name.
    public static var TLSv11: TLSVersion { .tls1_1 }
    /// TLS 1.2 by Security's name.
    public static var TLSv12: TLSVersion { .tls1_2 }
    /// TLS 1.3 by Security's name.
    public static var TLSv13: TLSVersion { .tls1_3 }
}
