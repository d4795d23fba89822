import AirframeTestSupport
import AirframeTransport
import FoundationEssentials
import HTTPTypes
import Synchronization

extension ScriptedTransport {
    /// Answers the first request with `status` and `location`, and all others with 200.
    convenience init(redirecting status: Int, to location: String) {
        let isFirst = Mutex(true)
        self.init { request in
            let wasFirst = isFirst.withLock { first in
                defer { first = false }
                return first
            }
            return wasFirst ? .redirect(status, to: location, from: request) : .ok(request)
        }
    }
}

extension TransportResponse {
    static func ok(_ request: TransportRequest) -> TransportResponse {
        TransportResponse(head: HTTPResponse(status: .ok), body: ResponseBody(), request: request.head)
    }

    static func redirect(
        _ status: Int,
        to location: String?,
        body: ResponseBody = ResponseBody(),
        from request: TransportRequest
    ) -> TransportResponse {
        var head = HTTPResponse(status: HTTPResponse.Status(code: status))
        head.headerFields[.location] = location
        return TransportResponse(head: head, body: body, request: request.head)
    }
}

extension TransportRequest {
    /// A request for a URL of the form `scheme://authority/path`.
    static func to(
        _ url: String,
        method: HTTPRequest.Method = .get,
        fields: HTTPFields = [:],
        body: RequestBody = .none
    ) -> TransportRequest {
        let parts = url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        let head = HTTPRequest(
            method: method,
            scheme: String(parts[0].dropLast()),
            authority: String(parts[2]),
            path: "/" + (parts.count > 3 ? parts[3] : ""),
            headerFields: fields
        )
        return TransportRequest(head, body: body)
    }

    /// The URL that the request is for.
    var url: String { "\(head.scheme ?? "")://\(head.authority ?? "")\(head.path ?? "")" }
}

extension EventLog {
    /// The events in words: decisions and failures.
    var words: [String] {
        events.map { event in
            switch event.kind {
            case .decided(let decision): Self.words(decision)
            case .failed(let error): "failed: \(error.code)"
            default: "another event"
            }
        }
    }

    private static func words(_ decision: TransportDecision) -> String {
        switch decision.kind {
        case .followedRedirect(let response, let next):
            "followed \(response.status.code) to \(next.method) \(next.path ?? "") (\(decision.reason))"
        case .refusedRedirect(let response): "refused \(response.status.code) (\(decision.reason))"
        case .routed(let engine): "routed to \(engine) (\(decision.reason))"
        default: "another decision"
        }
    }
}

/// A clock that stands still until it is moved.
final class StillClock: TransportClock {
    private let instant = Mutex(MonotonicInstant(nanoseconds: 0))

    var now: MonotonicInstant { instant.withLock { $0 } }

    func advance(by duration: Duration) { instant.withLock { $0 = $0.advanced(by: duration) } }

    func date(at instant: MonotonicInstant) -> Date { Date(timeIntervalSince1970: 0) }

    func sleep(until deadline: MonotonicInstant) async throws {}
}

/// A body of chunks of a KiB, that counts how many were read, and whether it was ended early.
final class CountedBody: ResponseBodySource {
    private let state = Mutex((left: 0, reads: 0, cancellations: 0))
    private let error: TransportError?

    /// - Parameter error: Thrown after the chunks, in place of the end.
    init(chunks: Int, then error: TransportError? = nil) {
        self.error = error
        state.withLock { $0.left = chunks }
    }

    var reads: Int { state.withLock { $0.reads } }
    var cancellations: Int { state.withLock { $0.cancellations } }

    func next() async throws(TransportError) -> Data? {
        let hasMore = state.withLock { state in
            state.reads += 1
            guard state.left > 0 else { return false }
            state.left -= 1
            return true
        }
        if hasMore { return Data(repeating: 1, count: 1024) }
        if let error { throw error }
        return nil
    }

    func cancel() { state.withLock { $0.cancellations += 1 } }
}
