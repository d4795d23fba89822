internal import AirframeTransport
internal import AirframeWire

// The overrides of name resolution. libcurl fails every transfer with a list that has an entry without an address, and
// gives hosts that begin with `*`, `-` or `+` another meaning.

extension TransportOptions {
    /// Returns the override that applies to a host and port.
    func resolveOverride(of host: String, port: Int) -> ResolveOverride? {
        resolveOverrides?.first { $0.port == port && $0.host.lowercased() == host.lowercased() }
    }
}

extension ResolveOverride {
    /// The addresses that are IP addresses.
    var usableAddresses: [String] {
        addresses.filter { IPAddress($0.prefix { $0 != "%" }) != nil }
    }

    /// Whether libcurl takes the host for a name.
    fileprivate var hasPlainHost: Bool {
        guard let first = host.utf8.first, !"*-+".utf8.contains(first) else { return false }
        return !host.utf8.contains(UInt8(ascii: ":")) && !host.utf8.contains(0)
    }

    /// The entry in libcurl's list, or `nil` if the override has no address or no host and port of a request.
    var listEntry: String? {
        let addresses = usableAddresses
        guard !addresses.isEmpty, hasPlainHost, (0...65_535).contains(port) else { return nil }
        return "\(host.lowercased()):\(port):\(AddressLanes.list(AddressLanes.split(addresses)))"
    }
}

extension RequestPlan {
    /// Checks the overrides of the hosts whose addresses libcurl needs.
    ///
    /// - Throws: ``TransportError/Code/nameResolutionFailed`` or ``TransportError/Code/proxyFailed`` for an override
    ///   without an IP address, ``TransportError/Code/unsupportedOption`` for one that libcurl cannot apply.
    static func checkOverrides(
        of options: TransportOptions,
        origin: Origin,
        route: ProxyRoute
    ) throws(TransportError) {
        guard options.resolveOverrides != nil, options.unixSocketPath == nil else { return }
        guard let proxy = route.proxy else {
            return try check(options.resolveOverride(of: origin.host, port: origin.port), isProxy: false, origin)
        }
        try check(options.resolveOverride(of: proxy.host, port: proxy.port), isProxy: true, origin)
        guard proxy.kind == .socks4 || proxy.kind == .socks5 else { return }
        try check(options.resolveOverride(of: origin.host, port: origin.port), isProxy: false, origin)
    }

    private static func check(
        _ override: ResolveOverride?,
        isProxy: Bool,
        _ origin: Origin
    ) throws(TransportError) {
        // Only IPv6 addresses contain a colon, and addresses are not resolved.
        guard let override, !override.host.utf8.contains(UInt8(ascii: ":")) else { return }
        guard !override.usableAddresses.isEmpty else {
            throw TransportError(
                isProxy ? .proxyFailed : .nameResolutionFailed,
                phase: isProxy ? .proxy : .resolve,
                processing: .notSent,
                message: "the override of \(override.host) has no IP address",
                origin: origin
            )
        }
        guard override.hasPlainHost else {
            throw unsupported("libcurl cannot override the addresses of the host \(override.host)", origin)
        }
    }
}
