import Airframe
import AirframeHAR
import AirframeMock
import AirframeTestSupport
import Foundation
import HTTPTypes
import Testing

@Suite("Sessions with a cache", .timeLimit(.minutes(1)))
struct SessionCacheTests {
    private static let url = "http://api.test/a"

    private func session(
        _ origin: ScriptedOrigin,
        _ cache: URLCache? = URLCache(memoryCapacity: 1 << 20, diskCapacity: 0),
        handler: (any CachedResponseHandler)? = nil
    ) -> Session {
        let configuration = URLSessionConfiguration.af.ephemeral
        configuration.urlCache = cache
        return Session(transport: origin, configuration: configuration, cachedResponseHandler: handler)
    }

    @Test("a session answers from its URLCache, and its metrics show that; without a cache it does not")
    func hits() async throws {
        let origin = ScriptedOrigin([("Cache-Control", "max-age=60")])
        let session = session(origin)
        for number in 1...3 {
            let response = await session.request(Self.url).serializingString().response
            #expect(response.value == "answer 1")
            let type = response.metrics?.transactionMetrics.last?.resourceFetchType
            #expect((type == .localCache) == (number > 1))
        }
        #expect(origin.requests.count == 1)
        let other = ScriptedOrigin([("Cache-Control", "max-age=60")])
        let plain = self.session(other, nil)
        for _ in 0..<2 { _ = await plain.request(Self.url).serializingString().response }
        #expect(other.requests.count == 2)
    }

    @Test("default configurations share a cache; each ephemeral one has its own, which copies share")
    func configurations() {
        #expect(URLSessionConfiguration.default.urlCache === URLCache.shared)
        let ephemeral = URLSessionConfiguration.ephemeral
        #expect(ephemeral.urlCache !== URLCache.shared && ephemeral.urlCache === ephemeral.urlCache)
        ephemeral.urlCache = nil
        #expect(ephemeral.urlCache == nil)
    }

    @Test("cookies of a stored response are not set a second time")
    func cookies() async throws {
        let origin = ScriptedOrigin([("Cache-Control", "max-age=60"), ("Set-Cookie", "a=1")])
        let session = session(origin)
        _ = await session.request(Self.url).serializingString().response
        let storage = try #require(session.sessionConfiguration.httpCookieStorage)
        #expect(storage.cookies?.count == 1)
        storage.removeCookies(since: .distantPast)
        _ = await session.request(Self.url).serializingString().response
        #expect(origin.requests.count == 1)
        #expect(storage.cookies?.isEmpty == true)
    }

    @Test("cookies of a response that replaces a stale one in the background are stored")
    func backgroundCookies() async throws {
        let clock = ShiftedClock()
        let origin = ScriptedOrigin(clock: clock) { request, number in
            let fields = [
                ("Cache-Control", "max-age=60, stale-while-revalidate=6000"), ("ETag", "\"1\""),
                ("Set-Cookie", "sid=\(number)"),
            ]
            return .make(number == 3 ? 304 : 200, fields, "answer \(number)", to: request)
        }
        let session = session(origin)
        let storage = try #require(session.sessionConfiguration.httpCookieStorage)
        #expect(await session.request(Self.url).serializingString().response.value == "answer 1")
        #expect(storage.cookies?.map(\.value) == ["1"])
        for number in 2...3 {
            clock.advance(seconds: 100)
            try await eventually("the cookie of answer \(number)") {
                _ = await session.request(Self.url).serializingString().response
                return storage.cookies?.map(\.value) == ["\(number)"]
            }
        }
        #expect(origin.requests.count == 3)
    }

    @Test("archives have the cache's decisions and their reasons")
    func archive() async throws {
        let origin = ScriptedOrigin([("Cache-Control", "max-age=60"), ("ETag", "\"1\"")])
        let recording = RecordingTransport(CacheLayer(origin, store: MemoryCacheStore()))
        for _ in 0..<2 { _ = try await recording.text(get()) }
        let entries = recording.log.entries
        #expect(entries.count == 2)
        #expect(entries.first?.cache.beforeRequest == nil)
        #expect(entries.first?.cache.comment?.contains("stored: fresh for") == true)
        #expect(entries.last?.cache.beforeRequest?.eTag == "\"1\"")
        #expect(entries.last?.cache.comment?.contains("served: fresh for") == true)
    }

