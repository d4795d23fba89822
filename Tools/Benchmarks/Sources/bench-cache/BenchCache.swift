import Airframe
import Benchmark
import Foundation
import HTTPTypes

/// Measures the cost and benefit of a cache: the same small response from the network, from memory and from disk.
///
/// ```text
/// bench-cache --engine none|memory|disk|miss|store --face await|transport|layer --url URL --requests N …
/// ```
@main
enum BenchCache {
    enum Stored: String, CaseIterable {
        /// No cache: every request goes to the server.
        case none
        /// Every request is answered from memory.
        case memory
        /// Every request is answered from a file.
        case disk
        /// A cache in memory whose responses may not be stored.
        case miss
        /// A cache in memory that stores every response under its own URL.
        case store
    }

    enum Face: String, CaseIterable {
        /// `await session.request(…).serializingData().value`, over sockets.
        case await
        /// The layer over sockets, without a session.
        case transport
        /// The layer over a transport that answers immediately: the cost of the cache itself.
        case layer
    }

    static func main() async throws {
        let settings = Settings()
        let stored = settings.choice("--engine", settings.engine, default: Stored.memory)
        let face = settings.choice("--face", settings.face, default: Face.await)
        let trial = Trial(of: "airframe/\(stored.rawValue)/\(face.rawValue)", settings)
        let folder = FileManager.default.temporaryDirectory.appending(path: "bench-cache-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        switch face {
        case .await:
            let client = SessionClient(settings.url, stored, folder)
            await trial.run { try await client.perform() }
        case .transport:
            let client = try LayerClient(settings.url, stored, folder, over: SocketTransport())
            await trial.run { try await client.perform() }
        case .layer:
            let client = try LayerClient(settings.url, stored, folder, over: LayerClient.instant)
            await trial.run { try await client.perform() }
        }
    }
}

extension BenchCache.Stored {
    /// The cache's store; `nil` for no cache.
    func makeStore(_ folder: URL) -> (any CacheStore)? {
        switch self {
        case .none: nil
        case .memory, .miss, .store: MemoryCacheStore(capacity: 16 << 20)
        case .disk: DiskCacheStore(directory: folder.path)
        }
    }
}

/// Declares how long responses are fresh, instead of the server: a century, because `LayerClient.instant` has a fixed
/// date.
struct FreshnessLayer: TransportLayer {
    let base: any Transport
    let stored: BenchCache.Stored

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        var response = try await base.send(request)
        // The same field without a cache as for a miss, so that the difference is the cache's.
        let isFresh = stored != .miss && stored != .none
        response.head.headerFields[.cacheControl] = isFresh ? "max-age=3155760000" : "no-store"
        return response
    }
}
