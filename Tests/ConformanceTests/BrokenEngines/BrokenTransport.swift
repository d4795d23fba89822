import AirframeCurl
import AirframeTransport
import FoundationEssentials
import HTTPTypes
import Synchronization

/// A sound engine with something broken.
struct BrokenTransport: Transport {
    typealias Send = @Sendable (TransportRequest, any Transport) async throws(TransportError) -> TransportResponse

    let base: any Transport
    let capabilities: TransportCapabilities
    private let breakage: Send

    init(
        _ base: any Transport = CurlTransport(),
        features: TransportFeatures? = nil,
        _ breakage: @escaping Send
    ) {
        self.base = base
        var capabilities = base.capabilities
        if let features { capabilities.features = features }
        self.capabilities = capabilities
        self.breakage = breakage
    }

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        try await breakage(request, base)
    }
}

extension TransportError {
    /// The error with other properties.
    func altered(
        as code: Code? = nil,
        in phase: TransportPhase? = nil,
        _ processing: Processing? = nil
    ) -> TransportError {
        TransportError(
            code ?? self.code,
            phase: phase ?? self.phase,
            processing: processing ?? self.processing,
            message: message,
            origin: origin
        )
    }
}

extension TransportRequest {
    /// The request, its events passed through `change`; `nil` swallows one.
    func changingEvents(
        _ change: @escaping @Sendable (TransportEvent) -> TransportEvent?
    ) -> TransportRequest {
        var request = self
        let sink = events
        request.events = ClosureEventSink { event in
            if let event = change(event) { sink?.receive(event) }
        }
        return request
    }
}

extension TransportResponse {
    /// The response, its body's errors passed through `change`; `nil` makes an end of one.
    func changingErrors(_ change: @escaping @Sendable (TransportError) -> TransportError?) -> TransportResponse {
        var response = self
        response.body = ResponseBody(ErrorFilter(body, change), expectedLength: body.expectedLength)
        return response
    }
}

private final class ErrorFilter: ResponseBodySource {
    private let body: ResponseBody
    private let change: @Sendable (TransportError) -> TransportError?

    init(_ body: ResponseBody, _ change: @escaping @Sendable (TransportError) -> TransportError?) {
        self.body = body
        self.change = change
    }

    var trailers: HTTPFields? { body.trailers }

    func next() async throws(TransportError) -> Data? {
        do throws(TransportError) {
            return try await body.next()
        } catch {
            guard let changed = change(error) else { return nil }
            throw changed
        }
    }

    func cancel() { body.cancel() }
}

/// Reads a body as fast as it comes, however slow its reader is.
final class EagerSource: ResponseBodySource {
    private struct Received {
        var chunks: [Data] = []
        var end: Result<Void, TransportError>?
    }

    // Guards what has come.
    private let received = Mutex(Received())
    private let body: ResponseBody

    init(_ body: ResponseBody) {
        self.body = body
        Task { [self] in
            do throws(TransportError) {
                while let chunk = try await body.next() { received.withLock { $0.chunks.append(chunk) } }
                received.withLock { $0.end = .success(()) }
            } catch {
                received.withLock { $0.end = .failure(error) }
            }
        }
    }

    func next() async throws(TransportError) -> Data? {
        while true {
            let (chunk, end) = received.withLock { received in
                (received.chunks.isEmpty ? nil : received.chunks.removeFirst(), received.end)
            }
            if let chunk { return chunk }
            if let end {
                try end.get()
                return nil
            }
            await Task.yield()
        }
    }

    func cancel() { body.cancel() }
}
