import AirframeTransport
import Foundation
import HTTPTypes
import Synchronization

/// A transport that answers with a closure and records its requests.
final class ClosureTransport: Transport {
    typealias Answer = @Sendable (TransportRequest) async throws(TransportError) -> TransportResponse

    let capabilities: TransportCapabilities
    private let answer: Answer
    private let sent = Mutex<[HTTPRequest]>([])

    init(features: TransportFeatures = TransportFeatures(rawValue: .max), _ answer: @escaping Answer) {
        capabilities = TransportCapabilities(engine: "closure", features: features)
        self.answer = answer
    }

    var requests: [HTTPRequest] { sent.withLock { $0 } }

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        var request = request.prepared(on: clock)
        try capabilities.accept(&request, on: clock)
        sent.withLock { $0.append(request.head) }
        return try await answer(request)
    }
}

extension TransportResponse {
    /// A response with a text body.
    static func text(
        _ text: String = "",
        status: Int = 200,
        fields: HTTPFields = [:],
        to request: TransportRequest
    ) -> TransportResponse {
        var head = HTTPResponse(status: .init(code: status), headerFields: fields)
        if head.headerFields[.contentLength] == nil { head.headerFields[.contentLength] = "\(text.utf8.count)" }
        return TransportResponse(head: head, body: ResponseBody(.init(text.utf8)), request: request.head)
    }
}

/// An endless body that counts the pulls of its chunk.
final class EndlessBody: ResponseBodySource {
    private let count = Atomic<Int>(0)
    private let cancelled = Atomic(false)

    var pulls: Int { count.load(ordering: .relaxed) }
    var isCancelled: Bool { cancelled.load(ordering: .relaxed) }

    func next() async throws(TransportError) -> Data? {
        count.add(1, ordering: .relaxed)
        guard !Task.isCancelled else { throw .cancelled(in: .responseBody, processing: .unknown) }
        await Task.yield()
        return Data(repeating: 1, count: 1024)
    }

    func cancel() { cancelled.store(true, ordering: .relaxed) }
}
