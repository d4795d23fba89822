public import HTTPTypes

/// The answer to one request: the head at once, the body as it is pulled.
public struct TransportResponse: Sendable {
    /// Status and header fields of the final response.
    public var head: HTTPResponse

    /// The content. Dropping it before its end ends the exchange.
    public var body: ResponseBody

    /// The two-way stream that follows the head, if the request asked for an ``TransportRequest/upgrade`` and the peer
    /// agreed. Dropping it closes the connection.
    public var stream: (any DuplexStream)?

    /// The connection that brought the response, or `nil` when none did (a cache, a mock).
    public var connection: TransportConnection?

    /// The head of the request that this answers: after redirects, the last one sent.
    public var request: HTTPRequest

    /// The head as the engine received it, where a layer has changed ``head``: one that decodes content takes
    /// `Content-Encoding` and `Content-Length` out. `nil` where no layer has.
    public var receivedHead: HTTPResponse?

    /// Makes a response.
    ///
    /// - Parameters:
    ///   - head: Status and header fields.
    ///   - body: The content.
    ///   - connection: The connection that brought it.
    ///   - request: The head of the request that this answers.
    @inlinable public init(
        head: HTTPResponse,
        body: ResponseBody,
        connection: TransportConnection? = nil,
        request: HTTPRequest
    ) {
        self.head = head
        self.body = body
        self.connection = connection
        self.request = request
    }
}
