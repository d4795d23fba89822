import Airframe
import Foundation
import Synchronization

/// The chain with `await`, over sockets.
struct SessionClient: Sendable {
    private let session: Session
    private let urls: Numbers

    init(_ url: String, _ stored: BenchCache.Stored, _ folder: URL) {
        let configuration = URLSessionConfiguration.af.default
        configuration.urlCache = nil
        let store = stored.makeStore(folder)
        configuration.layers.replace(.cache) { transport in
            let fresh = FreshnessLayer(base: transport, stored: stored)
            return store.map { CacheLayer(fresh, store: $0) } ?? fresh
        }
        session = Session(transport: SocketTransport(), configuration: configuration)
        urls = Numbers(url, changes: stored == .store)
    }

    func perform() async throws {
        _ = try await session.request(urls.next()).validate().serializingData().value
    }
}

/// The URL of each request: the same one, or one with the number of the request in its query.
final class Numbers: Sendable {
    private let url: String
    private let changes: Bool
    private let count = Atomic(0)

    init(_ url: String, changes: Bool) {
        self.url = url
        self.changes = changes
    }

    func next() -> String { changes ? "\(url)?\(count.add(1, ordering: .relaxed).newValue)" : url }
}
