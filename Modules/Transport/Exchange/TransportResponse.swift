public import HTTPTypes

/// The response to one request: a complete head, and a body that the caller pulls.
public struct TransportResponse: Sendable {
    /// Status and header fields of the final response.
    public var head: HTTPResponse {
        get { sharedHead.head }
        _modify {
            var head = sharedHead.head
            defer { sharedHead = SharedResponseHead(head) }
            yield &head
        }
    }

    /// The status of the final response. Unlike ``head``, it makes no fields: an engine may leave fields that change
    /// with every response as bytes until a program reads the head.
    public var status: HTTPResponse.Status { sharedHead.known.status }

    /// The head, shared with the timeline.
    package var sharedHead: SharedResponseHead

    /// The content. Dropping it before its end ends the exchange.
    public var body: ResponseBody

    /// The two-way stream that follows the head, if the request asked for an ``TransportRequest/upgrade`` and the peer
    /// agreed. Dropping it closes the connection.
    public var stream: (any DuplexStream)?

    /// The connection of the exchange; `nil` if there was none (a cache, a mock).
    public var connection: TransportConnection?

    /// The origin of the response: the network, a cache, a recording or a mock.
    public var source = ResponseSource.network

    /// The head of the request that this answers: after redirects, the last one sent.
    public var request: HTTPRequest {
        get { requestHead.head }
        set { requestHead = SharedRequestHead(newValue) }
    }

    @usableFromInline package var requestHead: SharedRequestHead

    /// The recorder of the timelines of the exchanges that led to this response. The last one is complete when the body
    /// has ended.
    public var timelines: TimelineRecorder?

    /// The exchange of the response; `nil` if the transport names none.
    public var exchange: ExchangeIdentifier?

    /// The timeline of the response's exchange, up to now.
    public var timeline: ExchangeTimeline? { exchange.flatMap { timelines?.timeline(of: $0) } }

    /// The head as the engine received it, if a layer has changed ``head``: a layer that decodes content removes
    /// `Content-Encoding` and `Content-Length`. `nil` if no layer has.
    public var receivedHead: HTTPResponse? {
        get { storedReceivedHead?.head }
        set { storedReceivedHead = newValue.map { SharedResponseHead($0) } }
    }

    /// The validation of a stale response that a cache serves meanwhile (RFC 5861 §3); `nil` for other responses.
    package var revalidation: Revalidation?

    private var storedReceivedHead: SharedResponseHead?
}

// In an extension, so that they call the initializer of all members: one that assigns member by member copies the whole
// response at its end, 390 instructions.
extension TransportResponse {
    /// Creates a response.
    ///
    /// - Parameters:
    ///   - head: Status and header fields.
    ///   - body: The content.
    ///   - connection: The connection of the exchange.
    ///   - request: The head of the request that this answers.
    public init(
        head: HTTPResponse,
        body: ResponseBody,
        connection: TransportConnection? = nil,
        request: HTTPRequest
    ) {
        self.init(
            head: SharedResponseHead(head), body: body, connection: connection, request: SharedRequestHead(request))
    }

    package init(
        head: SharedResponseHead,
        body: ResponseBody,
        connection: TransportConnection?,
        request: SharedRequestHead,
        stream: (any DuplexStream)? = nil,
        timelines: TimelineRecorder? = nil,
        exchange: ExchangeIdentifier? = nil
    ) {
        self.init(
            sharedHead: head,
            body: body,
            stream: stream,
            connection: connection,
            requestHead: request,
            timelines: timelines,
            exchange: exchange,
            storedReceivedHead: nil
        )
    }

    /// Creates an engine's response, with the exchange and the timelines of the request.
    ///
    /// - Parameters:
    ///   - head: Status and header fields.
    ///   - body: The content.
    ///   - connection: The connection of the exchange.
    ///   - request: The request that this answers, as the engine accepted it.
    public init(
        head: HTTPResponse,
        body: ResponseBody,
        connection: TransportConnection?,
        answering request: TransportRequest
    ) {
        self.init(head: SharedResponseHead(head), body: body, connection: connection, request: request.sharedHead)
        timelines = request.timelines
        exchange = request.exchange
    }
}

/// The origin of a response.
public enum ResponseSource: String, Sendable, Hashable, CaseIterable {
    /// The server, over a connection of an engine.
    case network
    /// A cache, without asking the server (RFC 9111 §4.2).
    case cache
    /// A cache, after the server has confirmed the stored response (RFC 9111 §4.3).
    case revalidated
    /// A recording of an earlier exchange.
    case replay
    /// A test double.
    case mock
}
