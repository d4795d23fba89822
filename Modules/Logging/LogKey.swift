/// The keys of the metadata that ``RequestLogger`` writes.
///
/// The names are those of OpenTelemetry's conventions for HTTP clients where these have one.
///
/// | key | value | on |
/// |---|---|---|
/// | `http.request.id` | the request's identifier | every line |
/// | `http.request.method` | the method | the line of a request, heads |
/// | `url.full` | the URL, without secrets | the line of a request, heads |
/// | `http.response.status_code` | the status, if there was a response | the line of a request, heads |
/// | `http.request.duration` | milliseconds of the last attempt, first to last event | the line of a request |
/// | `http.request.body.size` | bytes of content sent, if any | the line of a request |
/// | `http.response.body.size` | bytes of content received on the wire | the line of a request |
/// | `http.request.resend_count` | the number of retries, if any | the line of a request |
/// | `http.request.redirects` | the number of redirects followed, if any | the line of a request |
/// | `network.protocol.name` | `http/1.1`, `h2` | the line of a request |
/// | `network.peer.address` | the address of the connection | the line of a request |
/// | `http.connection.reused` | `true` on a reused connection | the line of a request |
/// | `error.type` | a code such as `timedOut`, or a kind of `AFError` | the line of a request that failed |
/// | `error.message` | the error in a sentence | the line of a request that failed |
/// | `http.phase` | the phase that ended | phases |
/// | `http.phase.duration` | its duration in milliseconds | phases |
/// | `http.decision` | the decision | decisions |
/// | `http.request.header`, `http.response.header` | the fields, without secrets | heads |
/// | `http.request.body.content`, `http.response.body.content` | the text of a body, without secrets | bodies |
public enum LogKey {
    /// The request's identifier, the same on all its lines.
    public static let requestID = "http.request.id"
    /// The method.
    public static let method = "http.request.method"
    /// The URL, without secrets.
    public static let url = "url.full"
    /// The response's status.
    public static let statusCode = "http.response.status_code"
    /// Milliseconds from the first event of the last attempt to its last.
    public static let duration = "http.request.duration"
    /// Bytes of content sent.
    public static let requestBodySize = "http.request.body.size"
    /// Bytes of content received on the wire.
    public static let responseBodySize = "http.response.body.size"
    /// The number of retries.
    public static let retryCount = "http.request.resend_count"
    /// The number of redirects followed.
    public static let redirectCount = "http.request.redirects"
    /// The protocol: `http/1.1`, `h2`.
    public static let protocolName = "network.protocol.name"
    /// The address of the connection.
    public static let peerAddress = "network.peer.address"
    /// `true` on a reused connection.
    public static let isReused = "http.connection.reused"
    /// The kind of failure.
    public static let errorType = "error.type"
    /// The error in a sentence.
    public static let errorMessage = "error.message"
    /// The phase that ended.
    public static let phase = "http.phase"
    /// The duration of a phase in milliseconds.
    public static let phaseDuration = "http.phase.duration"
    /// The decision.
    public static let decision = "http.decision"
    /// The fields of a request's head, without secrets.
    public static let requestHeader = "http.request.header"
    /// The fields of a response's head, without secrets.
    public static let responseHeader = "http.response.header"
    /// The text of a request's content, without secrets.
    public static let requestBody = "http.request.body.content"
    /// The text of a response's content, without secrets.
    public static let responseBody = "http.response.body.content"
    /// Direction, kind and length of a WebSocket's message.
    public static let webSocketMessage = "websocket.message"
}
