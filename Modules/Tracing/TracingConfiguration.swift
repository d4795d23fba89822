public import AirframeTransport
public import HTTPTypes

/// The content of traces.
///
/// All recorded values have passed through ``redaction``.
public struct TracingConfiguration: Sendable {
    /// Redacts the secrets in URLs and header fields.
    public var redaction: RedactionPolicy

    /// Whether a request has its own span (`HTTP request`, of kind `internal`) around those of its attempts.
    /// Otherwise attempts are children of the caller's span.
    public var recordsRequests: Bool

    /// Whether name resolution, connecting, proxies and TLS handshakes are spans.
    public var recordsPhases: Bool

    /// Whether attempts have the request's `User-Agent` (`user_agent.original`).
    public var recordsUserAgent: Bool

    /// The fields of requests to record, as `http.request.header.<name>`.
    public var requestFields: [HTTPField.Name]

    /// The fields of responses to record, as `http.response.header.<name>`.
    public var responseFields: [HTTPField.Name]

    /// Returns the template of a request's path, such as `/users/{id}`, for the span's name and `url.template`; `nil`
    /// for a request without one. The number of templates must be small.
    public var urlTemplate: @Sendable (HTTPRequest) -> String?

    /// Returns whether a server receives the trace's context. The context may have more than two identifiers: send
    /// baggage only to trusted servers.
    public var propagates: @Sendable (Origin) -> Bool

    /// Creates a configuration.
    ///
    /// - Parameters:
    ///   - redaction: Redacts the secrets in URLs and header fields.
    ///   - recordsRequests: Whether a request has a span around those of its attempts.
    ///   - recordsPhases: Whether name resolution, connecting, proxies and TLS handshakes are spans.
    ///   - recordsUserAgent: Whether attempts have the request's `User-Agent`.
    ///   - requestFields: The fields of requests to record.
    ///   - responseFields: The fields of responses to record.
    ///   - urlTemplate: Returns the template of a request's path; none by default.
    ///   - propagates: Returns whether a server receives the trace's context; `true` by default.
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
