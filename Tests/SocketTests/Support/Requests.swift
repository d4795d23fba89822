import AirframeTransport
import FoundationEssentials
import HTTPTypes
import Synchronization

extension TransportRequest {
    /// A request for an absolute URL, straight to its server, taken apart here so that the tests depend on no URL type.
    init(_ method: HTTPRequest.Method = .get, _ url: String, fields: HTTPFields = [:], body: RequestBody = .none) {
        let scheme = url.prefix { $0 != ":" }
        let rest = url.dropFirst(scheme.count + 3)
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        let path = rest.dropFirst(authority.count)
        self.init(
            HTTPRequest(
                method: method,
                scheme: String(scheme),
                authority: String(authority),
                path: path.isEmpty ? "/" : String(path),
                headerFields: fields
            ),
            body: body
        )
        options.proxy = ProxyPolicy.none
    }

    func with(_ change: (inout TransportRequest) throws -> Void) rethrows -> TransportRequest {
        var request = self
        try change(&request)
        return request
    }
}

extension Transport {
    /// Sends and reads the whole body.
    func fetch(_ request: TransportRequest) async throws(TransportError) -> (response: TransportResponse, body: Data) {
        let response = try await send(request)
        return (response, try await response.body.collect(upTo: 1 << 30))
    }

    /// The whole body as text.
    func text(_ request: TransportRequest) async throws(TransportError) -> String {
        String(decoding: try await fetch(request).body, as: UTF8.self)
    }

    /// The error that a request ends with, in its head or its body; `nil` when it succeeds.
    func failure(of request: TransportRequest) async -> TransportError? {
        do {
            _ = try await fetch(request)
            return nil
        } catch {
            return error
        }
    }
}

/// A source that hands out its chunks one by one.
final class ChunkSource: RequestBodySource {
    private struct State {
        var chunks: [Data]
        var isCancelled = false
    }

    private let state: Mutex<State>
    private let delay: Duration?
    private let failure: (any Error)?

    init(_ chunks: [String], delay: Duration? = nil, failure: (any Error)? = nil) {
        state = Mutex(State(chunks: chunks.map { Data($0.utf8) }))
        self.delay = delay
        self.failure = failure
    }

    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    func next() async throws -> Data? {
        if let delay { try await Task.sleep(for: delay) }
        let chunk = state.withLock { $0.chunks.isEmpty ? nil : $0.chunks.removeFirst() }
        if chunk == nil, let failure { throw failure }
        return chunk
    }

    func cancel() { state.withLock { $0.isCancelled = true } }
}

struct SourceBroke: Error, Equatable {}

/// Looks again and again until `condition` holds, for at most 10 seconds.
func eventually(_ condition: @Sendable () -> Bool) async throws -> Bool {
    let end = ContinuousClock.now + .seconds(30)
    while ContinuousClock.now < end {
        if condition() { return true }
        try await Task.sleep(for: .milliseconds(5))
    }
    return condition()
}
