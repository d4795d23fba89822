import AirframeTransport
import Foundation
import Synchronization

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
