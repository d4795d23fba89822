import AirframeConformance
import AirframeSocket
import AirframeTransport
import HTTPTypes
import Testing

/// A session compares the fields of a response head with those of the last one.
@Suite("remembered heads of an HTTP/2 session", .timeLimit(.minutes(1)))
struct RememberedHeads {
    typealias Fields = [(String, String)]

    private static let usual: Fields = [
        (":status", "200"), ("server", "test"), ("date", "Mon, 01 Jan 2024 00:00:00 GMT"), ("content-length", "2"),
        ("x-number", "1"),
    ]

    /// The usual fields, some of them changed.
    private static func usual(_ changes: Fields) -> Fields {
        usual.map { field in changes.first { $0.0 == field.0 } ?? field }
    }

    /// Heads that follow the usual one twice, and the length of their content.
    static let heads: [(Fields, Int)] = [
        (usual, 2),
        (usual([("date", "Tue, 02 Jan 2024 00:00:00 GMT")]), 2),
        (usual([("x-number", "2"), ("server", "a longer name of a server")]), 2),
        (usual([("x-number", "")]), 2),
        (usual([("content-length", "3")]), 3),
        (usual([(":status", "404")]), 2),
        (Array(usual.dropLast()), 2),
        (usual + [("etag", "a"), ("x-more", "b")], 2),
        ([usual[0], usual[2], usual[1], usual[3], usual[4]], 2),
        (usual.map { $0.0 == "server" ? ("x-server", $0.1) : $0 }, 2),
        ([(":status", "200")], 2),
        (usual + [("set-cookie", "a=b")], 2),
        (usual([("content-length", "2, 2")]), 2),
        (usual + [("content-length", "2")], 2),
        (usual + [("x-long", String(repeating: "x", count: 3_000))], 2),
    ]

    @Test("each head has the fields that the server sent, whatever heads came before", arguments: heads.indices)
    func sequences(_ index: Int) throws {
        let server = try MemoryServer()
        var id: UInt32 = 1
        for (fields, length) in [Self.heads[0], Self.heads[0], Self.heads[index], Self.heads[index], Self.heads[0]] {
            try expectSame(fields, length, on: server, id)
            id += 2
        }
    }

    private func expectSame(_ fields: Fields, _ length: Int, on server: MemoryServer, _ id: UInt32) throws {
        let stream = try server.open()
        _ = server.frames()
        let content = Array(repeating: UInt8(ascii: "x"), count: length)
        server.receive([.headers(fields, stream: id), .data(content, end: true, stream: id)])
        let transcript = StreamTranscript(stream)
        #expect(transcript.isWhole && transcript.failure == nil)
        #expect(transcript.status.map(String.init) == fields[0].1)
        #expect(transcript.fields.map(\.name.canonicalName) == fields.dropFirst().map(\.0))
        #expect(transcript.fields.map(\.value) == fields.dropFirst().map(\.1))
        #expect(transcript.content == content)
    }

    @Test("the responses of earlier streams keep their fields when a value changes")
    func earlierResponses() throws {
        let server = try MemoryServer()
        var transcripts: [StreamTranscript] = []
        for number in 0..<4 {
            let stream = try server.open()
            _ = server.frames()
            let id = UInt32(2 * number + 1)
            server.receive([
                .headers(Self.usual([("x-number", "\(number)")]), stream: id), .data([1, 2], end: true, stream: id),
            ])
            transcripts.append(StreamTranscript(stream))
        }
        #expect(transcripts.map { $0.fields.last?.value } == ["0", "1", "2", "3"])
    }

    @Test("responses with the same head share it until a value changes")
    func shared() throws {
        let server = try MemoryServer()
        var heads: [SharedResponseHead] = []
        for (index, number) in ["1", "1", "1", "2", "2"].enumerated() {
            let stream = try server.open()
            _ = server.frames()
            server.receive([.headers(Self.usual([("x-number", number)]), stream: UInt32(2 * index + 1))])
            guard case .head(let head, _, _) = try stream.next() else { continue }
            heads.append(head)
        }
        try #require(heads.count == 5)
        #expect(heads[0] === heads[1] && heads[1] === heads[2])
        #expect(heads[2] !== heads[3])
        #expect(heads[3] === heads[4])
        #expect(heads.map { $0.head.headerFields.last?.value } == ["1", "1", "1", "2", "2"])
    }

    @Test("the declared length of a repeated head is checked (RFC 9113 §8.1.1)", arguments: ["2", "3"])
    func lengths(_ length: String) throws {
        let server = try MemoryServer()
        try expectSame(Self.usual, 2, on: server, 1)
        let stream = try server.open()
        _ = server.frames()
        server.receive([
            .headers(Self.usual([("content-length", length)]), stream: 3), .data([1], end: true, stream: 3),
        ])
        #expect(StreamTranscript(stream).failure?.code == .bodyTruncated)
    }

    @Test(
        "a field that violates a rule is found behind repeated fields (RFC 9113 §8.2.1)",
        arguments: ["a\nb", " a", "a\0"])
    func violations(_ value: String) throws {
        let server = try MemoryServer()
        try expectSame(Self.usual, 2, on: server, 1)
        let stream = try server.open()
        _ = server.frames()
        server.receive([.headers(Self.usual([("x-number", value)]), stream: 3)])
        #expect(StreamTranscript(stream).failure?.code == .malformedResponse)
        try expectSame(Self.usual, 2, on: server, 5)
    }

    @Test("informational responses and trailers do not change the next head")
    func otherSections() throws {
        let server = try MemoryServer()
        for id: UInt32 in [1, 3, 5] {
            let stream = try server.open()
            _ = server.frames()
            server.receive([
                .headers([(":status", "103"), ("link", "a")], stream: id), .headers(Self.usual, stream: id),
                .data([1, 2], stream: id), .headers([("x-sum", "\(id)")], end: true, stream: id),
            ])
            let transcript = StreamTranscript(stream)
            #expect(transcript.informational == [103])
            #expect(transcript.fields.map(\.value) == Self.usual.dropFirst().map(\.1))
            #expect(transcript.trailers?.map(\.value) == ["\(id)"])
        }
    }

    @Test("trailers that repeat the head are a violation (RFC 9113 §8.1)")
    func trailersWithStatus() throws {
        let server = try MemoryServer()
        let stream = try server.open()
        _ = server.frames()
        server.receive([
            .headers(Self.usual, stream: 1), .data([1, 2], stream: 1),
            .headers(Self.usual, end: true, stream: 1),
        ])
        #expect(StreamTranscript(stream).failure?.message.contains("pseudo-header") == true)
    }
}
