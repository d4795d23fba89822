import AirframeLayers
import AirframeTestSupport
import AirframeTransport
import Foundation
import HTTPTypes
import Testing

@testable import AirframeCache

@Suite("Requests that only the cache may answer", .timeLimit(.minutes(1)))
struct OnlyCachedTests {
    private static let fresh = [("Cache-Control", "max-age=60")]

    @Test(
        "never reach the server, whatever their method, with and without a store",
        arguments: [HTTPRequest.Method.get, .head, .post, .put, .patch, .delete, .options], [true, false])
    func methods(method: HTTPRequest.Method, hasStore: Bool) async throws {
        let origin = ScriptedOrigin(Self.fresh)
        let cache =
            hasStore
            ? CacheLayer(origin, store: MemoryCacheStore()) : CacheLayer(withoutStore: origin, decoding: nil)
        let request = get(method: method).with { $0[CacheUse.self] = .onlyCached }
        let error = await #expect(throws: TransportError.self) { try await cache.send(request) }
        #expect(error?.code == .cacheMiss)
        #expect(origin.requests.isEmpty)
    }

    @Test("never reach the server with content or an upgrade, which stored responses do not answer")
    func unusual() async throws {
        let origin = ScriptedOrigin(Self.fresh)
        let cache = CacheLayer(origin, store: MemoryCacheStore())
        _ = try await cache.text(get())
        let requests = [
            get().with { $0.body = .bytes(Data("content".utf8)) }, get().with { $0.upgrade = .token("echo") },
        ]
        for request in requests {
            let own = request.with { $0[CacheUse.self] = .onlyCached }
            let error = await #expect(throws: TransportError.self) { try await cache.send(own) }
            #expect(error?.code == .cacheMiss)
        }
        #expect(origin.requests.count == 1)
    }

    @Test("do not reach the server when the stored content is gone, by setting or by directive (RFC 9111 §5.2.1.7)")
    func lostContent() async throws {
        let folder = ScratchFolder()
        let content = String(repeating: "x", count: 30_000)
        let origin = ScriptedOrigin { request, _ in .make(200, Self.fresh, content, to: request) }
        let cache = CacheLayer(origin, store: DiskCacheStore(directory: folder.path))
        _ = try await cache.text(get())
        let files = CacheFolder(path: folder.path).files(in: "bodies")
        #expect(files.count == 1)
        for file in files { try FileManager.default.removeItem(atPath: file) }
        let setting = get().with { $0[CacheUse.self] = .onlyCached }
        let error = await #expect(throws: TransportError.self) { try await cache.send(setting) }
        #expect(error?.code == .cacheMiss)
        let directive = try await cache.send(get("/a", [("Cache-Control", "only-if-cached")]))
        #expect(directive.head.status.code == 504)
        #expect(origin.requests.count == 1)
    }

    @Test("do not validate a response that may be served stale meanwhile (RFC 5861 §3)")
    func staleWhileRevalidate() async throws {
        let (clock, gate) = (ShiftedClock(), HeldBody())
        let fields = [("Cache-Control", "max-age=10, stale-while-revalidate=1000"), ("ETag", "\"1\"")]
        let origin = ScriptedOrigin(clock: clock) { request, number throws(TransportError) in
            if number > 1 { _ = try await gate.next() }
            return .make(200, fields, "answer \(number)", to: request)
        }
        let cache = CacheLayer(origin, store: MemoryCacheStore())
        _ = try await cache.text(get())
        clock.advance(seconds: 500)
        #expect(try await cache.text(get("/a", [("Cache-Control", "only-if-cached")])) == "answer 1")
        // A validation would wait for the gate.
        #expect(!cache.flights.isRevalidating)
        gate.give(nil)
    }
}
