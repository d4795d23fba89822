import AirframeTestSupport
import AirframeTransport
import Foundation
import HTTPTypes
import Synchronization

/// A body of given chunks that counts its pulls.
final class PacedBody: ResponseBodySource {
    private let chunks: [Data]
    private let failure: TransportError?
    private let asked = Atomic<Int>(0)
    private let cancelled = Atomic(false)

    init(_ chunks: [Data], failure: TransportError? = nil) {
        self.chunks = chunks
        self.failure = failure
    }

    /// The number of pulls.
    var pulls: Int { asked.load(ordering: .acquiring) }
    var isCancelled: Bool { cancelled.load(ordering: .acquiring) }

    func next() async throws(TransportError) -> Data? {
        let index = asked.wrappingAdd(1, ordering: .releasing).oldValue
        await Task.yield()
        guard !Task.isCancelled else { throw .cancelled(in: .responseBody, processing: .unknown) }
        if index < chunks.count { return chunks[index] }
        if let failure { throw failure }
        return nil
    }

    func cancel() { cancelled.store(true, ordering: .releasing) }
}

extension ScriptedTransport {
    /// A transport that answers everything with `status` and one body.
    static func serving(_ body: PacedBody, status: Int = 200) -> ScriptedTransport {
        ScriptedTransport { request in
            TransportResponse(
                head: .init(status: .init(code: status)), body: ResponseBody(body), request: request.head)
        }
    }
}

extension TransportError {
    static let lost = TransportError(
        .connectionLost, phase: .responseBody, processing: .unknown, message: "the connection was lost")
}
