public import FoundationEssentials
public import HTTPTypes

/// How a response's body ended.
public enum ResponseBodyEnd: Sendable {
    /// The reader received all of it; with the trailer fields, if there were any.
    case complete(trailers: HTTPFields?)
    /// It failed.
    case failed(TransportError)
    /// The reader cancelled or dropped it.
    case cancelled
}

extension ResponseBody {
    /// Returns a body with the same bytes that reports its pieces and its end, for layers that record or count bytes.
    ///
    /// - Parameters:
    ///   - onBytes: Called with each piece before the reader receives it.
    ///   - onEnd: Called when the body ends, fails or is cancelled. Called once, except if the body is cancelled while
    ///     a reader waits: then a second call reports the reader's error.
    public func observed(
        onBytes: @escaping @Sendable (Data) -> Void = { _ in },
        onEnd: @escaping @Sendable (ResponseBodyEnd) -> Void
    ) -> ResponseBody {
        ResponseBody(ObservedSource(body: self, onBytes: onBytes, onEnd: onEnd), expectedLength: expectedLength)
    }
}

private final class ObservedSource: ResponseBodySource {
    private let body: ResponseBody
    private let onBytes: @Sendable (Data) -> Void
    private let onEnd: @Sendable (ResponseBodyEnd) -> Void

    init(
        body: ResponseBody,
        onBytes: @escaping @Sendable (Data) -> Void,
        onEnd: @escaping @Sendable (ResponseBodyEnd) -> Void
    ) {
        self.body = body
        self.onBytes = onBytes
        self.onEnd = onEnd
    }

    func next() async throws(TransportError) -> Data? {
        do throws(TransportError) {
            let chunk = try await body.next()
            if let chunk { onBytes(chunk) } else { onEnd(.complete(trailers: body.trailers)) }
            return chunk
        } catch {
            onEnd(.failed(error))
            throw error
        }
    }

    var trailers: HTTPFields? { body.trailers }

    func cancel() {
        body.cancel()
        onEnd(.cancelled)
    }
}
