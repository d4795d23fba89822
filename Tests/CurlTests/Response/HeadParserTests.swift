import AirframeTestSupport
import AirframeTransport
import HTTPTypes
import Testing

@testable import AirframeCurl

@Suite("Heads, line by line")
struct HeadParserTests {
    /// The progress that each line brings, in words, up to a failure.
    private func read(_ text: String, _ rules: HeadParser.Rules = .init()) throws(HeadParser.Failure) -> [String] {
        var parser = HeadParser(rules)
        var steps: [String] = []
        for line in text.utf8.split(separator: 10, omittingEmptySubsequences: false).dropLast() {
            let progress = try Array(line + [10]).withUnsafeBufferPointer { bytes throws(HeadParser.Failure) in
                try parser.read(bytes)
            }
            switch progress {
            case .more: continue
            case .informational(let head): steps.append("\(head.status.code)")
            case .final(let head, let length):
                steps.append("final \(head.status.code) \(length.map(String.init) ?? "-")")
            case .trailer: steps.append("trailer")
            }
        }
        return steps
    }

    @Test(
        "a head, its informational ones and its trailer",
        arguments: [
            ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n", ["final 200 5"]),
            ("HTTP/1.0 404 Not Found\r\n\r\n", ["final 404 -"]),
            (
                "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103\r\nA: b\r\n\r\nHTTP/1.1 200\r\n\r\n",
                ["100", "103", "final 200 -"]
            ),
            ("HTTP/1.1 200 OK\r\n\r\nX: y\r\n\r\n", ["final 200 -", "trailer"]),
            ("HTTP/1.1 204 No\r\nContent-Length: 7\r\n\r\n", ["final 204 0"]),
            ("HTTP/1.1 304 No\r\nContent-Length: 7\r\n\r\n", ["final 304 0"]),
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", ["final 200 -"]),
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding:\r\n chunked\r\n\r\n", ["final 200 -"]),
            ("HTTP/1.1 304 No\r\nTransfer-Encoding: gzip\r\n\r\n", ["final 304 0"]),
            ("HTTP/1.1 200 OK\r\nContent-Length: 5,5 , 5\r\n\r\n", ["final 200 5"]),
        ]
    )
    func sound(text: String, steps: [String]) throws {
        #expect(try read(text) == steps)
    }

    @Test("over HTTP/2 only libcurl's status line is accepted")
    func http2() throws {
        let rules = HeadParser.Rules(isHTTP2: true)
        #expect(try read("HTTP/2 200 \r\nx: y\r\n\r\n", rules) == ["final 200 -"])
        #expect(throws: HeadParser.Failure.self) { try read("HTTP/1.1 200 OK\r\n\r\n", rules) }
        #expect(throws: HeadParser.Failure.self) { try read("HTTP/2 200 \r\n\r\n") }
    }

    @Test("the response to HEAD announces a length without content")
    func head() throws {
        let rules = HeadParser.Rules(isHead: true)
        #expect(try read("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n", rules) == ["final 200 0"])
    }

