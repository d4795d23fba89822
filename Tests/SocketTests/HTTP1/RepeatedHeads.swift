import AirframeTransport
import HTTPTypes
import Testing

@testable import AirframeSocket

@Suite("a head after others on one connection", .timeLimit(.minutes(1)))
struct RepeatedHeads {
    private static func head(_ lines: String..., length: Int = 0) -> String {
        (["HTTP/1.1 200 OK"] + lines + ["Content-Length: \(length)", "", ""]).joined(separator: "\r\n")
    }

    private static let end = "Content-Length: 0\r\nB: 2\r\n\r\n"

    /// Responses on one connection, each similar to the one before.
    static let sequences: [[String]] = [
        // The same head several times.
        Array(repeating: head("Date: Sun, 06 Nov 1994 08:49:37 GMT", "Server: a"), count: 3),
        // The same head often enough to be remembered, then another, and the first once more.
        Array(repeating: head("A: 1"), count: 4) + [head("A: 2"), head("A: 2"), head("A: 2"), head("A: 1")],
        Array(repeating: head("A: 1"), count: 4) + ["HTTP/1.0 200 OK\r\nA: 1\r\nConnection: keep-alive\r\n" + end],
        // Others in between, one with a secret.
        Array(repeating: head("A: 1"), count: 4) + [head("B: 2"), head("A: 1"), head("Set-Cookie: c"), head("A: 1")],
        // An empty line before a remembered head, and an informational one.
        Array(repeating: head("A: 1"), count: 4) + ["\r\n" + head("A: 1"), head("A: 1")],
        Array(repeating: head("A: 1"), count: 4) + ["HTTP/1.1 100 C\r\n\r\n" + head("A: 1"), head("A: 1")],
        // A remembered head with an additional line.
        Array(repeating: head("A: 1"), count: 4) + ["HTTP/1.1 200 OK\r\nA: 1\r\n" + end, head("A: 1")],
        // A changed line of the same length, between unchanged ones.
        [head("A: 1", "Date: x", "B: 2"), head("A: 1", "Date: y", "B: 2"), head("A: 1", "Date: x", "B: 2")],
        // Several changed lines, and all.
        [
            head("A: 1", "B: 2", "C: 3"), head("A: 4", "B: 2", "C: 5"), head("A: 6", "B: 7", "C: 8"),
            head("A: 1", "B: 2", "C: 3"),
        ],
        // A changed line of the same length, followed by one of another length, by fewer lines, by more.
        [head("A: 1", "B: 2", "C: 3"), head("A: 4", "B: 22", "C: 3"), head("A: 1", "B: 22", "C: 3")],
        [
            head("A: 1", "B: 2", "C: 3"), head("A: 4", "B: 2"), head("A: 1", "B: 2", "C: 3"),
            head("A: 5", "B: 2", "C: 3", "D: 4"),
        ],
        // A line of the same length with another name, with another role, and a secret.
        [head("A: 1", "B: 2"), head("C: 1", "B: 2"), head("A: 1", "B: 2")],
        [head("X-Frame-Options: a", "B: 2"), head("Connection: closed", "B: 2"), head("X-Frame-Options: a", "B: 2")],
        [
            head("XXX-Cookie: a", "B: 2"), head("Set-Cookie: aa", "B: 2"), head("Set-Cookie: bb", "B: 2"),
            head("XXX-Cookie: a"),
        ],
        [head("Set-Cookia: a", "B: 2"), head("Set-Cookie: a", "B: 2"), head("Set-Cookia: a", "B: 2")],
        // A request number, in a remembered head.
        Array(repeating: head("X-Request-Id: 1", "B: 2"), count: 4)
            + (2...5).map { head("X-Request-Id: \($0)", "B: 2") },
        // Values that grow and shrink, several together, next to each other, the first and the last.
        (0..<6).map { n in
            head("A: \(String(repeating: "a", count: n))", "B: 2", "C: \(n)", "D: \(1 << (3 * n))", "E: 5")
        },
        // Two fields of one name, of which the second changes.
        (0..<4).map { head("Link: a", "Link: \($0)", "B: 2") },
        // A value that is now folded into the next line.
        [head("A: 1", "B: 2"), head("A: 3\r\n 4", "B: 2"), head("A: 1", "B: 2")],
        // A line of another length.
        [head("A: 1", "B: 22", "C: 3"), head("A: 1", "B: 4444", "C: 3"), head("A: 1", "B: 22", "C: 3")],
        // Fewer lines, more lines, none.
        [head("A: 1", "B: 2"), head("A: 1"), head("A: 1", "B: 2", "C: 3"), "HTTP/1.1 204 N\r\n\r\n", head("A: 1")],
        // The same line for another field: names are compared as they are spelled.
        [head("a: 1"), head("A: 1"), head("a: 1")],
        // Another status, with the same fields.
        [head("A: 1"), "HTTP/1.1 404 No\r\nA: 1\r\nContent-Length: 0\r\n\r\n", head("A: 1")],
        // Framing fields that return.
        [
            head("A: 1", length: 0), "HTTP/1.1 200 OK\r\nA: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            "HTTP/1.1 200 OK\r\nA: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nT: 1\r\n\r\n", head("A: 1", length: 0),
        ],
        // Merged lengths stay merged.
        Array(repeating: "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nA: 1\r\nContent-Length: 0\r\n\r\n", count: 3),
        // Informational heads in between.
        [head("A: 1"), "HTTP/1.1 103 E\r\nA: 2\r\nLink: b\r\n\r\n" + head("A: 1"), head("A: 1")],
        // A secret, and the heads after it.
        [head("Set-Cookie: a=b", "A: 1"), head("Set-Cookie: a=b", "A: 1"), head("Set-Cookie: a=c", "A: 1")],
        // A folded line.
        [head("A: 1"), head("A: 1\r\n 2"), head("A: 1"), head("A: 1\r\n 2")],
        // A head above the capacity of the memory.
        Array(repeating: head("A: \(String(repeating: "x", count: 3000))", "B: 1"), count: 2) + [head("B: 1")],
    ]

