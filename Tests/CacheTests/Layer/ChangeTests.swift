import AirframeCache
import AirframeTestSupport
import AirframeTransport
import Foundation
import HTTPTypes
import Synchronization
import Testing

/// A store in memory that calls a closure before it makes a response visible.
private final class ObservedStore: CacheStore {
    private let memory = MemoryCacheStore()
    // Guards the closure, which is called once.
    private let action = Mutex<(@Sendable () async -> Void)?>(nil)

    func beforeCommit(_ action: @escaping @Sendable () async -> Void) { self.action.withLock { $0 = action } }

    func entries(for key: CacheKey) async throws(CacheStoreError) -> [CacheEntry] {
        try await memory.entries(for: key)
    }

    func content(of entry: CacheEntry) async throws(CacheStoreError) -> CacheContent? {
        try await memory.content(of: entry)
    }

    func writer(
        for entry: CacheEntry, expectedLength: Int64?
    ) async throws(CacheStoreError) -> (any CacheWriter)? {
        guard let writer = try await memory.writer(for: entry, expectedLength: expectedLength) else { return nil }
        return Writer(writer) { [self] in
            let pending = action.withLock { $0.take() }
            await pending?()
        }
    }

    func update(_ entry: CacheEntry) async throws(CacheStoreError) { try await memory.update(entry) }

    func remove(_ entry: CacheEntry) async throws(CacheStoreError) { try await memory.remove(entry) }

    func removeAll(for key: CacheKey) async throws(CacheStoreError) { try await memory.removeAll(for: key) }

    func removeAll(since date: Date?) async throws(CacheStoreError) { try await memory.removeAll(since: date) }

    private final class Writer: CacheWriter {
        private let base: any CacheWriter
        private let action: @Sendable () async -> Void

        init(_ base: any CacheWriter, _ action: @escaping @Sendable () async -> Void) {
            self.base = base
            self.action = action
        }

        func append(_ data: Data) async throws(CacheStoreError) -> Bool { try await base.append(data) }

        func commit(_ entry: CacheEntry) async throws(CacheStoreError) {
            await action()
            try await base.commit(entry)
        }
    }
}

@Suite("A change while a response to an earlier request is read (RFC 9111 §4.4)", .timeLimit(.minutes(1)))
struct ChangeTests {
    private static let fresh = [("Cache-Control", "max-age=60")]

    /// A server whose first response streams. It answers a change of `/b` with a `Location`.
    private static func origin(_ body: HeldBody) -> ScriptedOrigin {
        ScriptedOrigin { request, number in
            if request.head.method != .get { return .make(201, [("Location", "/a")], "", to: request) }
            guard number == 1 else { return .make(200, fresh, "answer \(number)", to: request) }
            return TransportResponse(head: .make(200, fresh), body: ResponseBody(body), request: request.head)
        }
    }

    @Test("later requests do not join the earlier one", arguments: ["/a", "/b"])
    func joining(changed: String) async throws {
        let body = HeldBody()
        let origin = Self.origin(body)
        let cache = CacheLayer(origin, store: MemoryCacheStore())
        let first = try await cache.send(get())
        body.give(Data("old".utf8))
        #expect(try await first.body.next() == Data("old".utf8))
        _ = try await cache.text(get(changed, method: .put))
        #expect(try await cache.text(get()) == "answer 3")
        body.give(nil)
        #expect(try await first.body.next() == nil)
        #expect(try await cache.text(get()) == "answer 3")
        #expect(origin.requests.count == 3)
    }

    @Test("the earlier response is not stored, whether requests are collapsed or not", arguments: [true, false])
    func storing(collapses: Bool) async throws {
        let body = HeldBody()
        let origin = Self.origin(body)
        var policy = CachePolicy.private
        policy.collapsesRequests = collapses
        let cache = CacheLayer(origin, store: MemoryCacheStore(), policy: policy)
        let first = try await cache.send(get())
        body.give(Data("old".utf8))
        _ = try await cache.text(get(method: .put))
        body.give(nil)
        #expect(try await first.body.collect(upTo: 10) == Data("old".utf8))
        #expect(try await cache.text(get()) == "answer 3")
        #expect(try await cache.text(get()) == "answer 3")
        #expect(origin.requests.count == 3)
    }

