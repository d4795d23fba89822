/// The connection of an exchange.
public struct TransportConnection: Sendable {
    private final class Details: Sendable {
        let id: UInt64
        let httpVersion: HTTPVersion
        let localAddress: SocketAddress?
        let remoteAddress: SocketAddress?
        let isProxied: Bool
        let tls: TLSDescription?

        init(
            id: UInt64,
            httpVersion: HTTPVersion,
            localAddress: SocketAddress?,
            remoteAddress: SocketAddress?,
            isProxied: Bool,
            tls: TLSDescription?
        ) {
            self.id = id
            self.httpVersion = httpVersion
            self.localAddress = localAddress
            self.remoteAddress = remoteAddress
            self.isProxied = isProxied
            self.tls = tls
        }
    }

    // The constant properties of a connection, stored once for all its exchanges.
    private let details: Details

    /// Whether an earlier exchange ran on the connection.
    public var isReused: Bool
    // 0, which is the identifier of the connection itself (RFC 9113 §5.1.1), stands for none.
    private var storedStreamID: Int32 = 0

    /// The identifier of the exchange's HTTP/2 stream (RFC 9113 §5.1.1); `nil` over HTTP/1.1.
    public var streamID: Int? {
        get { storedStreamID == 0 ? nil : Int(storedStreamID) }
        set { storedStreamID = newValue.flatMap { Int32(exactly: $0) } ?? 0 }
    }

    /// Describes a connection.
    ///
    /// - Parameters:
    ///   - id: The connection's number, unique within the engine.
    ///   - httpVersion: The version of HTTP in use.
    ///   - localAddress: The client's address.
    ///   - remoteAddress: The address of the peer: the proxy's, if there is one.
    ///   - isProxied: Whether the connection leads through a proxy.
    ///   - tls: The TLS parameters; `nil` for a connection in the clear.
    ///   - isReused: Whether an earlier exchange ran on it.
    ///   - streamID: The identifier of the exchange's HTTP/2 stream.
    public init(
        id: UInt64,
        httpVersion: HTTPVersion,
        localAddress: SocketAddress? = nil,
        remoteAddress: SocketAddress? = nil,
        isProxied: Bool = false,
        tls: TLSDescription? = nil,
        isReused: Bool = false,
        streamID: Int? = nil
    ) {
        details = Details(
            id: id,
            httpVersion: httpVersion,
            localAddress: localAddress,
            remoteAddress: remoteAddress,
            isProxied: isProxied,
            tls: tls
        )
        self.isReused = isReused
        self.streamID = streamID
    }

    /// The connection's number, unique within the engine.
    public var id: UInt64 { details.id }
    /// The version of HTTP in use.
    public var httpVersion: HTTPVersion { details.httpVersion }
    /// The client's address.
    public var localAddress: SocketAddress? { details.localAddress }
    /// The address of the peer: the proxy's, if there is one.
    public var remoteAddress: SocketAddress? { details.remoteAddress }
    /// Whether the connection leads through a proxy.
    public var isProxied: Bool { details.isProxied }
    /// The TLS parameters; `nil` for a connection in the clear.
    public var tls: TLSDescription? { details.tls }
    /// Whether the connection uses TLS. Comparing ``tls`` with `nil` copies its strings, 80 instructions.
    package var isSecure: Bool { if case .some = details.tls { true } else { false } }
}

/// One end of a connection: an IP address with its port, or the path of a Unix domain socket.
public enum SocketAddress: Sendable, Hashable, CustomStringConvertible {
    /// An IPv4 or IPv6 address in its usual text form, without brackets, and a port.
    case ip(String, port: Int)
    /// A Unix socket.
    case unix(path: String)

    /// `127.0.0.1:80`, `[::1]:80` or `unix:/path`.
    public var description: String {
        switch self {
        case .ip(let address, let port): address.contains(":") ? "[\(address)]:\(port)" : "\(address):\(port)"
        case .unix(let path): "unix:\(path)"
        }
    }
}

/// The parameters that a TLS handshake agreed on.
public struct TLSDescription: Sendable, Hashable {
    /// The protocol version.
    public var version: TLSVersion
    /// The cipher suite by its IANA or OpenSSL name.
    public var cipherSuite: String
    /// The protocol chosen by ALPN (RFC 7301), such as `h2`; `nil` when none was.
    public var applicationProtocol: String?
    /// The server's certificates as it sent them, its own first.
    public var chain: [DER]
    /// Whether the session was resumed, so that no certificates were exchanged.
    public var isResumed: Bool

    /// Creates a description of a handshake.
    ///
    /// - Parameters:
    ///   - version: The protocol version.
    ///   - cipherSuite: The cipher suite by its IANA or OpenSSL name.
    ///   - applicationProtocol: The protocol chosen by ALPN (RFC 7301), such as `h2`; `nil` if none was.
    ///   - chain: The server's certificates as it sent them, its own first.
    ///   - isResumed: Whether the session was resumed, so that no certificates were exchanged.
    public init(
        version: TLSVersion,
        cipherSuite: String,
        applicationProtocol: String? = nil,
        chain: [DER] = [],
        isResumed: Bool = false
    ) {
        self.version = version
        self.cipherSuite = cipherSuite
        self.applicationProtocol = applicationProtocol
        self.chain = chain
        self.isResumed = isResumed
    }
}
