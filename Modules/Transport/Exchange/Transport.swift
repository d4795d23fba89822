/// Performs one HTTP exchange: sends one request and brings back one response.
///
/// That is all a transport does. It follows no redirect, keeps no cookie, answers no challenge and decodes no
/// content: layers do that (see ``TransportLayer``), once, for every engine. A transport is used as `any Transport`,
/// so anything that can answer a request fits: an engine over the network, a mock, a recording, a closure.
///
/// ```swift
/// let response = try await transport.send(TransportRequest(head))
/// let data = try await response.body.collect(upTo: 1 << 20)
/// ```
public protocol Transport: Sendable {
    /// The capabilities of the transport. They never change.
    var capabilities: TransportCapabilities { get }

    /// The transport as a layer; `nil` for one that wraps no other. ``TransportLayer`` implements it.
    ///
    /// A requirement, because the first cast of each type searches all conformances of the process: 250,000
    /// instructions.
    var asLayer: (any TransportLayer)? { get }

    /// The transport's clock. Code that waits on the transport's behalf, such as a retry or a cache, uses it.
    var clock: any TransportClock { get }

    /// Sends `request`; returns once the final response head has arrived.
    ///
    /// The caller reads the body from the response; a caller that stops reading exerts backpressure on the server.
    /// Dropping the response, or cancelling the task that reads it, ends the exchange and releases its connection.
    /// Cancelling the calling task before the head has arrived ends the exchange immediately.
    ///
    /// - Parameter request: The request. Its events are reported, in order, to its sink.
    /// - Returns: The head of the final response (RFC 9110 §15: 2xx–5xx), its body and its connection. Informational
    ///   responses (1xx) are events.
    /// - Throws: A ``TransportError`` that says what failed, in which phase, and whether the peer may have processed
    ///   the request.
    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse

    /// Opens a connection that a later request like `request` can use: resolves the name, connects, and completes the
    /// TLS handshake. Nothing of the request is sent.
    ///
    /// - Parameter request: The request to prepare for: its origin, options, trust and identity count.
    /// - Returns: The connection, newly opened or one that was ready already.
    /// - Throws: The errors of ``send(_:)`` up to the same point; ``TransportError/Code/unsupportedOption`` from a
    ///   transport without ``TransportFeatures/preparation``.
    func prepare(_ request: TransportRequest) async throws(TransportError) -> TransportConnection

    /// Closes idle connections, lets exchanges in flight finish, and refuses later requests.
    ///
    /// Calling it is optional: a transport that is dropped releases all its resources.
    func shutdown() async
}

extension Transport {
    /// Returns `nil`: the transport wraps no other.
    public var asLayer: (any TransportLayer)? { nil }

    /// The system's clock.
    public var clock: any TransportClock { SystemClock.shared }

    /// Opens no connection, for a transport that has none.
    ///
    /// - Throws: ``TransportError/Code/unsupportedOption``, always.
    public func prepare(_ request: TransportRequest) async throws(TransportError) -> TransportConnection {
        throw TransportError(
            .unsupportedOption,
            phase: .options,
            processing: .notSent,
            message: "the transport \(capabilities.engine) does not support \(TransportFeatures.preparation)",
            origin: Origin(request.head)
        )
    }

    /// Does nothing, for a transport that keeps no connections.
    public func shutdown() async {}
}
