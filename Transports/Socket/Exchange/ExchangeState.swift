internal import AirframeTransport
internal import FoundationEssentials
internal import HTTPTypes

/// A stream in use by an exchange.
struct Lease {
    let connection: Connection
    let stream: any MessageStream
    /// Whether an earlier exchange ran on the connection.
    let isReused: Bool

    /// What the response says of its connection.
    var information: TransportConnection {
        var information = connection.information
        information.isReused = isReused
        return information
    }
}

/// How far the content of a request is.
enum UploadState {
    /// There is none, or all of it was sent with the head.
    case none
    /// Opened, and not begun: a source that can be read once could not be opened again.
    case opened(UploadContent)
    /// On its way in a task of its own.
    case sending(Uploader)
}

/// How far a response is.
enum ResponseState {
    /// The final head is still to come.
    case awaited
    /// The head has come, and so many bytes of content.
    case content(count: Int64)
    /// All has come, and the upload is noting its last piece: a server that has answered has what was sent to it.
    case settling(trailers: HTTPFields?)
    /// The stream has been released.
    case complete(trailers: HTTPFields?)
    /// The exchange has failed.
    case failed
}
