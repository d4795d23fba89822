/// A request that arrived at a peer.
public struct ObservedRequest: Sendable {
    /// One header line.
    public struct Field: Sendable, Equatable {
        /// The name as it was written.
        public let name: String
        /// The value without the white space around it.
        public let value: String

        /// Joins a name and a value.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The method.
    public let method: String
    /// The request target.
    public let target: String
    /// The version, such as `HTTP/1.1`.
    public let version: String
    /// The header lines in their order.
    public let fields: [Field]
    /// The content without its framing.
    public var body: [UInt8] = []
    /// The trailer lines in their order.
    public var trailers: [Field] = []
    /// The frame that began the request, over HTTP/2. Its field block is not decoded.
    public var http2Head: HTTP2Frame?
    /// Whether the content arrived whole.
    public var isComplete = false

    /// Creates a description of a request's head.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - target: The request target.
    ///   - version: The version, such as `HTTP/1.1`.
    ///   - fields: The header lines in their order.
    public init(method: String, target: String, version: String = "HTTP/1.1", fields: [Field]) {
        self.method = method
        self.target = target
        self.version = version
        self.fields = fields
    }

    /// Reads a head, from the request line to the empty line. What is missing is empty.
    init(head: String) {
        // The line end is one character to Swift, so that a bare line feed stays within its line.
        var lines = head.split(separator: "\r\n", omittingEmptySubsequences: true)[...]
        let parts = (lines.popFirst() ?? "").split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        self.init(
            method: parts.first ?? "",
            target: parts.dropFirst().dropLast().joined(separator: " "),
            version: parts.last ?? "",
            fields: lines.map(Self.field)
        )
    }

    /// The values of the fields of that name, in any case, in their order.
    public func values(_ name: String) -> [String] {
        fields.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
    }

    /// The content as text.
    public var text: String { String(decoding: body, as: UTF8.self) }

    static func field(_ line: some StringProtocol) -> Field {
        let name = line.prefix { $0 != ":" }
        let value = line.dropFirst(name.count + 1).drop { $0 == " " || $0 == "\t" }
        return Field(name: String(name), value: String(value))
    }
}

/// One connection, as observed by the peer.
public struct PeerConnection: Sendable {
    /// The requests on the connection, in order.
    public var requests: [ObservedRequest] = []
    /// The number of bytes that the peer could send.
    public var sentCount = 0
    /// Whether the client has closed or reset the connection.
    public var isClosedByClient = false
    /// The client's address without its port, if it is known.
    public var clientAddress: String?
    /// The host in the client's TLS server name indication (RFC 6066 §3).
    public var serverName: String?
    /// The protocols that the client offered by ALPN (RFC 7301), in order.
    public var offeredProtocols: [String] = []

    /// Creates a connection without any activity.
    public init() {}
}
