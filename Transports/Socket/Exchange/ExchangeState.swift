internal import AirframeTransport
internal import FoundationEssentials
internal import HTTPTypes

/// A connection and stream in use by an exchange.
struct Lease {
    let connection: Connection
    let stream: any MessageStream
    /// Whether the connection has carried an earlier exchange.
    let isReused: Bool

    /// The connection's description for the response.
    var information: TransportConnection {
        var information = connection.information
        information.isReused = isReused
        return information
    }
}

/// The state of a request's content.
enum UploadState {
    /// The request has no content, or all of it was sent with the head.
    case none
    /// The content is open and unsent. It stays open across retries, since a one-shot source opens only once.
    case opened(UploadContent)
    /// A task of its own is sending the content.
    case sending(Uploader)
}

/// The state of a response.
enum ResponseState {
    /// No part of the final head has arrived.
    case awaited
    /// Part of a head has arrived while the request is being sent.
    case begun
    /// The head has arrived, and `count` bytes of content.
    case content(count: Int64)
    /// The response is complete, and the upload is about to record its last piece.
    case settling(trailers: HTTPFields?)
    /// The stream has been released.
    case complete(trailers: HTTPFields?)
    /// The exchange has failed.
    case failed
}
