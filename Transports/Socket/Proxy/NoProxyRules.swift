/// The hosts that are reached without a proxy, by curl's rules for `no_proxy`: names with their subdomains, addresses,
/// CIDR blocks, or `*` for all.
struct NoProxyRules: Sendable {
    private let patterns: [Substring]

    init(_ text: String) {
        patterns = text.split { $0 == "," || $0 == " " || $0 == "\t" }
    }

    init(_ hosts: [String]) {
        patterns = hosts.flatMap { $0.split { $0 == "," || $0 == " " || $0 == "\t" } }
    }

    /// Returns whether `host` (an IPv6 address without brackets) is reached without a proxy.
    func contains(_ host: String) -> Bool {
        guard !patterns.isEmpty else { return false }
        if patterns.contains("*") { return true }
        if let address = IPAddress(host) { return patterns.contains { address.isIn($0) } }
        let name = Self.bareName(host.lowercased()[...])
        return patterns.contains { pattern in
            let suffix = Self.bareName(pattern.lowercased()[...])
            return !suffix.isEmpty && (name == suffix || name.hasSuffix(".\(suffix)"))
        }
    }

    // Leading and trailing dots are ignored: `.test` and `test.` match `test` and `a.test`.
    private static func bareName(_ name: Substring) -> Substring {
        var name = name
        if name.hasPrefix(".") { name = name.dropFirst() }
        if name.hasSuffix(".") { name = name.dropLast() }
        return name
    }
}
