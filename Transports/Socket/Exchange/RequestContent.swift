internal import AirframeTransport
internal import FoundationEssentials

/// The way in which a request's content is sent.
enum RequestContent: Sendable {
    /// The request has no content.
    case none
    /// The content is in memory, its length is in the head, and it is sent with the head.
    case memory(Data)
    /// The content is pulled as the connection accepts it, while the response is read.
    case upload(RequestBody)

    init(_ body: RequestBody) {
        switch body.content {
        case .none where body.trailers == nil: self = .none
        case .bytes(let data) where body.trailers == nil: self = data.isEmpty ? .none : .memory(data)
        default: self = .upload(body)
        }
    }

    /// The content, if all of it is in memory.
    var inMemory: Data? {
        if case .memory(let data) = self { data } else { nil }
    }

    /// Whether the content can be sent a second time.
    var isReplayable: Bool {
        if case .upload(let body) = self { body.replay != .oneShot } else { true }
    }
}
