import AirframeCore
import AirframeLayers
import AirframeSerialization
import AirframeTestSupport
import AirframeTransport
import Foundation
import HTTPTypes
import Synchronization
import Testing

/// A minimal caching layer: by URL, without expiration, in memory.
private final class SmallCache: TransportLayer {
    let base: any Transport
    private let kept = Mutex<[String: CacheableResponse]>([:])

    init(_ base: any Transport) { self.base = base }

    var entries: [String: CacheableResponse] { kept.withLock { $0 } }

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        let key = request.head.path ?? ""
        if let hit = kept.withLock({ $0[key] }) {
            request.report(.servedFromCache, because: "it was asked for before", on: clock)
            return TransportResponse(head: hit.head, body: ResponseBody(hit.data), request: request.head)
        }
        var response = try await base.send(request)
        let data = try await response.body.collect(upTo: 1 << 20)
        response.body = ResponseBody(data)
        let candidate = CacheableResponse(head: response.head, data: data, answering: request.head)
        let decide = request[CacheDecision.self]
        if let keep = decide == nil ? candidate : await decide?(candidate), keep.storage != .nowhere {
            kept.withLock { $0[key] = keep }
        }
        return response
    }
}

@Suite("Caching layers and handlers", .timeLimit(.minutes(1)))
struct CacheSeamTests {
    private static func make(
        handler: (any CachedResponseHandler)? = nil,
        monitors: [any EventMonitor] = []
    ) -> (Session, SmallCache, ScriptedTransport) {
        let transport = ScriptedTransport { .status(200, "fresh", fields: [.contentType: "text/plain"], to: $0) }
        let cache = SmallCache(transport)
        let session = Session(transport: cache, cachedResponseHandler: handler, eventMonitors: monitors)
        return (session, cache, transport)
    }

    @Test("without a handler, the caching layer decides")
    func withoutHandler() async throws {
        let (session, _, transport) = Self.make()
        for _ in 0..<3 {
            #expect(try await session.request("http://api.test/a").serializingString().value == "fresh")
        }
        #expect(transport.heads.count == 1)
    }

    @Test(".cache stores a response, .doNotCache does not", arguments: [true, false])
    func behaviors(keeps: Bool) async throws {
        let (session, cache, transport) = Self.make(handler: keeps ? ResponseCacher.cache : .doNotCache)
        for _ in 0..<3 { _ = try await session.request("http://api.test/a").serializingString().value }
        #expect(transport.heads.count == (keeps ? 1 : 3))
        #expect(cache.entries.count == (keeps ? 1 : 0))
    }

    @Test("a request's own handler replaces the session's")
    func precedence() async throws {
        let (session, cache, _) = Self.make(handler: ResponseCacher.cache)
        _ = try await session.request("http://api.test/a").cacheResponse(using: .doNotCache).serializingString().value
        #expect(cache.entries.isEmpty)
        _ = try await session.request("http://api.test/b").serializingString().value
        #expect(cache.entries.count == 1)
    }

    @Test("a handler receives the task and the response, and may change the stored response")
    func modifies() async throws {
        let (session, cache, _) = Self.make(
            handler: .modify { task, proposed in
                #expect(task.originalRequest?.url?.path() == "/a")
                #expect((proposed.response as? HTTPURLResponse)?.url?.absoluteString == "http://api.test/a")
                #expect(proposed.data == Data("fresh".utf8))
                #expect(proposed.storagePolicy == .allowed)
                return CachedURLResponse(
                    response: proposed.response,
                    data: Data("kept".utf8),
                    userInfo: ["by": "test"],
                    storagePolicy: .allowedInMemoryOnly
                )
            })
        #expect(try await session.request("http://api.test/a").serializingString().value == "fresh")
        let again = await session.request("http://api.test/a").serializingString().response
        #expect(again.value == "kept")
        #expect(again.response?.mimeType == "text/plain")
        #expect(cache.entries["/a"]?.storage == .memory)
        #expect(cache.entries["/a"]?.userInfo["by"] as? String == "test")
    }

    @Test("a response with the policy notAllowed is not stored")
    func notAllowed() async throws {
        let (session, cache, _) = Self.make(
            handler: .modify { _, proposed in
                CachedURLResponse(response: proposed.response, data: proposed.data, storagePolicy: .notAllowed)
            })
        _ = try await session.request("http://api.test/a").serializingString().value
        #expect(cache.entries.isEmpty)
    }

    @Test("monitors are notified of responses to cache, and metrics report responses from the cache")
    func events() async throws {
        final class Monitor: EventMonitor {
            let queue = DispatchQueue(label: "monitor")
            let kept = Log<String>()
            func urlSession(
                _ session: URLSession, dataTask: URLSessionDataTask,
                willCacheResponse proposedResponse: CachedURLResponse
            ) {
                kept.append(String(decoding: proposedResponse.data, as: UTF8.self))
            }
        }
        let monitor = Monitor()
        let (session, _, _) = Self.make(monitors: [monitor])
        _ = try await session.request("http://api.test/a").serializingString().value
        let response = await session.request("http://api.test/a").serializingString().response
        monitor.queue.sync {}
        #expect(monitor.kept.values == ["fresh"])
        #expect(response.metrics?.transactionMetrics.last?.resourceFetchType == .localCache)
    }

    @Test("handlers are not called for downloads")
    func downloads() async throws {
        let (session, cache, _) = Self.make(handler: .doNotCache)
        let url = try await session.download("http://api.test/a").serializingDownloadedFileURL().value
        try FileManager.default.removeItem(at: url)
        #expect(cache.entries.count == 1)
    }
}
