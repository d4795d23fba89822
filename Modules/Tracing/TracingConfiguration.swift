public import AirframeTransport
public import HTTPTypes

/// What traces hold of requests.
///
/// Whatever is recorded has gone through ``redaction``.
public struct TracingConfiguration: Sendable {
    /// Hides the secrets in URLs and header fields.
    public var redaction: RedactionPolicy

    /// Whether a request has a span of its own (`HTTP request`, of kind `internal`) around those of its attempts. Without
    /// it attempts are children of the caller's span.
    public var recordsRequests: Bool

    /// Whether name resolution, connecting, proxies and TLS handshakes are spans.
    public var recordsPhases: Bool

    /// Whether attempts tell what the request's `User-Agent` was (`user_agent.original`).
    public var recordsUserAgent: Bool

    /// The fields of requests to record, as `http.request.header.<name>`.
    public var requestFields: [HTTPField.Name]

    /// The fields of responses to record, as `http.response.header.<name>`.
    public var responseFields: [HTTPField.Name]

    /// The template that a request's path was made from, such as `/users/{id}`: it becomes part of the span's name and
    /// `url.template`. There must be few of them. `nil` for a request that has none.
    public var urlTemplate: @Sendable (HTTPRequest) -> String?

    /// Whether a server gets the trace's context. It may hold more than two identifiers: baggage is for friends.
    public var propagates: @Sendable (Origin) -> Bool

    /// Decides what traces hold.
    ///
    /// - Parameters:
    ///   - redaction: Hides the secrets in URLs and header fields.
    ///   - recordsRequests: Whether a request has a span around those of its attempts.
    ///   - recordsPhases: Whether name resolution, connecting, proxies and TLS handshakes are spans.
    ///   - recordsUserAgent: Whether attempts tell what the request's `User-Agent` was.
    ///   - requestFields: The fields of requests to record.
    ///   - responseFields: The fields of responses to record.
    ///   - urlTemplate: The template that a request's path was made from; none by default.
    ///   - propagates: Whether a server gets the trace's context; all do by default.
    public init(
        redaction: RedactionPolicy = .standard,
        recordsRequests: Bool = true,
        recordsPhases: Bool = true,
        recordsUserAgent: Bool = false,
        requestFields: [HTTPField.Name] = [],
        responseFields: [HTTPField.Name] = [],
        urlTemplate: @escaping @Sendable (HTTPRequest) -> String? = { _ in nil },
        propagates: @escaping @Sendable (Origin) -> Bool = { _ in true }
    ) {
        self.redaction = redaction
        self.recordsRequests = recordsRequests
        self.recordsPhases = recordsPhases
        self.recordsUserAgent = recordsUserAgent
        self.requestFields = requestFields
        self.responseFields = responseFields
        self.urlTemplate = urlTemplate
        self.propagates = propagates
    }
}
