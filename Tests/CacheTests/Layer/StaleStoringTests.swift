import Airframe
import AirframeCache
import AirframeLayers
import AirframeTransport
import Foundation
import HTTPTypes
import Testing

@Suite("Responses that are stale when they arrive and cannot be validated", .timeLimit(.minutes(1)))
struct StaleStoringTests {
    private static let url = "http://api.test/a"

    /// An engine without a cache, which numbers its responses. They have no fields for caches.
    private static func engine() -> any Transport {
        let count = Values<Int>()
        return ClosureTransport(features: TransportFeatures(rawValue: .max).subtracting(.responseCache)) { request in
            count.append(1)
            return .make(200, [], "answer \(count.all.count)", to: request)
        }
    }

    /// A session whose configuration was given a cache.
    private static func session(_ origin: ScriptedOrigin, _ cache: URLCache) -> Session {
        let configuration = URLSessionConfiguration.af.default
        configuration.urlCache = cache
        return Session(transport: origin, configuration: configuration)
    }

    private static func request(_ policy: URLRequest.CachePolicy = .useProtocolCachePolicy) throws -> URLRequest {
        var request = try URLRequest(url: url, method: .get)
        request.cachePolicy = policy
        return request
    }

    /// Values of `Cache-Control`, whether such a response is stored, and whether it is fresh.
    static let controls: [(String?, Bool, Bool)] = [
        (nil, true, false), ("public", true, false), ("private", true, false), ("max-age=3600", true, true),
        ("max-age=0", true, false), ("no-cache", true, false), ("no-store", false, false),
    ]

    @Test("a chosen cache stores them, for requests that accept any age and for no others", arguments: controls)
    func policies(control: String?, isStored: Bool, isFresh: Bool) async throws {
        let origin = ScriptedOrigin(control.map { [("Cache-Control", $0)] } ?? [])
        let cache = URLCache(memoryCapacity: 1 << 20, diskCapacity: 0)
        let session = Self.session(origin, cache)
        func text(_ policy: URLRequest.CachePolicy) async throws -> String? {
            let request = try Self.request(policy)
            return await session.request(request).serializingString().response.value
        }
        #expect(try await text(.useProtocolCachePolicy) == "answer 1")
        let plain = try Self.request(.useProtocolCachePolicy)
        #expect((cache.cachedResponse(for: plain) != nil) == isStored)
        let last = isFresh ? "answer 1" : "answer 2"
        #expect(try await text(.useProtocolCachePolicy) == last)
        #expect(try await text(.returnCacheDataDontLoad) == (isStored ? last : nil))
        #expect(try await text(.returnCacheDataElseLoad) == (isStored ? last : "answer 3"))
    }

    @Test("a handler decides on them in every cache", arguments: [true, false])
    func handlers(isOfSession: Bool) async throws {
        let proposals = Values<Data>()
        let handler = ResponseCacher(
            behavior: .modify { _, proposed in
                proposals.append(proposed.data)
                return CachedURLResponse(
                    response: proposed.response, data: proposed.data, userInfo: ["key": "value"],
                    storagePolicy: .allowed)
            })
        let session = Session(
            transport: Self.engine(), configuration: .af.ephemeral, cachedResponseHandler: isOfSession ? handler : nil)
        let request = session.request(Self.url)
        if !isOfSession { request.cacheResponse(using: handler) }
        #expect(await request.serializingString().response.value == "answer 1")
        #expect(proposals.all == [Data("answer 1".utf8)])
        let cache = try #require(session.sessionConfiguration.urlCache)
        let stored = cache.cachedResponse(for: try #require(request.request))
        #expect(stored?.data == Data("answer 1".utf8))
        #expect(stored?.userInfo?["key"] as? String == "value")
        let again = session.request(Self.url).cacheResponse(using: .doNotCache)
        #expect(await again.serializingString().response.value == "answer 2")
    }

    @Test("a handler may refuse them")
    func refusal() async throws {
        let session = Session(transport: Self.engine(), configuration: .af.ephemeral)
        let request = session.request(Self.url).cacheResponse(using: .doNotCache)
        #expect(await request.serializingString().response.value == "answer 1")
        let cache = try #require(session.sessionConfiguration.urlCache)
        let plain = try Self.request()
        #expect(cache.cachedResponse(for: plain) == nil)
    }

    @Test("a cache that was not chosen stores them for requests that accept any age only")
    func ownCache() async throws {
        let session = Session(transport: Self.engine(), configuration: .af.ephemeral)
        let cache = try #require(session.sessionConfiguration.urlCache)
        let (plain, preferring) = (try Self.request(), try Self.request(.returnCacheDataElseLoad))
        _ = await session.request(plain).serializingString().response
        #expect(cache.cachedResponse(for: plain) == nil)
        #expect(await session.request(preferring).serializingString().response.value == "answer 2")
        #expect(await session.request(preferring).serializingString().response.value == "answer 2")
        #expect(await session.request(plain).serializingString().response.value == "answer 3")
    }

    @Test("errors, downloads and streams are not stored")
    func notStored() async throws {
        let (plain, preferring) = (try Self.request(), try Self.request(.returnCacheDataElseLoad))
        for status in [404, 500, 503] {
            let cache = URLCache(memoryCapacity: 1 << 20, diskCapacity: 0)
            let session = Self.session(ScriptedOrigin(status: status, []), cache)
            _ = await session.request(Self.url).serializingString().response
            _ = await session.request(preferring).serializingString().response
            #expect(cache.cachedResponse(for: plain) == nil, "\(status)")
        }
        let cache = URLCache(memoryCapacity: 1 << 20, diskCapacity: 0)
        let session = Self.session(ScriptedOrigin([]), cache)
        let file = try await session.download(Self.url).serializingDownloadedFileURL().value
        try FileManager.default.removeItem(at: file)
        for try await _ in session.streamRequest(Self.url).bytes() {}
        #expect(cache.cachedResponse(for: plain) == nil)
    }

    @Test("a response to HEAD with a validator that was not stored removes them (RFC 9111 §4.3.5)")
    func head() async throws {
        let origin = ScriptedOrigin { request, number in
            let isHead = request.head.method == .head
            let fields = isHead ? [("ETag", "\"2\""), ("Cache-Control", "max-age=60")] : []
            return .make(200, fields, isHead ? "" : "answer \(number)", to: request)
        }
        let session = Self.session(origin, URLCache(memoryCapacity: 1 << 20, diskCapacity: 0))
        #expect(await session.request(Self.url).serializingString().response.value == "answer 1")
        _ = await session.request(Self.url, method: .head).serializingString().response
        #expect(await session.request(Self.url).serializingString().response.value == "answer 3")
    }

    @Test("concurrent requests do not share them")
    func unshared() async throws {
        let bodies = [HeldBody(), HeldBody()]
        let origin = ScriptedOrigin { request, number in
            TransportResponse(
                head: .make(200, []), body: ResponseBody(bodies[min(number, 2) - 1]), request: request.head)
        }
        let cache = CacheLayer(origin, store: MemoryCacheStore())
        var request = get()
        request[StoresStaleResponse.self] = true
        let first = try await cache.send(request)
        let second = try await cache.send(request)
        #expect(origin.requests.count == 2)
        for (number, body) in bodies.enumerated() {
            body.give(Data("\(number)".utf8))
            body.give(nil)
        }
        #expect(try await first.body.collect(upTo: 10) == Data("0".utf8))
        #expect(try await second.body.collect(upTo: 10) == Data("1".utf8))
    }
}
