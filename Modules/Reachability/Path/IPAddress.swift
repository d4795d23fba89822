internal import Glibc

/// An IPv4 or IPv6 address, without a zone.
public struct IPAddress: Sendable, Hashable, CustomStringConvertible, LosslessStringConvertible {
    /// The version of the Internet Protocol that an address belongs to.
    public enum Version: Sendable, Hashable {
        /// Four bytes (RFC 791).
        case ipv4
        /// Sixteen bytes (RFC 4291).
        case ipv6
    }

    /// The version of the protocol.
    public let version: Version

    // An IPv4 address is in the lower half's lower 32 bits. Two words, because an array would cost an allocation each.
    private let upper: UInt64
    private let lower: UInt64

    /// An address from its bytes in network order; `nil` unless there are 4 or 16.
    public init?(bytes: some Collection<UInt8>) {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        version = bytes.count == 4 ? .ipv4 : .ipv6
        upper = bytes.count == 4 ? 0 : bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
        lower = bytes.suffix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// An address from its text, such as "192.0.2.1" or "2001:db8::1"; `nil` for anything else.
    public init?(_ text: String) {
        var buffer: (UInt64, UInt64) = (0, 0)
        let length = withUnsafeMutableBytes(of: &buffer) { bytes -> Int in
            if inet_pton(AF_INET, text, bytes.baseAddress) == 1 { return 4 }
            return inet_pton(AF_INET6, text, bytes.baseAddress) == 1 ? 16 : 0
        }
        guard let address = withUnsafeBytes(of: &buffer, { IPAddress(bytes: $0.prefix(length)) }) else { return nil }
        self = address
    }

    /// An address from the bytes of a netlink attribute; `nil` for another family or length.
    init?(family: UInt8, _ value: RawSpan) {
        let length = family == UInt8(AF_INET) ? 4 : family == UInt8(AF_INET6) ? 16 : 0
        guard length > 0, value.byteCount == length else { return nil }
        self.init(bytes: value.array)
    }

    /// The bytes in network order: 4 or 16.
    public var bytes: [UInt8] {
        let low = (0..<8).map { UInt8(truncatingIfNeeded: lower >> (56 - 8 * $0)) }
        guard version == .ipv6 else { return Array(low.suffix(4)) }
        return (0..<8).map { UInt8(truncatingIfNeeded: upper >> (56 - 8 * $0)) } + low
    }

    /// The usual text (RFC 5952 for IPv6).
    public var description: String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let family = version == .ipv4 ? AF_INET : AF_INET6
        guard inet_ntop(family, bytes, &text, socklen_t(text.count)) != nil else { return "" }
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Whether it lies in 127.0.0.0/8 or is ::1.
    public var isLoopback: Bool {
        version == .ipv4 ? lower >> 24 == 127 : upper == 0 && lower == 1
    }

    /// Whether it is valid on one link only: 169.254.0.0/16 (RFC 3927) or fe80::/10 (RFC 4291 §2.5.6).
    public var isLinkLocal: Bool {
        version == .ipv4 ? lower >> 16 == 0xA9FE : upper >> 54 == 0x3FA
    }
}