    /// The meaning of a head.
    private struct Words: Equatable {
        let status: HTTPResponse.Status
        let fields: [String]

        init(_ head: HTTPResponse) {
            status = head.status
            fields = head.headerFields.map { "\($0.name.rawName): \($0.value)" }
        }
    }

    /// The heads that one parser finds in `responses`, the bytes of each cut into pieces of `size`.
    ///
    /// - Parameters:
    ///   - areHeld: Whether the earlier heads are still referenced.
    ///   - areReadLast: Whether the heads are read after the last response, so that changed fields are made then.
    ///   - areInherited: Whether each response has its own parser, with the memory of the previous one.
    private static func words(
        in responses: [String],
        size: Int,
        areHeld: Bool,
        areReadLast: Bool = false,
        areInherited: Bool = false
    ) throws -> [Words] {
        var parser = HTTP1ResponseParser()
        var words: [Words] = []
        var held: [SharedResponseHead] = []
        for response in responses {
            if areInherited {
                let memory = parser.memory
                parser = HTTP1ResponseParser()
                parser.memory = memory
            }
            parser.begin(.ordinary)
            let bytes = response.latin1
            for start in stride(from: 0, to: bytes.count, by: size) {
                let piece = Array(bytes[start..<min(bytes.count, start + size)])
                var position = 0
                var event = HTTP1ResponseEvent.needsMore
                repeat {
                    event = try parser.next(in: piece.span.bytes, from: &position)
                    guard case .head(let head, _, _) = event else { continue }
                    if !areReadLast { words.append(Words(head.head)) }
                    if areHeld || areReadLast { held.append(head) }
                } while event != .needsMore && !parser.isComplete
            }
            #expect(parser.isComplete)
            #expect(parser.closeReason(surplus: 0) == nil)
        }
        if areReadLast { return held.map { Words($0.head) } }
        // Returned heads do not change.
        #expect(!areHeld || held.map { Words($0.head) } == words)
        return words
    }

