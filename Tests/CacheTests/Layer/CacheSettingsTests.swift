import Airframe
import AirframeConformance
import AirframeTestSupport
import Foundation
import HTTPTypes
import Synchronization
import Testing

@Suite("A request's own store", .timeLimit(.minutes(1)))
struct CacheSettingsTests {
    /// A server that numbers its responses, each fresh for a minute.
    private final class Numbering: Sendable {
        let server: ScriptedServer
        var url: String { "http://127.0.0.1:\(server.port)/a" }

        init() throws {
            let count = Counter()
            server = try ScriptedServer { connection in
                while (try? connection.readHead()) != nil {
                    let text = "answer \(count.next())"
                    let head = "HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Length: \(text.utf8.count)"
                    try connection.send("\(head)\r\n\r\n\(text)")
                }
            }
        }

        deinit { server.stop() }
    }

    private func session(_ engine: SuiteEngine, _ cache: URLCache?) -> Session {
        let configuration = URLSessionConfiguration.af.ephemeral
        configuration.urlCache = cache
        return Session(transport: engine.make(), configuration: configuration)
    }

    @Test("replaces the session's store for this request only", arguments: SuiteEngine.allCases)
    func ownStore(engine: SuiteEngine) async throws {
        let server = try Numbering()
        let session = session(engine, URLCache(memoryCapacity: 1 << 20, diskCapacity: 0))
        let own = MemoryCacheStore()
        let fetch = { @Sendable (store: MemoryCacheStore?) in
            try await session.request(server.url, requestModifier: { $0[CacheSettings.self].store = store })
                .serializingString().value
        }
        #expect(try await fetch(nil) == "answer 1")
        #expect(try await fetch(own) == "answer 2")
        #expect(try await fetch(nil) == "answer 1")
        #expect(try await fetch(own) == "answer 2")
        #expect(try await fetch(MemoryCacheStore()) == "answer 3")
    }

    @Test("is used by a session without a cache, with the request's cache policy", arguments: SuiteEngine.allCases)
    func withoutCache(engine: SuiteEngine) async throws {
        let server = try Numbering()
        let session = session(engine, nil)
        let own = MemoryCacheStore()
        let fetch = { @Sendable (store: MemoryCacheStore?, policy: URLRequest.CachePolicy) in
            try await session.request(
                server.url,
                requestModifier: {
                    $0[CacheSettings.self].store = store
                    $0.cachePolicy = policy
                }
            )
            .serializingString().value
        }
        await #expect(throws: AFError.self) { try await fetch(nil, .returnCacheDataDontLoad) }
        await #expect(throws: AFError.self) { try await fetch(own, .returnCacheDataDontLoad) }
        #expect(try await fetch(nil, .useProtocolCachePolicy) == "answer 1")
        #expect(try await fetch(own, .useProtocolCachePolicy) == "answer 2")
        #expect(try await fetch(own, .returnCacheDataDontLoad) == "answer 2")
        #expect(try await fetch(own, .reloadIgnoringLocalCacheData) == "answer 3")
        #expect(try await fetch(nil, .useProtocolCachePolicy) == "answer 4")
    }

    @Test("is shared by concurrent requests: one exchange answers all of them")
    func collapsing() async throws {
        let release = Signal()
        let origin = ScriptedOrigin { request, number in
            await release.wait()
            return .make(200, [("Cache-Control", "max-age=60")], "answer \(number)", to: request)
        }
        let cache = CacheLayer(origin, store: MemoryCacheStore())
        let own = MemoryCacheStore()
        try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    var request = get()
                    request[CacheSettings.self].store = own
                    return try await cache.text(request)
                }
            }
            try await eventually { origin.requests.count == 1 }
            release.set()
            for try await text in group { #expect(text == "answer 1") }
        }
        #expect(origin.requests.count == 1)
        #expect(try await cache.text(get()) == "answer 2")
    }

    @Test("a change invalidates it; the session's store keeps its responses")
    func invalidation() async throws {
        let origin = ScriptedOrigin([("Cache-Control", "max-age=60")])
        let cache = CacheLayer(origin, store: MemoryCacheStore())
        let own = MemoryCacheStore()
        let send = { (method: HTTPRequest.Method, store: MemoryCacheStore?) in
            var request = get(method: method)
            request[CacheSettings.self].store = store
            return try await cache.text(request)
        }
        #expect(try await send(.get, nil) == "answer 1")
        #expect(try await send(.get, own) == "answer 2")
        #expect(try await send(.delete, own) == "answer 3")
        #expect(try await send(.get, own) == "answer 4")
        #expect(try await send(.get, nil) == "answer 1")
    }
}

/// A counter that closures share.
private final class Counter: Sendable {
    private let count = Mutex(0)

    func next() -> Int {
        count.withLock { count in
            count += 1
            return count
        }
    }
}

/// An event that happens once.
private final class Signal: Sendable {
    private let isSet = Mutex(false)

    func set() { isSet.withLock { $0 = true } }

    /// Waits for the event, for at most 30 seconds and until the task is cancelled.
    func wait() async {
        do {
            try await eventually("the event") { isSet.withLock { $0 } }
        } catch {
            if !Task.isCancelled { Issue.record(error) }
        }
    }
}
