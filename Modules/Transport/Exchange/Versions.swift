/// A version of HTTP.
public enum HTTPVersion: String, Sendable, Hashable, CaseIterable {
    /// HTTP/1.0 (RFC 1945)
    case http1_0 = "HTTP/1.0"
    /// HTTP/1.1 (RFC 9112)
    case http1_1 = "HTTP/1.1"
    /// HTTP/2 (RFC 9113)
    case http2 = "HTTP/2"
    /// HTTP/3 (RFC 9114)
    case http3 = "HTTP/3"

    /// The protocol's name as URLSession's metrics spell it: `http/1.1`, `h2`, `h3`.
    public var networkProtocolName: String {
        switch self {
        case .http1_0: "http/1.0"
        case .http1_1: "http/1.1"
        case .http2: "h2"
        case .http3: "h3"
        }
    }
}

/// A version of TLS, in order of age.
public enum TLSVersion: Int, Sendable, Hashable, Comparable, CaseIterable, CustomStringConvertible {
    /// TLS 1.0 (RFC 2246), deprecated by RFC 8996
    case tls1_0 = 0x0301
    /// TLS 1.1 (RFC 4346), deprecated by RFC 8996
    case tls1_1 = 0x0302
    /// TLS 1.2 (RFC 5246)
    case tls1_2 = 0x0303
    /// TLS 1.3 (RFC 8446)
    case tls1_3 = 0x0304

    /// Older versions come first.
    public static func < (left: TLSVersion, right: TLSVersion) -> Bool { left.rawValue < right.rawValue }

    /// `TLS 1.3` and so on.
    public var description: String {
        switch self {
        case .tls1_0: "TLS 1.0"
        case .tls1_1: "TLS 1.1"
        case .tls1_2: "TLS 1.2"
        case .tls1_3: "TLS 1.3"
        }
    }
}
