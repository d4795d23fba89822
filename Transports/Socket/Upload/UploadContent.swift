internal import AirframeTransport
internal import FoundationEssentials

/// A request's content, opened for one attempt.
enum UploadContent: Sendable {
    case memory(Data)
    case file(FileContent)
    case source(any RequestBodySource)

    /// Opens the content; `nil` if the request has none.
    ///
    /// - Throws: A ``TransportError`` if the content cannot be sent, such as a missing file or a one-shot source that
    ///   was already read.
    init?(_ plan: borrowing RequestPlan) throws(TransportError) {
        switch plan.content {
        case .none: return nil
        case .memory(let data): self = .memory(data)
        case .upload(let body):
            switch body.content {
            case .none: self = .memory(Data())
            case .bytes(let data): self = .memory(data)
            case .file(let region): self = .file(try FileContent(region, origin: plan.origin))
            case .stream(let stream): self = .source(try Self.open(stream, plan))
            }
        }
    }

    /// Cancels a source that was opened and will not be read.
    func abandon() {
        if case .source(let source) = self { source.cancel() }
    }

    private static func open(
        _ stream: RequestBody.Stream,
        _ plan: borrowing RequestPlan
    ) throws(TransportError) -> any RequestBodySource {
        do {
            return try stream.makeSource()
        } catch let error as TransportError {
            throw error
        } catch {
            let message = "the request's body could not be opened: \(error)"
            throw plan.error(.bodyFailed, phase: .requestBody, message: message, underlying: error)
        }
    }
}
