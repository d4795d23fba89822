import AirframeConformance
import AirframeSocket
import HTTPTypes
import Testing

/// A session does not decode a head with the same compressed bytes as the last one (RFC 7541).
@Suite("remembered compressed heads of an HTTP/2 session", .timeLimit(.minutes(1)))
struct RememberedBlocks {
    /// `:status: 200` of the static table.
    private static let ok: UInt8 = 0x88
    /// The newest field of the dynamic table.
    private static let newest: UInt8 = 0xBE

    private static func literal(_ representation: UInt8, _ name: String, _ value: String) -> [UInt8] {
        [representation, UInt8(name.utf8.count)] + Array(name.utf8) + [UInt8(value.utf8.count)] + Array(value.utf8)
    }

    /// A head whose field is not inserted into the table.
    private static let plain = [ok] + literal(0x00, "x-plain", "0")
    /// Heads whose field is inserted, as nginx writes them.
    private static let inserting = [ok] + literal(0x40, "x-a", "1")
    private static let otherInserting = [ok] + literal(0x40, "x-b", "2")
    /// A head with the newest field.
    private static let indexed = [ok, newest]

    private static func respond(_ block: [UInt8], _ id: UInt32) -> [HTTP2Frame] {
        [.block(block, stream: id), .data("ok", end: true, stream: id)]
    }

    /// Opens a stream, has it answered, and returns the response's first field.
    @discardableResult
    private func field(
        _ server: MemoryServer,
        answer: (UInt32) -> [UInt8]
    ) throws -> String? {
        let stream = try server.open()
        _ = server.frames()
        server.receive(bytes: answer(UInt32(stream.id)))
        let transcript = StreamTranscript(stream)
        #expect(transcript.failure == nil && transcript.isWhole && transcript.text == "ok")
        #expect(transcript.status == 200 && transcript.fields.count == 1)
        return transcript.fields.first.map { "\($0.name): \($0.value)" }
    }

    private func field(_ server: MemoryServer, _ block: [UInt8]) throws -> String? {
        try field(server) { Self.respond(block, $0).bytes }
    }

