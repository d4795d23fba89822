internal import AirframeTransport
package import Glibc

/// An IPv4 or IPv6 address.
package struct IPAddress: Sendable, Hashable {
    /// 4 or 16 bytes, in network order.
    package let bytes: [UInt8]
    /// The zone of a link-local IPv6 address (RFC 4007 §6): the index of an interface, or 0.
    package let scope: UInt32

    /// Whether the address has 16 bytes.
    package var isIPv6: Bool { bytes.count == 16 }

    /// Creates an IPv4 address.
    package init(_ address: in_addr) {
        bytes = withUnsafeBytes(of: address) { Array($0) }
        scope = 0
    }

    /// Creates an IPv6 address in a zone; a scope of 0 stands for none.
    package init(_ address: in6_addr, scope: UInt32) {
        bytes = withUnsafeBytes(of: address) { Array($0) }
        self.scope = scope
    }

    /// Creates an address from 4 or 16 bytes; `nil` for any other number of bytes.
    package init?(networkOrder bytes: [UInt8]) {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        self.bytes = bytes
        scope = 0
    }

    /// Parses the usual text form; `nil` if `text` is not an address.
    ///
    /// An IPv6 address may have a zone, the name or number of an interface, after `%` or, as in URLs, `%25` (RFC 6874).
    package init?(_ text: String) {
        // Host names are the common case, and most have a letter that no address has.
        for byte in text.utf8 {
            if byte == UInt8(ascii: "%") { break }
            guard Self.canBeInLiteral(byte) else { return nil }
        }
        var four = in_addr()
        var six = in6_addr()
        if text.withCString({ inet_pton(AF_INET, $0, &four) }) == 1 {
            self.init(four)
        } else if text.withCString({ inet_pton(AF_INET6, $0, &six) }) == 1 {
            self.init(six, scope: 0)
        } else {
            self.init(zoned: text)
        }
    }

    /// Parses the usual text form; `nil` if `text` is not an address.
    package init?(_ text: Substring) { self.init(String(text)) }

    private static func canBeInLiteral(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: ":"), UInt8(ascii: "."), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }

    /// Parses an IPv6 address with a zone.
    private init?(zoned text: String) {
        let parts = text.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
        var six = in6_addr()
        guard parts.count == 2, inet_pton(AF_INET6, String(parts[0]), &six) == 1 else { return nil }
        let zone = parts[1].hasPrefix("25") && parts[1].count > 2 ? parts[1].dropFirst(2) : parts[1]
        let scope = UInt32(zone) ?? if_nametoindex(String(zone))
        guard scope != 0 else { return nil }
        self.init(six, scope: scope)
    }

    /// Calls `body` with the address and `port` as the socket calls take them.
    package func withSystemAddress<Result>(
        port: UInt16,
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        guard isIPv6 else {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            withUnsafeMutableBytes(of: &address.sin_addr) { $0.copyBytes(from: bytes) }
            return Self.with(&address, body)
        }
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_INET6)
        address.sin6_port = port.bigEndian
        address.sin6_scope_id = scope
        withUnsafeMutableBytes(of: &address.sin6_addr) { $0.copyBytes(from: bytes) }
        return Self.with(&address, body)
    }

    private static func with<Address, Result>(
        _ address: inout Address,
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<Address>.size))
            }
        }
    }
}

extension IPAddress: CustomStringConvertible {
    /// The usual text form, without brackets; with the number of the zone if there is one.
    package var description: String {
        guard isIPv6 else { return dotted }
        let text = withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) { text in
            guard let start = text.baseAddress,
                inet_ntop(AF_INET6, bytes, start, socklen_t(INET6_ADDRSTRLEN)) != nil
            else { return "" }
            return String(cString: start)
        }
        return scope == 0 ? text : "\(text)%\(scope)"
    }

    /// `127.0.0.1`, without `inet_ntop`, which formats through `printf`.
    private var dotted: String {
        String(unsafeUninitializedCapacity: 15) { text in
            var count = 0
            func put(_ byte: UInt8) {
                text[count] = byte
                count += 1
            }
            for (index, byte) in bytes.enumerated() {
                if index > 0 { put(UInt8(ascii: ".")) }
                if byte >= 100 { put(UInt8(ascii: "0") + byte / 100) }
                if byte >= 10 { put(UInt8(ascii: "0") + byte / 10 % 10) }
                put(UInt8(ascii: "0") + byte % 10)
            }
            return count
        }
    }
}

extension IPAddress {
    /// Returns whether the address equals `pattern`, or is in the block that it names (`10.0.0.0/8`).
    package func isIn(_ pattern: Substring) -> Bool {
        let parts = pattern.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first else { return false }
        let text = first.hasPrefix("[") && first.hasSuffix("]") ? first.dropFirst().dropLast() : first
        guard let block = IPAddress(text), block.bytes.count == bytes.count else { return false }
        guard parts.count == 2 else { return block.bytes == bytes }
        guard let length = Int(parts[1]), (0...bytes.count * 8).contains(length) else { return false }
        let (whole, rest) = length.quotientAndRemainder(dividingBy: 8)
        guard bytes.prefix(whole) == block.bytes.prefix(whole) else { return false }
        guard rest > 0 else { return true }
        let mask = ~UInt8(0) << UInt8(8 - rest)
        return bytes[whole] & mask == block.bytes[whole] & mask
    }
}
