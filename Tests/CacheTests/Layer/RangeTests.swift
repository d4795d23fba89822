import AirframeCache
import AirframeTransport
import Foundation
import HTTPTypes
import Testing

@Suite("Ranges and parts", .timeLimit(.minutes(1)))
struct RangeTests {
    private static let content = "0123456789"

    /// A server that answers range requests for one content.
    private static func origin(tag: String? = "\"1\"") -> ScriptedOrigin {
        ScriptedOrigin { request, _ in
            var fields = [("Cache-Control", "max-age=60"), ("Accept-Ranges", "bytes")]
            if let tag { fields.append(("ETag", tag)) }
            guard let range = request.head.headerFields[.range],
                request.head.headerFields[.ifRange].map({ $0 == tag }) ?? true
            else { return .make(200, fields, content, to: request) }
            let bounds = range.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
            let first = Int(bounds[0]) ?? 0
            let last = Int(bounds[1]) ?? 9
            let part = String(content.dropFirst(first).prefix(last - first + 1))
            return .make(206, fields + [("Content-Range", "bytes \(first)-\(last)/10")], part, to: request)
        }
    }

    @Test(
        "a stored response answers ranges (RFC 9111 §3.4)",
        arguments: [
            ("bytes=0-1", "01", "bytes 0-1/10"), ("bytes=8-", "89", "bytes 8-9/10"),
            ("bytes=-3", "789", "bytes 7-9/10"),
            ("bytes=5-100", "56789", "bytes 5-9/10"), ("bytes=-100", "0123456789", "bytes 0-9/10"),
        ])
    func slices(range: String, text: String, field: String) async throws {
        let origin = Self.origin()
        let cache = CacheLayer(origin, store: MemoryCacheStore())
        _ = try await cache.text(get())
        let response = try await cache.send(get("/a", [("Range", range)]))
        #expect(response.head.status == .partialContent)
        #expect(response.head.headerFields[.contentRange] == field)
        #expect(response.head.headerFields[.contentLength] == "\(text.utf8.count)")
        #expect(try await response.body.collect(upTo: 100) == Data(text.utf8))
        #expect(origin.requests.count == 1)
    }

    @Test(
        "unsatisfiable ranges, several ranges, and ranges with another If-Range are sent to the server",
        arguments: [
            [("Range", "bytes=10-")], [("Range", "bytes=0-1,3-4")], [("Range", "lines=1-2")],
            [("Range", "bytes=0-1"), ("If-Range", "\"2\"")],
        ])
    func forwarded(fields: [(String, String)]) async throws {
        let origin = Self.origin()
        let cache = CacheLayer(origin, store: MemoryCacheStore())
        _ = try await cache.text(get())
        _ = try await cache.text(get("/a", fields))
        #expect(origin.requests.count == 2)
    }

    @Test("parts with the same strong tag are combined, and the complete response then answers")
    func combining() async throws {
        let origin = Self.origin()
        let cache = CacheLayer(origin, store: MemoryCacheStore())
        #expect(try await cache.text(get("/a", [("Range", "bytes=4-6")])) == "456")
        #expect(try await cache.text(get("/a", [("Range", "bytes=7-9")])) == "789")
        #expect(try await cache.text(get("/a", [("Range", "bytes=5-8")])) == "5678")
        #expect(try await cache.text(get("/a", [("Range", "bytes=0-3")])) == "0123")
        #expect(origin.requests.count == 3)
        let whole = try await cache.send(get())
        #expect(whole.head.status == .ok)
        #expect(try await whole.body.collect(upTo: 100) == Data(Self.content.utf8))
        #expect(origin.requests.count == 3)
    }

    @Test(
        "a stored beginning is completed by a range (RFC 9111 §3.4), and only with a strong tag",
        arguments: ["\"1\"", "W/\"1\"", nil])
    func completing(tag: String?) async throws {
        let origin = Self.origin(tag: tag)
        let cache = CacheLayer(origin, store: MemoryCacheStore())
        _ = try await cache.text(get("/a", [("Range", "bytes=0-3")]))
        #expect(try await cache.text(get()) == Self.content)
        #expect(origin.requests[1].headerFields[.range] == "bytes=4-")
        #expect(origin.requests.count == (tag == "\"1\"" ? 2 : 3))
        #expect(try await cache.text(get()) == Self.content)
        #expect(origin.requests.count == (tag == "\"1\"" ? 2 : 3))
    }

    @Test("a part is not completed by a response that forbids to store it (RFC 9111 §5.2.2.5)")
    func forbiddenRest() async throws {
        let body = HeldBody()
        let origin = ScriptedOrigin { request, number in
            switch number {
            case 1:
                let fields = [("Cache-Control", "max-age=60"), ("Accept-Ranges", "bytes"), ("ETag", "\"1\"")]
                return TransportResponse(
                    head: .make(200, fields), body: ResponseBody(body, expectedLength: 10), request: request.head)
            case 2:
                let fields = [("Cache-Control", "no-store"), ("ETag", "\"1\""), ("Content-Range", "bytes 4-9/10")]
                return .make(206, fields, "456789", to: request)
            default: return .make(200, [("Cache-Control", "no-store")], Self.content, to: request)
            }
        }
        let cache = CacheLayer(origin, store: MemoryCacheStore())
        let response = try await cache.send(get())
        body.give(Data("0123".utf8))
        #expect(try await response.body.next() == Data("0123".utf8))
        body.cancel()
        await #expect(throws: TransportError.self) { try await response.body.next() }
        for count in [3, 4] {
            #expect(try await cache.text(get()) == Self.content)
            #expect(origin.requests.count == count)
        }
    }

    @Test("the next request completes a truncated response (RFC 9111 §3.3)")
    func brokenOff() async throws {
        let body = HeldBody()
        let whole = Self.origin()
        let origin = ScriptedOrigin { request, number throws(TransportError) in
            guard number == 1 else { return try await whole.send(request) }
            let fields = [
                ("Cache-Control", "max-age=60"), ("Accept-Ranges", "bytes"), ("ETag", "\"1\""), ("Set-Cookie", "sid=1"),
                ("Authentication-Info", "nextnonce=\"1\""), ("X-Kept", "1"),
            ]
            return TransportResponse(
                head: .make(200, fields),
                body: ResponseBody(body, expectedLength: 10), request: request.head)
        }
        let cache = CacheLayer(origin, store: MemoryCacheStore())
        let response = try await cache.send(get())
        body.give(Data("0123".utf8))
        #expect(try await response.body.next() == Data("0123".utf8))
        body.cancel()
        await #expect(throws: TransportError.self) { try await response.body.next() }
        let completed = try await cache.send(get())
        #expect(try await completed.body.collect(upTo: 100) == Data(Self.content.utf8))
        #expect(origin.requests.last?.headerFields[.range] == "bytes=4-")
        #expect(origin.requests.last?.headerFields[.ifRange] == "\"1\"")
        // The cookies and the proof of the first exchange are not those of the second.
        let kept: [(String, String?)] = [("Set-Cookie", nil), ("Authentication-Info", nil), ("X-Kept", "1")]
        for (name, value) in kept {
            #expect(try completed.head.headerFields[#require(HTTPField.Name(name))] == value)
        }
    }
}
