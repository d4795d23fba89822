internal import AirframeTransport
internal import FoundationEssentials
internal import HTTPTypes

/// An event of a stream's reading half.
enum MessageEvent {
    /// Nothing was received. Wait for ``Socket/Direction/reading``, unless ``MessageStream/hasInput`` is set.
    case blocked
    /// Bytes were received, but no complete event. This restarts limits.
    case progress
    /// An informational response (RFC 9110 §15.2). The final response follows.
    case informational(HTTPResponse)
    /// The head of the final response.
    case head(MessageHead)
    /// Content, never empty.
    case content(Data)
    /// The end of the response, with the trailer fields (RFC 9110 §6.5), if any.
    case end(trailers: HTTPFields?)
}

/// The head of a final response.
struct MessageHead {
    /// Status and fields.
    let shared: SharedResponseHead
    /// The head's size on the wire in bytes.
    let byteCount: Int
    /// The kind of content that follows the head.
    let content: MessageContent
    /// The version named in the head.
    let version: HTTPVersion

    /// Status and fields, made if they are pending.
    var response: HTTPResponse { shared.head }
    /// The status code.
    var statusCode: Int { shared.statusCode }
}

/// The content that follows a response head.
enum MessageContent: Equatable {
    /// No content.
    case none
    /// Content of this length in bytes, above 0.
    case length(Int64)
    /// Content of unknown length, whose framing marks its end.
    case unknown
    /// A byte stream in another protocol: the upgrade was accepted.
    case tunnel
}