    @Test("the response to a request that waited for the earlier one, and was sent after the change, is stored")
    func waiting() async throws {
        let gate = HeldBody()
        let origin = ScriptedOrigin { request, number throws(TransportError) in
            if request.head.method != .get { return .make(201, [], "", to: request) }
            if number == 1 { _ = try await gate.next() }
            return .make(200, Self.fresh, "answer \(number)", to: request)
        }
        let cache = CacheLayer(origin, store: MemoryCacheStore())
        async let first = cache.text(get())
        try await eventually { origin.requests.count == 1 }
        async let second = cache.text(get())
        for _ in 0..<1000 { await Task.yield() }
        _ = try await cache.text(get(method: .put))
        gate.give(nil)
        #expect(try await first == "answer 1")
        #expect(try await second == "answer 3")
        #expect(try await cache.text(get()) == "answer 3")
        #expect(origin.requests.count == 3)
    }

    @Test("a response that becomes visible after the change has emptied the store is removed")
    func committing() async throws {
        let origin = ScriptedOrigin(Self.fresh)
        let store = ObservedStore()
        let cache = CacheLayer(origin, store: store)
        store.beforeCommit { _ = try? await cache.text(get(method: .put)) }
        #expect(try await cache.text(get()) == "answer 1")
        #expect(try await cache.text(get()) == "answer 3")
        #expect(try await cache.text(get()) == "answer 3")
    }

    @Test("a change of another resource has no effect")
    func otherResource() async throws {
        let body = HeldBody()
        let origin = Self.origin(body)
        let cache = CacheLayer(origin, store: MemoryCacheStore())
        let first = try await cache.send(get("/c"))
        body.give(Data("content".utf8))
        _ = try await cache.text(get("/d", method: .put))
        let second = try await cache.send(get("/c"))
        body.give(nil)
        for response in [first, second] {
            #expect(try await response.body.collect(upTo: 10) == Data("content".utf8))
        }
        #expect(try await cache.text(get("/c")) == "content")
        #expect(origin.requests.count == 2)
    }

    @Test("the response to a POST that names itself is newer than the change, and is stored")
    func post() async throws {
        let origin = ScriptedOrigin(Self.fresh + [("Content-Location", "/a")])
        let cache = CacheLayer(origin, store: MemoryCacheStore())
        #expect(try await cache.text(get(method: .post)) == "answer 1")
        #expect(try await cache.text(get()) == "answer 1")
    }

    @Test("a change through another layer with the same store counts as well: the earlier response is not stored")
    func otherLayer() async throws {
        let body = HeldBody()
        let origin = Self.origin(body)
        let store = MemoryCacheStore()
        let (one, two) = (CacheLayer(origin, store: store), CacheLayer(origin, store: store))
        let first = try await one.send(get())
        body.give(Data("old".utf8))
        _ = try await two.text(get(method: .put))
        body.give(nil)
        #expect(try await first.body.collect(upTo: 10) == Data("old".utf8))
        #expect(try await two.text(get()) == "answer 3")
        #expect(try await one.text(get()) == "answer 3")
        #expect(origin.requests.count == 3)
    }

    @Test("a removal by the program counts as well: the earlier response is not stored", arguments: 0..<3)
    func removal(method: Int) async throws {
        let body = HeldBody()
        let origin = Self.origin(body)
        let stored = URLCache(memoryCapacity: 1 << 20, diskCapacity: 0)
        let cache = CacheLayer(origin, cache: stored)
        let first = try await cache.send(get())
        body.give(Data("old".utf8))
        switch method {
        case 0: stored.removeAllCachedResponses()
        case 1: stored.removeCachedResponses(since: .distantPast)
        default: stored.remove(get().head)
        }
        body.give(nil)
        #expect(try await first.body.collect(upTo: 10) == Data("old".utf8))
        for _ in 0..<2 { #expect(try await cache.text(get()) == "answer 2") }
        #expect(origin.requests.count == 2)
    }

    @Test("later requests do not join the earlier one after a change through another layer with the same store")
    func joiningAfterOtherLayer() async throws {
        let body = HeldBody()
        let origin = Self.origin(body)
        let store = MemoryCacheStore()
        let (one, two) = (CacheLayer(origin, store: store), CacheLayer(origin, store: store))
        let first = try await one.send(get())
        _ = try await two.text(get(method: .put))
        let second = try await one.send(get())
        #expect(origin.requests.count == 3)
        body.give(nil)
        #expect(try await second.body.collect(upTo: 10) == Data("answer 3".utf8))
        #expect(try await first.body.collect(upTo: 10) == Data())
    }
}
