import AirframeTestSupport
import AirframeTransport
import Foundation
import HTTPTypes
import Testing

@testable import AirframeCache

@Suite("Parts with impossible lengths", .timeLimit(.minutes(1)))
struct PartLengthTests {
    private static let fresh = [("Cache-Control", "max-age=60"), ("Accept-Ranges", "bytes")]
    private static let tagged = fresh + [("ETag", "\"1\"")]

    private static func text(_ response: TransportResponse) async throws -> String {
        String(decoding: try await response.body.collect(upTo: 100), as: UTF8.self)
    }

    @Test(
        "a range beyond 64 bits is passed through, and not stored",
        arguments: [
            "bytes 0-9223372036854775807/*", "bytes 9223372036854775807-9223372036854775807/*",
            "bytes 0-0/9223372036854775808", "bytes 0-9223372036854775806/9223372036854775807",
        ])
    func absurd(range: String) async throws {
        let origin = ScriptedOrigin { request, _ in
            .make(206, Self.tagged + [("Content-Range", range)], "x", to: request)
        }
        let cache = CacheLayer(origin, store: MemoryCacheStore())
        for count in 1...2 {
            let response = try await cache.send(get("/a", [("Range", "bytes=0-")]))
            #expect(response.head.status == .partialContent)
            #expect(response.head.headerFields[.contentRange] == range)
            #expect(try await Self.text(response) == "x")
            #expect(origin.requests.count == count)
        }
    }

    @Test("a part that announces more bytes than 64 bits can count with those that are stored is not combined")
    func completion() async throws {
        let (body, endless) = (HeldBody(), HeldBody())
        let origin = ScriptedOrigin { request, number in
            switch number {
            case 1:
                return TransportResponse(
                    head: .make(200, Self.tagged), body: ResponseBody(body, expectedLength: 10), request: request.head)
            case 2:
                return TransportResponse(
                    head: .make(206, Self.tagged + [("Content-Range", "bytes 4-9/10")]),
                    body: ResponseBody(endless, expectedLength: Int64.max), request: request.head)
            default: return .make(200, Self.tagged, "0123456789", to: request)
            }
        }
        let cache = CacheLayer(origin, store: MemoryCacheStore())
        let response = try await cache.send(get())
        body.give(Data("0123".utf8))
        #expect(try await response.body.next() == Data("0123".utf8))
        body.cancel()
        await #expect(throws: TransportError.self) { try await response.body.next() }
        #expect(try await cache.text(get()) == "0123456789")
        #expect(origin.requests.map { $0.headerFields[.range] } == [nil, "bytes=4-", nil])
        #expect(endless.isCancelled)
    }

    /// The content of a response for four bytes.
    struct Part: Sendable {
        let length: Int
        let isTagged: Bool
    }

    @Test(
        "a part is not stored if its content is longer than its range, or shorter and has a strong tag",
        arguments: [
            Part(length: 8, isTagged: true), Part(length: 8, isTagged: false), Part(length: 2, isTagged: true),
        ],
        [true, false])
    func disagreement(part: Part, isAnnounced: Bool) async throws {
        let content = Data("01234567".utf8.prefix(part.length))
        let origin = ScriptedOrigin { request, _ in
            let body = HeldBody()
            body.give(content)
            body.give(nil)
            return TransportResponse(
                head: .make(206, (part.isTagged ? Self.tagged : Self.fresh) + [("Content-Range", "bytes 0-3/10")]),
                body: ResponseBody(body, expectedLength: isAnnounced ? Int64(part.length) : nil),
                request: request.head)
        }
        let cache = CacheLayer(origin, store: MemoryCacheStore())
        for count in 1...2 {
            let response = try await cache.send(get("/a", [("Range", "bytes=0-1")]))
            #expect(try await response.body.collect(upTo: 100) == content)
            #expect(origin.requests.count == count)
        }
    }

    @Test("parts are not combined if they announce different lengths of the whole")
    func otherLength() async throws {
        let origin = ScriptedOrigin { request, number in
            let range = number == 1 ? "bytes 0-3/10" : "bytes 4-7/8"
            return .make(206, Self.tagged + [("Content-Range", range)], "0123", to: request)
        }
        let cache = CacheLayer(origin, store: MemoryCacheStore())
        _ = try await cache.text(get("/a", [("Range", "bytes=0-3")]))
        _ = try await cache.text(get("/a", [("Range", "bytes=4-7")]))
        #expect(origin.requests.count == 2)
        let whole = try await cache.send(get("/a", [("Cache-Control", "only-if-cached")]))
        #expect(whole.head.status != .ok)
    }

    @Test("a 206 to a request without Range is passed through, and not stored (RFC 9110 §15.3.7)")
    func unasked() async throws {
        let origin = ScriptedOrigin { request, _ in
            .make(206, Self.tagged + [("Content-Range", "bytes 0-3/10")], "0123", to: request)
        }
        let cache = CacheLayer(origin, store: MemoryCacheStore())
        for count in 1...2 {
            let response = try await cache.send(get())
            #expect(response.head.status == .partialContent)
            #expect(response.head.headerFields[.contentRange] == "bytes 0-3/10")
            #expect(try await Self.text(response) == "0123")
            #expect(origin.requests.count == count)
            #expect(origin.requests.last?.headerFields[.range] == nil)
        }
    }

    @Test("a stored part at the end of 64 bits answers no range that exceeds them")
    func slices() throws {
        let part = ContentPart(first: .max - 4, completeLength: nil, reachesEnd: true)
        let all = try #require(RequestedRange("bytes=9223372036854775803-"))
        #expect(all.slice(of: part, length: 10) == nil)
        let two = try #require(RequestedRange("bytes=9223372036854775803-9223372036854775804"))
        let slice = try #require(two.slice(of: part, length: 10))
        #expect(slice.offset == 0..<2)
        #expect(slice.range.text == "bytes 9223372036854775803-9223372036854775804/*")
        #expect(try #require(RequestedRange("bytes=-10")).slice(of: part, length: 10) == nil)
    }

    @Test("a damaged count of the bytes on disk does not keep responses from being stored")
    func usage() async throws {
        let (folder, origin) = (ScratchFolder(), ScriptedOrigin(Self.fresh))
        let store = DiskCacheStore(directory: folder.path)
        let cache = CacheLayer(origin, store: store)
        #expect(try await cache.text(get("/a")) == "answer 1")
        let greatest = withUnsafeBytes(of: Int64.max.littleEndian) { Data($0) }
        try greatest.write(to: URL(filePath: "\(folder.path)/usage"))
        for _ in 0..<2 { #expect(try await cache.text(get("/b")) == "answer 2") }
        try await eventually { store.usage < 100_000 }
    }
}
