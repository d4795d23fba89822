internal import AirframeTransport
internal import FoundationEssentials

/// How a request's content gets to the stream.
enum RequestContent: Sendable {
    /// None.
    case none
    /// In memory, with a length that the head announces: it goes out with the head.
    case memory(Data)
    /// Pulled as the connection takes it, while the response is read.
    case upload(RequestBody)

    init(_ body: RequestBody) {
        switch body.content {
        case .none where body.trailers == nil: self = .none
        case .bytes(let data) where body.trailers == nil: self = data.isEmpty ? .none : .memory(data)
        default: self = .upload(body)
        }
    }

    /// The content that is in memory as a whole.
    var inMemory: Data? {
        if case .memory(let data) = self { data } else { nil }
    }

    /// Whether it can be sent a second time.
    var isReplayable: Bool {
        if case .upload(let body) = self { body.replay != .oneShot } else { true }
    }
}