    @Test("limits on size and on informational responses")
    func limits() {
        let small = HeadParser.Rules(sizeLimit: 30)
        #expect(throws: HeadParser.Failure.tooLarge(limit: 30)) {
            try read("HTTP/1.1 200 OK\r\nX: 0123456789\r\n\r\n", small)
        }
        let impatient = HeadParser.Rules(informationalLimit: 2)
        #expect(throws: HeadParser.Failure.tooManyInformational(limit: 2)) {
            try read(String(repeating: "HTTP/1.1 103 X\r\n\r\n", count: 3), impatient)
        }
    }

    @Test(
        "invalid heads are rejected",
        arguments: [
            "HTTP/1.1\r\n", "HTTP/1.1 2000 OK\r\n", "HTTP/1.1 +20 OK\r\n", "HTTP/1.1  200 OK\r\n",
            "http/1.1 200 OK\r\n",
            "ICY 200 OK\r\n", "HTTP/1.1 200 OK\r\n folded: first\r\n", "HTTP/1.1 200 OK\r\nA B: c\r\n",
            "HTTP/1.1 200 OK\r\nA : c\r\n", "HTTP/1.1 200 OK\r\nA: b\u{0}c\r\n", "HTTP/1.1 200 OK\r\nA: b\r\n c\rd\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length:\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 1,\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 0x10\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 1 2\r\n\r\n",
            "HTTP/1.1 101 Switching\r\n\r\n", "HTTP/1.1 200 OK\nContent-Length: 1\n\n",
            "HTTP/1.1 200 OK\r\nX: a\u{1}\r\n", "HTTP/1.1 200 O\u{1}K\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked, gzip\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n",
        ]
    )
    func malformed(text: String) {
        #expect(throws: HeadParser.Failure.self) { try read(text) }
    }

    // MARK: The last head on the connection

    private struct Final: Equatable {
        var version: HTTPVersion
        var status: String
        var fields: [String]
        var length: Int64?
    }

    /// The final response of each head, read one after another on one connection or each on its own connection.
    private func finals(_ heads: [String], isKept: Bool) throws -> [Final] {
        var memory = HeadMemory()
        return try heads.map { head in
            var parser = HeadParser(HeadParser.Rules())
            if isKept { parser.memory = memory }
            var final: Final?
            for line in head.utf8.split(separator: 10, omittingEmptySubsequences: false).dropLast() {
                let progress = try Array(line + [10]).withUnsafeBufferPointer { bytes throws(HeadParser.Failure) in
                    try parser.read(bytes)
                }
                guard case .final(let head, let length) = progress else { continue }
                let fields = head.headerFields.map { "\($0.name.rawName): \($0.value)" }
                final = Final(
                    version: parser.version, status: head.status.description, fields: fields, length: length)
            }
            memory = parser.memory
            return try #require(final)
        }
    }

    private static let plain = "HTTP/1.1 200 OK\r\nServer: s\r\nDate: 1\r\nContent-Length: 5\r\n\r\n"

    @Test(
        "a head is read alike after any earlier head of the connection",
        arguments: [
            plain,
            plain.replacing("Date: 1", with: "Date: 2"),
            plain.replacing("Date: 1", with: "Date: 10"),
            plain.replacing("Date: 1", with: "date: 1"),
            plain.replacing("Date: 1", with: "Date:1"),
            plain.replacing("Date: 1", with: "Data: 1"),
            plain.replacing("Date: 1\r\n", with: ""),
            plain.replacing("Content-Length: 5\r\n", with: ""),
            plain.replacing("Length: 5", with: "Length: 6"),
            plain.replacing("\r\n\r\n", with: "\r\nX: y\r\n\r\n"),
            plain.replacing("\r\nServer", with: "\r\nFirst: f\r\nServer"),
            plain.replacing("Date: 1\r\n", with: "Date: 1\r\n folded\r\n"),
            plain.replacing("Content-Length: 5\r\n", with: "Transfer-Encoding: chunked\r\n"),
            plain.replacing("200 OK", with: "404 No"),
            plain.replacing("200 OK", with: "404 Not Found"),
            plain.replacing("200 OK", with: "204 No"),
            plain.replacing("HTTP/1.1", with: "HTTP/1.0"),
            plain.replacing("Server: s", with: "Set-Cookie: a=b"),
            "HTTP/1.1 103 Early\r\nServer: s\r\nLink: l\r\n\r\n" + plain,
            "HTTP/1.1 200 OK\r\n\r\n",
            "HTTP/1.1 200 OK\r\nX: " + String(repeating: "x", count: 5000) + "\r\n\r\n",
        ]
    )
    func recalled(other: String) throws {
        for heads in [[Self.plain, other, Self.plain], [other, other], [other, Self.plain, Self.plain, other]] {
            #expect(try finals(heads, isKept: true) == finals(heads, isKept: false))
        }
    }

    @Test("no secret of a response is kept with the connection")
    func secrets() throws {
        var parser = HeadParser(HeadParser.Rules())
        for line in ["HTTP/1.1 200 OK\r\n", "Set-Cookie: a=secret\r\n", "\r\n"] {
            _ = try Array(line.utf8).withUnsafeBufferPointer { bytes throws(HeadParser.Failure) in
                try parser.read(bytes)
            }
        }
        #expect(parser.memory.meaning == nil)
        #expect(!String(reflecting: parser.memory).contains("secret"))
    }

    @Test("limits apply to repeated heads")
    func limitsRecalled() throws {
        var memory = HeadMemory()
        for (limit, isRefused) in [(3, false), (3, false), (2, true)] {
            var parser = HeadParser(HeadParser.Rules(fieldLimit: limit))
            parser.memory = memory
            var failure: HeadParser.Failure?
            for line in Self.plain.utf8.split(separator: 10, omittingEmptySubsequences: false).dropLast() {
                do throws(HeadParser.Failure) {
                    _ = try Array(line + [10]).withUnsafeBufferPointer { bytes throws(HeadParser.Failure) in
                        try parser.read(bytes)
                    }
                } catch {
                    failure = error
                    break
                }
            }
            #expect(failure == (isRefused ? .tooManyFields(limit: limit) : nil))
            memory = parser.memory
        }
    }
}
