import AirframeTransport
import FoundationEssentials
import HTTPTypes
import Synchronization

extension TransportRequest {
    /// A request for an absolute URL, split here so that the tests do not depend on a URL type.
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
    }

    func with(_ change: (inout TransportRequest) -> Void) -> TransportRequest {
        var request = self
        change(&request)
        return request
    }
}

extension Transport {
    /// Sends and reads the whole body.
    func fetch(_ request: TransportRequest) async throws(TransportError) -> (response: TransportResponse, body: Data) {
        let response = try await send(request)
        return (response, try await response.body.collect(upTo: 1 << 30))
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

/// A source that hands out its chunks one by one, and counts.
final class ChunkSource: RequestBodySource {
    struct State {
        var chunks: [Data]
        var asked = 0
        var pulled = 0
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

    var pulledCount: Int { state.withLock { $0.pulled } }
    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// How often the next chunk was asked for.
    var askedCount: Int { state.withLock { $0.asked } }

    func next() async throws -> Data? {
        state.withLock { $0.asked += 1 }
        if let delay { try await Task.sleep(for: delay) }
        let chunk = state.withLock { state -> Data? in
            guard !state.chunks.isEmpty else { return nil }
            state.pulled += 1
            return state.chunks.removeFirst()
        }
        if chunk == nil, let failure { throw failure }
        return chunk
    }

    func cancel() { state.withLock { $0.isCancelled = true } }
}

struct SourceBroke: Error, Equatable {}

/// Runs `operation`, or gives up after `limit`.
func within<Value: Sendable>(
    _ limit: Duration,
    _ operation: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    try await withThrowingTaskGroup(of: Value.self) { group in
        group.addTask(operation: operation)
        group.addTask {
            try await Task.sleep(for: limit)
            throw TookTooLong()
        }
        defer { group.cancelAll() }
        guard let value = try await group.next() else { throw TookTooLong() }
        return value
    }
}

struct TookTooLong: Error {}