    @Test("each cache policy has its effect")
    func policies() async throws {
        let origin = ScriptedOrigin([("Cache-Control", "max-age=60"), ("ETag", "\"1\"")])
        let session = session(origin)
        func text(_ policy: URLRequest.CachePolicy) async -> String? {
            var request = URLRequest(url: URL(string: Self.url) ?? URL(filePath: "/"))
            request.cachePolicy = policy
            return await session.request(request).serializingString().response.value
        }
        #expect(await text(.returnCacheDataDontLoad) == nil)
        #expect(await text(.useProtocolCachePolicy) == "answer 1")
        #expect(await text(.returnCacheDataDontLoad) == "answer 1")
        #expect(await text(.reloadIgnoringLocalCacheData) == "answer 2")
        #expect(await text(.reloadIgnoringLocalAndRemoteCacheData) == "answer 3")
        #expect(await text(.reloadRevalidatingCacheData) == "answer 4")
        #expect(await text(.returnCacheDataElseLoad) == "answer 4")
        #expect(origin.requests[2].headerFields[.cacheControl] == "no-cache")
        #expect(origin.requests[3].headerFields[.ifNoneMatch] == "\"1\"")
    }

    @Test("content is stored coded, and decoded for requests, for handlers and for users of URLCache")
    func codings() async throws {
        let plain = String(repeating: "content ", count: 100)
        var encoder = try ContentEncoder(.gzip)
        let coded = Data(try encoder.encode([UInt8](plain.utf8)) + encoder.finish())
        let origin = ScriptedOrigin { request, _ in
            TransportResponse(
                head: .make(
                    200, [("Cache-Control", "max-age=60"), ("Content-Encoding", "gzip"), ("Vary", "Accept-Encoding")]),
                body: ResponseBody(coded), request: request.head)
        }
        let cache = URLCache(memoryCapacity: 1 << 20, diskCapacity: 0)
        let seen = Seen()
        let session = session(
            origin, cache,
            handler: .modify { _, proposed in
                seen.data.append(proposed.data)
                return proposed
            })
        for _ in 0..<2 { #expect(await session.request(Self.url).serializingString().response.value == plain) }
        #expect(seen.data.all == [Data(plain.utf8)])
        #expect(origin.requests.count == 1)
        var request = URLRequest(url: try #require(URL(string: Self.url)))
        request.headers = HTTPHeaders(["Accept-Encoding": origin.requests[0].headerFields[.acceptEncoding] ?? ""])
        #expect(cache.cachedResponse(for: request)?.data == Data(plain.utf8))
        #expect(cache.currentMemoryUsage < 3000)
    }

    @Test("URLCache stores, returns and removes by request, with Foundation's names")
    func byRequest() throws {
        let folder = ScratchFolder()
        for cache in [
            URLCache(memoryCapacity: 1 << 20, diskCapacity: 0),
            URLCache(memoryCapacity: 1 << 20, diskCapacity: 8 << 20, directory: URL(filePath: folder.path)),
        ] {
            let url = try #require(URL(string: "http://api.test/x"))
            let response = try #require(
                HTTPURLResponse(
                    url: url, statusCode: 200, httpVersion: nil, headerFields: ["Content-Type": "text/plain"]))
            let request = URLRequest(url: url)
            #expect(cache.cachedResponse(for: request) == nil)
            cache.storeCachedResponse(CachedURLResponse(response: response, data: Data("x".utf8)), for: request)
            #expect(cache.cachedResponse(for: request)?.data == Data("x".utf8))
            #expect((cache.cachedResponse(for: request)?.response as? HTTPURLResponse)?.mimeType == "text/plain")
            #expect(cache.currentMemoryUsage > 0)
            #expect((cache.currentDiskUsage > 0) == (cache.diskCapacity > 0))
            cache.removeCachedResponses(since: Date(timeIntervalSinceNow: -5))
            #expect(cache.cachedResponse(for: request) == nil)
            cache.storeCachedResponse(
                CachedURLResponse(
                    response: response, data: Data("m".utf8), userInfo: ["k": "v"],
                    storagePolicy: .allowedInMemoryOnly),
                for: request)
            #expect(cache.cachedResponse(for: request)?.userInfo?["k"] as? String == "v")
            #expect(cache.cachedResponse(for: request)?.storagePolicy == .allowedInMemoryOnly)
            cache.removeCachedResponse(for: request)
            #expect(cache.cachedResponse(for: request) == nil)
            cache.storeCachedResponse(
                CachedURLResponse(response: response, data: Data("n".utf8), storagePolicy: .notAllowed), for: request)
            #expect(cache.cachedResponse(for: request) == nil)
            cache.removeAllCachedResponses()
        }
    }
}

/// Values that a handler has seen.
private final class Seen: Sendable {
    let data = Values<Data>()
}
