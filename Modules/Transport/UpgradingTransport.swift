public import FoundationEssentials
public import HTTPTypes

/// The second door of a transport: an exchange that turns into a two-way byte stream.
///
/// It covers the switch of protocols by `101` (RFC 9110 §7.8), a tunnel by `CONNECT` (RFC 9110 §9.3.6) and the
/// extended `CONNECT` of HTTP/2 (RFC 8441). What is spoken on the stream, WebSocket for one, is the business of the
/// module above.
public protocol UpgradingTransport: Transport {
    /// Sends `request` and returns the stream that follows the response head.
    ///
    /// - Parameter request: A request with an `Upgrade` field or the method `CONNECT`. Its body must be empty.
    /// - Returns: The stream when the peer agreed, its ordinary response when it declined.
    /// - Throws: A ``TransportError``, as ``Transport/send(_:)`` does.
    func upgrade(_ request: TransportRequest) async throws(TransportError) -> UpgradeResult
}

/// What a peer answers to a request for an upgrade.
public enum UpgradeResult: Sendable {
    /// The peer agreed: the bytes of `stream` follow the head.
    case upgraded(head: HTTPResponse, stream: any DuplexStream, connection: TransportConnection?)
    /// The peer answered with an ordinary response.
    case declined(TransportResponse)
}

/// A two-way stream of bytes. Each direction has at most one caller at a time.
public protocol DuplexStream: AnyObject, Sendable {
    /// The next bytes from the peer, or `nil` once the peer has ended its direction. Not calling is backpressure.
    func read() async throws(TransportError) -> Data?

    /// Writes all of `data`; returns once the connection has taken it.
    func write(_ data: Data) async throws(TransportError)

    /// Ends our direction; the peer's stays open.
    func finishWriting() async throws(TransportError)

    /// Closes both directions at once.
    func close()
}
