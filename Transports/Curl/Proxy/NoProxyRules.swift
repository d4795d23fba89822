internal import Glibc

/// The hosts that are reached without a proxy, by curl's rules for `no_proxy`: names and all names below them,
/// addresses, CIDR blocks, or `*` for all.
///
/// libcurl implements these rules too but does not report its decision, which the engine needs: the first TLS handshake
/// of a connection may be the proxy's.
struct NoProxyRules {
    private let patterns: [Substring]

    init(_ text: String) {
        patterns = text.split { $0 == "," || $0 == " " || $0 == "\t" }
    }

    init(_ hosts: [String]) {
        patterns = hosts.flatMap { $0.split { $0 == "," || $0 == " " || $0 == "\t" } }
    }

    /// Whether `host` (an IPv6 address without brackets) is reached without a proxy.
    func contains(_ host: String) -> Bool {
        guard !patterns.isEmpty else { return false }
        if patterns.contains("*") { return true }
        if let address = IPAddress(host) { return patterns.contains { address.isIn($0) } }
        let name = Self.bareName(host[...].lowercased()[...])
        return patterns.contains { pattern in
            let suffix = Self.bareName(pattern.lowercased()[...])
            return !suffix.isEmpty && (name == suffix || name.hasSuffix(".\(suffix)"))
        }
    }

    // Leading and trailing dots are ignored: `.test` and `test.` cover `test` and `a.test`.
    private static func bareName(_ name: Substring) -> Substring {
        var name = name
        if name.hasPrefix(".") { name = name.dropFirst() }
        if name.hasSuffix(".") { name = name.dropLast() }
        return name
    }
}

/// An IPv4 or IPv6 address as its bytes.
struct IPAddress: Hashable {
    let bytes: [UInt8]

    /// Parses the usual text form of an address; `nil` for other text.
    init?(_ text: some StringProtocol) {
        // Most names are recognized by their first character.
        guard text.utf8.allSatisfy({ Self.canBeIn($0) }) else { return nil }
        var four = in_addr()
        var six = in6_addr()
        let text = String(text)
        if inet_pton(AF_INET, text, &four) == 1 {
            bytes = withUnsafeBytes(of: &four) { Array($0) }
        } else if inet_pton(AF_INET6, text, &six) == 1 {
            bytes = withUnsafeBytes(of: &six) { Array($0) }
        } else {
            return nil
        }
    }

    private static func canBeIn(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: ":"), UInt8(ascii: "."), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }

    /// Whether `pattern` names the address or a block that contains it (`10.0.0.0/8`).
    func isIn(_ pattern: Substring) -> Bool {
        let parts = pattern.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first else { return false }
        let text = first.hasPrefix("[") && first.hasSuffix("]") ? first.dropFirst().dropLast() : first
        guard let block = IPAddress(text), block.bytes.count == bytes.count else { return false }
        guard parts.count == 2 else { return block == self }
        guard let length = Int(parts[1]), (0...bytes.count * 8).contains(length) else { return false }
        let (whole, rest) = length.quotientAndRemainder(dividingBy: 8)
        guard bytes.prefix(whole) == block.bytes.prefix(whole) else { return false }
        guard rest > 0 else { return true }
        let mask = ~UInt8(0) << UInt8(8 - rest)
        return bytes[whole] & mask == block.bytes[whole] & mask
    }
}
