import AirframeMock
import AirframeTestSupport
import AirframeTransport
import FoundationEssentials
import Glibc
import HTTPTypes
import Synchronization
import Testing

/// Records the reports of several tasks in order.
final class Log<Value: Sendable>: Sendable {
    private let log = Mutex<[Value]>([])

    var values: [Value] { log.withLock { $0 } }

    func append(_ value: Value) { log.withLock { $0.append(value) } }
}

enum Processor {
    /// Computes until the calling thread has had so much processor time.
    static func compute(for duration: Duration) {
        let start = time
        while time - start < duration {}
    }

    private static var time: Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}

extension String {
    fileprivate var prefixUpToParenthesis: String { String(prefix { $0 != "(" }) }
}

extension MockTransport {
    /// Sends a request and takes its body whole.
    func fetch(_ request: TransportRequest) async throws(TransportError) -> (head: HTTPResponse, data: Data) {
        let response = try await send(request)
        let data = try await response.body.collect(upTo: 1 << 30)
        return (response.head, data)
    }

    /// The text of the response to `GET url`.
    func text(_ url: String) async throws(TransportError) -> String {
        String(decoding: try await fetch(.get(url)).data, as: UTF8.self)
    }

    /// The status of the response to a request.
    func status(_ request: TransportRequest) async throws(TransportError) -> Int {
        try await fetch(request).head.status.code
    }

    /// The error of a request.
    func failure(of request: TransportRequest) async -> TransportError? {
        do {
            _ = try await fetch(request)
            return nil
        } catch {
            return error
        }
    }
}

extension TransportRequest {
    static func get(_ url: String, _ fields: HTTPFields = [:], events: EventLog? = nil) -> TransportRequest {
        request(.get, url, fields, events: events)
    }

    static func post(_ url: String, _ body: RequestBody, events: EventLog? = nil) -> TransportRequest {
        request(.post, url, body: body, events: events)
    }

    static func request(
        _ method: HTTPRequest.Method,
        _ url: String,
        _ fields: HTTPFields = [:],
        body: RequestBody = .none,
        events: EventLog? = nil
    ) -> TransportRequest {
        let full = url.hasPrefix("/") ? "http://api.test\(url)" : url
        let parts = full.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        let head = HTTPRequest(
            method: method,
            scheme: String(parts[0].dropLast()),
            authority: String(parts[2]),
            path: "/" + (parts.count > 3 ? parts[3] : ""),
            headerFields: fields
        )
        return TransportRequest(head, body: body, events: events)
    }

    func with(_ change: (inout TransportRequest) -> Void) -> TransportRequest {
        var changed = self
        change(&changed)
        return changed
    }
}

/// Fails when `body` takes seconds of real time: virtual time takes none. Others may be busy on all processors, so it
/// may try again.
func takesNoTime(
    _ sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () async throws -> Void
) async rethrows {
    var best = Duration.seconds(1_000)
    for _ in 0..<5 where best >= .seconds(5) {
        let start = ContinuousClock.now
        try await body()
        best = min(best, start.duration(to: .now))
    }
    #expect(best < .seconds(5), "it took \(best)", sourceLocation: sourceLocation)
}
