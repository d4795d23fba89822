internal import AirframeTransport
internal import FoundationEssentials

/// A request's content, opened for one sending.
enum UploadContent: Sendable {
    case memory(Data)
    case file(FileContent)
    case stream(RequestBody.Stream)

    /// Opens the content; `nil` when there is none that needs it.
    ///
    /// - Throws: What makes a file impossible to send, before anything is sent.
    init?(_ plan: RequestPlan) throws(TransportError) {
        switch plan.content {
        case .none: return nil
        case .memory(let data): self = .memory(data)
        case .upload(let body):
            switch body.content {
            case .none: self = .memory(Data())
            case .bytes(let data): self = .memory(data)
            case .file(let region): self = .file(try FileContent(region, origin: plan.origin))
            case .stream(let stream): self = .stream(stream)
            }
        }
    }
}
