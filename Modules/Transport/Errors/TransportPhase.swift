/// A phase of an exchange. The constants are in chronological order.
public struct TransportPhase: Sendable, Hashable, RawRepresentable, CustomStringConvertible {
    /// The phase's name.
    public let rawValue: String

    /// Names a phase.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Checking options and request
    public static let options = TransportPhase(rawValue: "options")
    /// Waiting for a connection
    public static let pool = TransportPhase(rawValue: "pool")
    /// Name resolution
    public static let resolve = TransportPhase(rawValue: "name resolution")
    /// Connecting
    public static let connect = TransportPhase(rawValue: "connect")
    /// The handshake with the proxy
    public static let proxy = TransportPhase(rawValue: "proxy")
    /// The TLS handshake
    public static let tls = TransportPhase(rawValue: "TLS")
    /// Sending the head
    public static let requestHead = TransportPhase(rawValue: "request head")
    /// Sending the body
    public static let requestBody = TransportPhase(rawValue: "request body")
    /// Waiting for and reading the head of the response
    public static let responseHead = TransportPhase(rawValue: "response head")
    /// Reading the body of the response
    public static let responseBody = TransportPhase(rawValue: "response body")
    /// A layer's work on the response
    public static let layer = TransportPhase(rawValue: "layer")

    /// The phase's name.
    public var description: String { rawValue }
}
