import AirframeCache
import AirframeTransport
import Foundation
import HTTPTypes
import Synchronization
import Testing

/// A store of another package, which uses only public members.
private final class DictionaryStore: CacheStore {
    private let values = Mutex<[CacheKey: [String: (UInt64, Data)]]>([:])

    func entries(for key: CacheKey) async throws(CacheStoreError) -> [CacheEntry] {
        values.withLock { $0[key] ?? [:] }.values.compactMap { CacheEntry(encoded: $0.1) }
    }

    func content(of entry: CacheEntry) async throws(CacheStoreError) -> CacheContent? {
        Issue.record("the content was read with the head")
        return nil
    }

    func writer(
        for entry: CacheEntry, expectedLength: Int64?
    ) async throws(CacheStoreError) -> (any CacheWriter)? {
        Writer { [self] in insert($0, $1) }
    }

    func insert(_ entry: CacheEntry, _ content: Data) {
        var entry = entry
        entry.content = content
        values.withLock { [entry] in
            $0[entry.key, default: [:]][entry.variant.identifier] = (entry.identifier, entry.encoded())
        }
    }

    func update(_ entry: CacheEntry) async throws(CacheStoreError) {
        values.withLock { values in
            guard values[entry.key]?[entry.variant.identifier]?.0 == entry.identifier else { return }
            values[entry.key]?[entry.variant.identifier]?.1 = entry.encoded()
        }
    }

    func remove(_ entry: CacheEntry) async throws(CacheStoreError) {
        values.withLock { _ = $0[entry.key]?.removeValue(forKey: entry.variant.identifier) }
    }

    func removeAll(for key: CacheKey) async throws(CacheStoreError) { values.withLock { $0[key] = nil } }

    func removeAll(since date: Date?) async throws(CacheStoreError) { values.withLock { $0 = [:] } }

    private final class Writer: CacheWriter {
        private let content = Mutex(Data())
        private let insert: @Sendable (CacheEntry, Data) -> Void

        init(_ insert: @escaping @Sendable (CacheEntry, Data) -> Void) { self.insert = insert }

        func append(_ data: Data) async throws(CacheStoreError) -> Bool {
            content.withLock { $0.append(data) }
            return true
        }

        func commit(_ entry: CacheEntry) async throws(CacheStoreError) { insert(entry, content.withLock { $0 }) }
    }
}

@Suite("A store of another package", .timeLimit(.minutes(1)))
struct ForeignStoreTests {
    @Test("stores entries as bytes, and serves, validates and separates variants as the built-in stores do")
    func store() async throws {
        let clock = ShiftedClock()
        let origin = ScriptedOrigin(clock: clock) { request, number in
            let isConfirmed = request.head.headerFields[.ifNoneMatch] != nil
            let fields = [("Cache-Control", "max-age=60"), ("ETag", "\"1\""), ("Vary", "Accept")]
            return .make(isConfirmed ? 304 : 200, fields, isConfirmed ? "" : "answer \(number)", to: request)
        }
        let cache = CacheLayer(origin, store: DictionaryStore())
        for accept in ["a", "b", "a", "b"] { _ = try await cache.text(get("/x", [("Accept", accept)])) }
        #expect(origin.requests.count == 2)
        clock.advance(seconds: 100)
        for _ in 0..<2 { #expect(try await cache.text(get("/x", [("Accept", "b")])) == "answer 2") }
        #expect(origin.requests.count == 3)
    }

    @Test("can be filled without the layer")
    func filled() async throws {
        let store = DictionaryStore()
        let origin = ScriptedOrigin([])
        let cache = CacheLayer(origin, store: store)
        let key = try #require(CacheKey(get("/x").head))
        let head = HTTPResponse.make(200, [("Cache-Control", "max-age=60"), ("Connection", "close")])
        let now = Date()
        let entry = CacheEntry(
            key: key, answering: get("/x").head, head: head, requestTime: now, responseTime: now)
        store.insert(try #require(entry), Data("given".utf8))
        let response = try await cache.send(get("/x"))
        #expect(try await response.body.collect(upTo: 10) == Data("given".utf8))
        #expect(response.source == .cache)
        #expect(response.head.headerFields[.connection] == nil)
        #expect(origin.requests.isEmpty)
        let varying = CacheEntry(
            key: key, answering: get("/x").head, head: .make(200, [("Vary", "*")]), requestTime: now, responseTime: now)
        #expect(varying == nil)
    }

    @Test("restores nothing from damaged bytes")
    func damage() throws {
        let key = CacheKey(uri: "http://api.test/x")
        let now = Date()
        var entry = try #require(
            CacheEntry(
                key: key, answering: get("/x").head, head: .make(200, [("ETag", "\"1\"")]), requestTime: now,
                responseTime: now))
        entry.content = Data("content".utf8)
        let bytes = entry.encoded()
        let restored = try #require(CacheEntry(encoded: bytes))
        #expect(restored.content == Data("content".utf8) && restored.contentLength == 7)
        #expect(restored.identifier == entry.identifier && restored.variant == entry.variant)
        for position in bytes.indices {
            var damaged = bytes
            damaged[position] ^= 1
            #expect(CacheEntry(encoded: damaged) == nil)
            #expect(CacheEntry(encoded: bytes.prefix(position)) == nil)
        }
    }
}
