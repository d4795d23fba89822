#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Conversions between the bytes and the text form of IP addresses.
package enum AddressText {
    /// The text form of 4 or 16 bytes of an IP address.
    package static func text(_ bytes: [UInt8]) -> String? {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) { text in
            let family = bytes.count == 4 ? AF_INET : AF_INET6
            guard let start = text.baseAddress, inet_ntop(family, bytes, start, socklen_t(INET6_ADDRSTRLEN)) != nil
            else { return nil }
            return String(cString: start)
        }
    }

    /// The 4 or 16 bytes of an address, or `nil` when `text` is none. The zone of an IPv6 address does not count.
    package static func bytes(_ text: String) -> [UInt8]? {
        var four = in_addr()
        if inet_pton(AF_INET, text, &four) == 1 { return withUnsafeBytes(of: four) { Array($0) } }
        var six = in6_addr()
        let literal = text.split(separator: "%", maxSplits: 1).first.map(String.init) ?? text
        guard inet_pton(AF_INET6, literal, &six) == 1 else { return nil }
        return withUnsafeBytes(of: six) { Array($0) }
    }
}
