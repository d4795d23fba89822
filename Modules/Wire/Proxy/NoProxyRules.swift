/// The hosts that are reached without a proxy, by curl's rules for `no_proxy`: names and all names below them,
/// addresses, CIDR blocks, or `*` for all.
///
/// libcurl implements these rules too, but does not report which way it chose. The engine over libcurl must know: the
/// first TLS handshake on a connection may be the proxy's.
package struct NoProxyRules: Sendable {
    private let patterns: [Substring]

    /// Parses the value of `no_proxy`: patterns separated by commas, spaces or tabs.
    package init(_ text: String) { self.init([text]) }

    /// Parses a list whose members may themselves be lists.
    package init(_ hosts: [String]) {
        patterns = hosts.flatMap { $0.split { $0 == "," || $0 == " " || $0 == "\t" } }
    }

    /// Returns whether `host` is reached without a proxy.
    ///
    /// - Parameter host: A name, or an address; an IPv6 address without brackets.
    package func contains(_ host: String) -> Bool {
        guard !patterns.isEmpty else { return false }
        if patterns.contains("*") { return true }
        if let address = IPAddress(host) { return patterns.contains { address.isIn($0) } }
        let name = Self.bareName(host.lowercased()[...])
        return patterns.contains { pattern in
            let suffix = Self.bareName(pattern.lowercased()[...])
            return !suffix.isEmpty && (name == suffix || name.hasSuffix(".\(suffix)"))
        }
    }

    // curl ignores dots at both ends: `.test` and `test.` cover `test` and `a.test`.
    private static func bareName(_ name: Substring) -> Substring {
        var name = name
        if name.hasPrefix(".") { name = name.dropFirst() }
        if name.hasSuffix(".") { name = name.dropLast() }
        return name
    }
}