    @Test("equal bytes mean the new field after another was inserted (RFC 7541 §2.3.2)")
    func insertedBetween() throws {
        let server = try MemoryServer()
        #expect(try field(server, Self.inserting) == "x-a: 1")
        for _ in 0..<3 { #expect(try field(server, Self.indexed) == "x-a: 1") }
        #expect(try field(server, Self.otherInserting) == "x-b: 2")
        for _ in 0..<3 { #expect(try field(server, Self.indexed) == "x-b: 2") }
    }

    @Test("the table has the fields of heads that were not decoded", arguments: [1, 2, 3, 60, 1_000])
    func owed(_ count: Int) throws {
        let server = try MemoryServer()
        #expect(try field(server, Self.plain) == "x-plain: 0")
        #expect(try field(server, Self.otherInserting) == "x-b: 2")
        for _ in 0..<count { #expect(try field(server, Self.inserting) == "x-a: 1") }
        // The oldest of x-a, and x-b before it if the table still has it.
        let oldest = min(count, 60)
        #expect(try field(server, [Self.ok, 0x80 + UInt8(62 + oldest - 1)]) == "x-a: 1")
        guard count < 100 else { return }
        #expect(try field(server, [Self.ok, 0x80 + UInt8(62 + oldest)]) == "x-b: 2")
    }

    @Test("the table has them before any stream has ended")
    func owedWithoutEnd() throws {
        let server = try MemoryServer()
        let streams = try (0..<4).map { _ in try server.open() }
        _ = server.frames()
        server.receive(streams.prefix(3).map { .block(Self.inserting, stream: UInt32($0.id)) })
        server.receive([.block([Self.ok, Self.newest + 2], stream: UInt32(streams[3].id))])
        for stream in streams { #expect(StreamTranscript(stream).fields.map(\.value) == ["1"]) }
    }

    @Test("the table has them for heads that are padded, in two frames, or cut by a read", arguments: 1..<24)
    func unexamined(_ cut: Int) throws {
        let server = try MemoryServer()
        #expect(try field(server, Self.plain) == "x-plain: 0")
        #expect(try field(server, Self.otherInserting) == "x-b: 2")
        for _ in 0..<3 { #expect(try field(server, Self.inserting) == "x-a: 1") }
        #expect(try field(server) { Self.inserting(padded: $0) } == "x-a: 1")
        #expect(try field(server, [Self.ok, Self.newest + 4]) == "x-b: 2")
        for _ in 0..<3 { #expect(try field(server, Self.inserting) == "x-a: 1") }
        #expect(try field(server) { Self.inserting(continued: $0) } == "x-a: 1")
        #expect(try field(server, [Self.ok, Self.newest + 8]) == "x-b: 2")
        // One read ends within the frame of the next response.
        for _ in 0..<3 { #expect(try field(server, Self.inserting) == "x-a: 1") }
        let streams = [try server.open(), try server.open()]
        _ = server.frames()
        let first = Self.respond(Self.inserting, UInt32(streams[0].id)).bytes
        let second = Self.respond([Self.ok, Self.newest + 12], UInt32(streams[1].id)).bytes
        server.receive(bytes: first + second.prefix(cut))
        server.receive(bytes: Array(second.dropFirst(cut)))
        #expect(StreamTranscript(streams[0]).fields.first?.value == "1")
        #expect(StreamTranscript(streams[1]).fields.first?.value == "2")
    }

    private static func inserting(padded id: UInt32) -> [UInt8] {
        let padded = HTTP2Frame(
            type: 1, flags: HTTP2Frame.endHeaders | 0x8, stream: id, payload: [2] + inserting + [0, 0])
        return [padded, .data("ok", end: true, stream: id)].bytes
    }

    private static func inserting(continued id: UInt32) -> [UInt8] {
        let parts = [
            HTTP2Frame(type: 1, flags: 0, stream: id, payload: Array(inserting.prefix(1))),
            HTTP2Frame(type: 9, flags: HTTP2Frame.endHeaders, stream: id, payload: Array(inserting.dropFirst())),
        ]
        return (parts + [.data("ok", end: true, stream: id)]).bytes
    }

    /// Heads after a size update that empties the table: another one, and one with the remembered fields.
    static let updating = [[0x20] + plain, [0x20, ok] + literal(0x00, "x-a", "1")]

    @Test("a change of the table's size forgets the bytes (RFC 7541 §6.3)", arguments: updating)
    func sizeUpdate(_ block: [UInt8]) throws {
        let server = try MemoryServer()
        #expect(try field(server, Self.inserting) == "x-a: 1")
        for _ in 0..<3 { #expect(try field(server, Self.indexed) == "x-a: 1") }
        #expect(try field(server, block) != nil)
        let stream = try server.open()
        _ = server.frames()
        server.receive(Self.respond(Self.indexed, UInt32(stream.id)))
        #expect(StreamTranscript(stream).failure != nil)
    }

    @Test("the head of a stream that this side has just reset is not that of the next stream")
    func resetBetween() throws {
        let server = try MemoryServer()
        for _ in 0..<3 { #expect(try field(server, Self.plain) == "x-plain: 0") }
        let stream = try server.open()
        _ = server.frames()
        server.session.reset(stream)
        server.receive([.block([Self.ok] + Self.literal(0x00, "x-plain", "1"), stream: UInt32(stream.id))])
        #expect(try field(server, Self.plain) == "x-plain: 0")
    }

    @Test("equal bytes mean the new field after a 1xx or trailers inserted it", arguments: [false, true])
    func insertedByOthers(isTrailers: Bool) throws {
        let server = try MemoryServer()
        #expect(try field(server, Self.inserting) == "x-a: 1")
        for _ in 0..<3 { #expect(try field(server, Self.indexed) == "x-a: 1") }
        let stream = try server.open()
        _ = server.frames()
        let id = UInt32(stream.id)
        let inserted = Self.literal(0x40, "x-b", "2")
        if isTrailers {
            let flags = HTTP2Frame.endHeaders | HTTP2Frame.endStream
            server.receive([
                .block(Self.indexed, stream: id), .data("ok", stream: id), .block(inserted, flags: flags, stream: id),
            ])
        } else {
            let informational = [0x08, 3] + Array("103".utf8) + inserted
            server.receive([.block(informational, stream: id)] + Self.respond(Self.indexed, id))
        }
        let transcript = StreamTranscript(stream)
        #expect(transcript.isWhole && transcript.fields.map(\.value) == [isTrailers ? "1" : "2"])
        for _ in 0..<3 { #expect(try field(server, Self.indexed) == "x-b: 2") }
    }

    @Test("a repeated head that ends its stream ends it, and its size is the same")
    func ends() throws {
        let server = try MemoryServer()
        var sizes: [Int] = []
        for _ in 0..<3 {
            let stream = try server.open()
            _ = server.frames()
            server.receive([
                .block(Self.plain, flags: HTTP2Frame.endHeaders | HTTP2Frame.endStream, stream: UInt32(stream.id))
            ])
            if case .head(_, let byteCount, _) = try stream.next() { sizes.append(byteCount) }
            #expect(StreamTranscript(stream).isWhole)
        }
        #expect(sizes == Array(repeating: 9 + Self.plain.count, count: 3))
    }

    // MARK: Requests

    private func block(_ server: MemoryServer, _ authority: String) throws -> [UInt8] {
        let head = HTTPRequest(method: .get, scheme: "https", authority: authority, path: "/")
        _ = try server.session.open(HTTP2RequestHead(head))
        return server.frames().first { $0.type == 1 }?.payload ?? []
    }

    @Test("a repeated request is compressed anew after another was inserted (RFC 7541 §2.3.2)")
    func requests() throws {
        let server = try MemoryServer()
        let blocks = try ["a.test", "a.test", "a.test", "b.test", "a.test"].map { try block(server, $0) }
        // The authority is inserted first, and has the index 62 then.
        #expect(blocks[0].count > blocks[1].count)
        #expect(blocks[1].contains(0xBE) && blocks[2] == blocks[1])
        // It has the index 63 after the second authority.
        #expect(blocks[4].contains(0xBF) && !blocks[4].contains(0xBE))
    }

    @Test("a smaller table is announced once, and repeated requests do not use the old one (RFC 7541 §4.2)")
    func requestTable() throws {
        let server = try MemoryServer()
        for _ in 0..<3 { _ = try block(server, "a.test") }
        server.receive([.settings([(1, 0)])])
        _ = server.frames()
        #expect(try block(server, "a.test").first == 0x20)
        let next = try block(server, "a.test")
        #expect(next.first != 0x20 && !next.contains(0xBE))
    }

    @Test("a large head is sent in CONTINUATION frames (RFC 9113 §6.10)", arguments: [30_000, 100_000])
    func largeRequests(_ count: Int) throws {
        let server = try MemoryServer()
        var head = HTTPRequest(method: .get, scheme: "https", authority: "a.test", path: "/")
        head.headerFields = [.userAgent: String(repeating: "\u{7C}", count: count)]
        _ = try server.session.open(HTTP2RequestHead(head))
        let frames = server.frames()
        #expect(frames.count > count / 16_384)
        #expect(frames.map(\.type) == [1] + Array(repeating: 9, count: max(0, frames.count - 1)))
        #expect(frames.dropLast().allSatisfy { $0.flags & HTTP2Frame.endHeaders == 0 && $0.payload.count == 16_384 })
        #expect(frames.first?.flags == HTTP2Frame.endStream)
        #expect(frames.last?.flags == HTTP2Frame.endHeaders)
    }
}
