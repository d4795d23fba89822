internal import AirframeTransport

/// Host names in the form in which stored state is keyed.
package enum HostName {
    /// Returns `host` in lower case, without the final dot of a fully qualified name.
    package static func canonical(_ host: String) -> String {
        let lowercased = host.utf8.contains { (0x41...0x5A).contains($0) || $0 >= 0x80 } ? host.lowercased() : host
        return lowercased.utf8.last == UInt8(ascii: ".") ? String(lowercased.dropLast()) : lowercased
    }

    /// Returns whether `host` is an IP address: an IPv6 address, or a name whose last label is a number, which is
    /// either a form of an IPv4 address or no valid host (WHATWG URL, "ends in a number").
    package static func isAddress(_ host: String) -> Bool {
        if host.utf8.contains(UInt8(ascii: ":")) { return true }
        var bytes = host.utf8[...]
        if bytes.last == UInt8(ascii: ".") { bytes = bytes.dropLast() }
        let label = bytes.lastIndex(of: UInt8(ascii: ".")).map { bytes[bytes.index(after: $0)...] } ?? bytes
        guard let first = label.first, (0x30...0x39).contains(first) else { return false }
        if label.allSatisfy({ (0x30...0x39).contains($0) }) { return true }
        let digits = label.dropFirst(2)
        return first == 0x30 && label.dropFirst().first.map { $0 | 0x20 } == UInt8(ascii: "x")
            && digits.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0 | 0x20) }
    }

    /// Returns the name and its parent domains, longest first: `a.b.c`, `b.c`, `c`. A name that is too long for a host
    /// has no parent domains: together they would have a length quadratic in its own.
    package static func withAncestors(_ host: String) -> some Sequence<Substring> {
        let isHost = host.utf8.count <= Origin.maximumHostLength
        return sequence(first: host[...]) { name in
            guard isHost, let dot = name.utf8.firstIndex(of: UInt8(ascii: ".")) else { return nil }
            return name[name.utf8.index(after: dot)...]
        }
    }
}