    @Test("has the same meaning as on a new connection, for every division into pieces", arguments: sequences)
    func repetition(_ responses: [String]) throws {
        let alone = try responses.flatMap { try Self.words(in: [$0], size: $0.utf8.count, areHeld: false) }
        #expect(alone.count == responses.count)
        for size in [1, 7, 10_000] {
            #expect(try Self.words(in: responses, size: size, areHeld: true) == alone)
            #expect(try Self.words(in: responses, size: size, areHeld: false) == alone)
            #expect(try Self.words(in: responses, size: size, areHeld: true, areInherited: true) == alone)
            #expect(try Self.words(in: responses, size: size, areHeld: true, areReadLast: true) == alone)
        }
    }

    @Test(
        "is not remembered if a field is a secret by the standard policy",
        arguments: [
            ("Set-Cookie", false), ("X-Session-Token", false), ("Authentication-Info", false), ("X-Request-Id", true),
            ("ETag", true),
        ]
    )
    func secrets(_ name: String, isKept: Bool) throws {
        var parser = HTTP1ResponseParser()
        parser.begin(.ordinary)
        var position = 0
        let bytes = Self.head("\(name): s3cret").latin1
        while !parser.isComplete { _ = try parser.next(in: bytes.span.bytes, from: &position) }
        #expect(parser.memory.isEmpty == !isKept)
    }

    @Test("is framed by its request, remembered or not (RFC 9112 §6.3)")
    func framing() throws {
        var parser = HTTP1ResponseParser()
        let bytes = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n".latin1
        let kinds: [HTTP1RequestKind] = [
            .ordinary, .ordinary, .ordinary, .ordinary, .head, .head, .head, .ordinary, .connect, .connect, .ordinary,
        ]
        for kind in kinds {
            parser.begin(kind)
            var position = 0
            guard case .head(_, let byteCount, let framing) = try parser.next(in: bytes.span.bytes, from: &position)
            else {
                Issue.record("there was no head")
                return
            }
            #expect(byteCount == bytes.count)
            #expect(position == bytes.count)
            #expect(framing == (kind == .head ? .none : kind == .connect ? .tunnel : .length(2)))
        }
    }

    @Test("closes its connection each time that it has Connection: close (RFC 9112 §9.6)")
    func closing() throws {
        var parser = HTTP1ResponseParser()
        for (version, field, asksToClose, reason) in [
            ("1.1", "Connection: close", false, HTTP1CloseReason.askedByServer), ("1.1", "A: 1", true, .askedByClient),
            ("1.1", "A: 1", false, nil), ("1.0", "A: 1", false, .oldVersion),
        ] as [(String, String, Bool, HTTP1CloseReason?)] {
            let bytes = "HTTP/\(version) 200 OK\r\n\(field)\r\nContent-Length: 0\r\n\r\n".latin1
            for _ in 0..<4 {
                parser.begin(.ordinary, asksToClose: asksToClose)
                var position = 0
                while !parser.isComplete { _ = try parser.next(in: bytes.span.bytes, from: &position) }
                #expect(parser.closeReason(surplus: 0) == reason)
                #expect(parser.minorVersion == (version == "1.0" ? 0 : 1))
            }
        }
    }

    @Test("is rejected like a first head if one of its lines is malformed")
    func fault() throws {
        var parser = HTTP1ResponseParser()
        let good = "HTTP/1.1 200 OK\r\nA: 1\r\nB: 2\r\nContent-Length: 0\r\n\r\n"
        let bad = good.replacing("B: 2", with: "B : ")
        for (text, isGood) in [(good, true), (good, true), (bad, false)] {
            parser.begin(.ordinary)
            var position = 0
            let bytes = text.latin1
            let result = Result { try parser.next(in: bytes.span.bytes, from: &position) }
            let isTaken = (try? result.get()) != nil
            #expect(isTaken == isGood)
            if isGood { _ = try parser.next(in: bytes.span.bytes, from: &position) }
        }
    }
}
