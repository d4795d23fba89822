internal import AirframeTransport
internal import FoundationEssentials
internal import Synchronization

/// The content of a request, opened before anything is sent. Opening may block or run the caller's code, so the caller
/// does it and not the loop.
enum OpenedContent: Sendable {
    case bytes(Data)
    case file(OpenedFile)
    /// A stream, with its source for the first sending.
    case stream(RequestBody.Stream, first: FirstTaker<any RequestBodySource>)

    /// - Throws: ``TransportError/Code/bodyFailed`` or ``TransportError/Code/bodyLengthMismatch``; for a body that was
    ///   sent before and cannot be again, ``TransportError/Code/bodyNotReplayable``.
    init(_ body: RequestBody, origin: Origin) throws(TransportError) {
        switch body.content {
        case .none: self = .bytes(Data())
        case .bytes(let data): self = .bytes(data)
        case .file(let region): self = .file(try OpenedFile(region, origin: origin))
        case .stream(let stream):
            // The source is opened before the request: a body that was read earlier must not become an empty one.
            self = .stream(stream, first: FirstTaker(try Self.open(stream, origin: origin)))
        }
    }

    private static func open(
        _ stream: RequestBody.Stream,
        origin: Origin
    ) throws(TransportError) -> any RequestBodySource {
        do {
            return try stream.makeSource()
        } catch let error as TransportError {
            throw error
        } catch {
            throw TransportError(
                .bodyFailed,
                phase: .requestBody,
                processing: .notSent,
                message: "the source of the request's body cannot be opened: \(error)",
                origin: origin,
                underlying: error
            )
        }
    }
}

/// A value that the first caller of ``take()`` gets.
final class FirstTaker<Value: Sendable>: Sendable {
    private let value: Mutex<Value?>

    init(_ value: Value) { self.value = Mutex(value) }

    /// Returns the value, or `nil` if it has been taken.
    func take() -> Value? {
        value.withLock { value in
            defer { value = nil }
            return value
        }
    }
}
