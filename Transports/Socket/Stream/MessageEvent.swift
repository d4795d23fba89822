internal import AirframeTransport
internal import FoundationEssentials
internal import HTTPTypes

/// What a stream received next.
enum MessageEvent {
    /// Nothing. Wait for ``Socket/Direction/reading``, unless ``MessageStream/hasInput`` says otherwise.
    case blocked
    /// Bytes, but nothing whole: a sign of life.
    case progress
    /// An informational response (RFC 9110 §15.2). The final one is still to come.
    case informational(HTTPResponse)
    /// The final response's head.
    case head(MessageHead)
    /// Content, never empty.
    case content(Data)
    /// The end of the response; the trailer fields (RFC 9110 §6.5), if there were any.
    case end(trailers: HTTPFields?)
}

/// The head of a final response.
struct MessageHead {
    /// Status and fields.
    let response: HTTPResponse
    /// The head's size on the wire in bytes.
    let byteCount: Int
    /// What follows the head.
    let content: MessageContent
    /// The version that the head names.
    let version: HTTPVersion
}

/// What follows the head of a response.
enum MessageContent: Equatable {
    /// Nothing.
    case none
    /// Content of this length in bytes, above 0.
    case length(Int64)
    /// Content that says itself where it ends.
    case unknown
    /// A stream of bytes in another protocol: the upgrade was accepted.
    case tunnel
}
