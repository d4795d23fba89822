import Airframe
import AirframeConformance
import AirframeMock
import AirframeTestSupport
import Foundation
import HTTPTypes
import Testing

@Suite("Multipart responses", .timeLimit(.minutes(1)))
struct MultipartResponseTests {
    private struct Part: Equatable {
        var headers: [String]
        var content: String
    }

    private static func parts(_ chunks: [Data], boundary: String) throws -> [Part] {
        var parser = MultipartParser(boundary: boundary)
        var events: [MultipartEvent] = []
        for chunk in chunks { try parser.push(chunk, into: &events) }
        try parser.finish(into: &events)
        var parts: [Part] = []
        var isOpen = false
        for event in events {
            switch event {
            case .header(let headers):
                #expect(!isOpen)
                isOpen = true
                parts.append(Part(headers: headers.map { "\($0.name): \($0.value)" }, content: ""))
            case .content(let data):
                #expect(isOpen && !data.isEmpty)
                parts[parts.count - 1].content += String(decoding: data, as: UTF8.self)
            case .end:
                #expect(isOpen)
                isOpen = false
            }
        }
        #expect(!isOpen)
        return parts
    }

    private static let cases: [(name: String, text: String, boundary: String, parts: [Part])] = [
        (
            "two parts with text around them (RFC 2046 §5.1.1)",
            "preamble\r\n--x\r\nContent-Type: text/plain\r\n\r\none\r\n"
                + "--x\r\n\r\ntwo\r\nlines\r\n\r\n--x--\r\nepilogue --x",
            "x",
            [
                Part(headers: ["Content-Type: text/plain"], content: "one"),
                Part(headers: [], content: "two\r\nlines\r\n"),
            ]
        ),
        (
            "empty parts, with and without a line break",
            "--x\r\nA: 1\r\n\r\n\r\n--x\r\nB: 2\r\n\r\n--x\r\n\r\n--x--", "x",
            [
                Part(headers: ["A: 1"], content: ""), Part(headers: ["B: 2"], content: ""),
                Part(headers: [], content: ""),
            ]
        ),
        (
            "text that resembles a delimiter",
            "--x\r\n\r\na --x b\r\n--xy\r\n--x-\r\n-x\r\n--\r\n--x--", "x",
            [Part(headers: [], content: "a --x b\r\n--xy\r\n--x-\r\n-x\r\n--")]
        ),
        (
            "whitespace after the delimiter, bare line feeds, folded fields, lines that are not fields",
            "--x \t\r\nA: 1\r\n  more\r\nnonsense\r\n\r\none\n--x\nB:2\n\ntwo\n--x--", "x",
            [Part(headers: ["A: 1 more"], content: "one"), Part(headers: ["B: 2"], content: "two")]
        ),
        (
            "a boundary of many characters", "--=_a'()+_,-./:=? b\r\n\r\n\r\none\r\n--=_a'()+_,-./:=? b--",
            "=_a'()+_,-./:=? b", [Part(headers: [], content: "\r\none")]
        ),
    ]

    @Test("are parsed alike, however the chunks are cut", arguments: cases.indices)
    func cuts(index: Int) throws {
        let expected = Self.cases[index]
        let data = Data(expected.text.utf8)
        #expect(try Self.parts([data], boundary: expected.boundary) == expected.parts, "\(expected.name)")
        #expect(try Self.parts(data.map { Data([$0]) }, boundary: expected.boundary) == expected.parts)
        for cut in 1..<data.count {
            let chunks = [data.prefix(cut), data.dropFirst(cut)]
            #expect(try Self.parts(chunks, boundary: expected.boundary) == expected.parts, "cut at \(cut)")
        }
    }

    @Test(
        "that end before the closing delimiter are errors",
        arguments: [
            "", "text", "--x", "--x\r\nA: 1", "--x\r\n\r\nbody", "--x\r\n\r\nbody\r\n--x",
            "--x\r\n\r\nbody\r\n--x\r\n",
        ])
    func truncated(text: String) throws {
        let error = #expect(throws: StreamParsingError.self) { try Self.parts([Data(text.utf8)], boundary: "x") }
        #expect(error?.reason == .truncated)
    }

    @Test("with a header above the limit are rejected")
    func limit() throws {
        var parser = MultipartParser(boundary: "x", maximumHeaderLength: 100)
        let text = "--x\r\nA: \(String(repeating: "a", count: 200))\r\n\r\nbody\r\n--x--"
        let error = #expect(throws: StreamParsingError.self) { try parser.push(Data(text.utf8)) }
        #expect(error?.reason == .tooLong(limit: 100))
    }

    private static let byteRanges = """
        --sep\r\nContent-Type: text/plain\r\nContent-Range: bytes 0-3/20\r\n\r\nabcd\r\n\
        --sep\r\nContent-Type: text/plain\r\nContent-Range: bytes 10-14/*\r\n\r\nklmno\r\n--sep--\r\n
        """

    @Test("byte ranges are parts with their offsets", arguments: TestedEngine.allCases)
    func byteRanges(engine: TestedEngine) async throws {
        let body = Self.byteRanges
        let server = try ScriptedServer.responding { _ in
            "HTTP/1.1 206 Partial Content\r\nContent-Type: multipart/byteranges; boundary=sep\r\n"
                + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
        }
        let request = engine.session().streamRequest(server.origin)
        var ranges: [ClosedRange<Int64>?] = []
        var totals: [Int64?] = []
        var texts: [String] = []
        for try await part in request.multipartParts() {
            #expect(part.contentType == "text/plain")
            ranges.append(part.range)
            totals.append(part.totalLength)
            texts.append(String(decoding: try await part.collect(upTo: 100), as: UTF8.self))
        }
        #expect(ranges == [0...3, 10...14])
        #expect(totals == [20, nil])
        #expect(texts == ["abcd", "klmno"])
    }

    private func session(_ type: String?, _ body: String) -> Session {
        let transport = ClosureTransport { request in
            var head = HTTPResponse(status: .ok)
            head.headerFields[.contentType] = type
            return TransportResponse(head: head, body: ResponseBody(Data(body.utf8)), request: request.head)
        }
        return kept(Session(transport: transport))
    }

    @Test("names of form parts are parsed, and unread content is skipped")
    func forms() async throws {
        let body =
            "--x\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n"
            + "--x\r\nContent-Disposition: form-data; name=\"b\"; filename=\"b.txt\"\r\n\r\n2\r\n--x--"
        var names: [String?] = []
        var files: [String?] = []
        var first: MultipartResponsePart?
        let request = session("multipart/form-data; boundary=\"x\"", body).streamRequest("http://api.test/")
        for try await part in request.multipartParts() {
            names.append(part.name)
            files.append(part.filename)
            if first == nil { first = part }
        }
        #expect(names == ["a", "b"])
        #expect(files == [nil, "b.txt"])
        let late = try await first?.collect(upTo: 10)
        #expect(late == Data())
    }

    @Test("content above a limit is rejected")
    func collecting() async throws {
        let request = session("multipart/mixed; boundary=x", "--x\r\n\r\n12345\r\n--x--")
            .streamRequest("http://api.test/")
        await #expect(throws: StreamParsingError.self) {
            for try await part in request.multipartParts() { _ = try await part.collect(upTo: 4) }
        }
    }

    @Test(
        "a response of another type is rejected",
        arguments: [nil, "text/plain; boundary=x", "multipart/mixed", "multipart/mixed; boundary="])
    func otherTypes(type: String?) async throws {
        let request = session(type, "--x\r\n\r\n1\r\n--x--").streamRequest("http://api.test/")
        let error = await #expect(throws: StreamParsingError.self) {
            for try await _ in request.multipartParts() {}
        }
        #expect(error?.reason == .notMultipart)
    }

    @Test("a response that ends early fails after its parts")
    func early() async throws {
        let request = session("multipart/mixed; boundary=x", "--x\r\n\r\none\r\n--x\r\n\r\ntw")
            .streamRequest("http://api.test/")
        let texts = Log<String>()
        let error = await #expect(throws: StreamParsingError.self) {
            for try await part in request.multipartParts() {
                texts.append(String(decoding: try await part.collect(upTo: 10), as: UTF8.self))
            }
        }
        #expect(error?.reason == .truncated)
        #expect(texts.values == ["one"])
    }

    /// The parts of a response, and after them what a closure returns.
    private final class EndingBody: ResponseBodySource {
        let pulls = Counter()
        private let rest: @Sendable () async throws(TransportError) -> Data?

        init(_ rest: @escaping @Sendable () async throws(TransportError) -> Data?) { self.rest = rest }

        func next() async throws(TransportError) -> Data? {
            if pulls.next() == 1 { return Data("--x\r\n\r\none\r\n--x--".utf8) }
            guard !Task.isCancelled else { throw .cancelled(in: .responseBody, processing: .unknown) }
            return try await rest()
        }

        func cancel() {}
    }

    private func request(
        _ body: EndingBody,
        clock: any TransportClock = SystemClock.shared
    ) -> DataStreamRequest {
        let transport = ClosureTransport(clock: clock) { request in
            var head = HTTPResponse(status: .ok)
            head.headerFields[.contentType] = "multipart/mixed; boundary=x"
            return TransportResponse(head: head, body: ResponseBody(body), request: request.head)
        }
        return kept(Session(transport: transport)).streamRequest("http://api.test/")
    }

    @Test("end at the last delimiter if the server keeps the body open, and the request ends with the body")
    func openEpilogue() async throws {
        let end = Signal()
        let body = EndingBody { () async throws(TransportError) in
            while !end.isUp {
                guard !Task.isCancelled else { throw .cancelled(in: .responseBody, processing: .unknown) }
                await Task.yield()
            }
            return nil
        }
        let request = request(body)
        var count = 0
        for try await _ in request.multipartParts() { count += 1 }
        #expect(count == 1)
        #expect(!end.isUp && !request.isFinished)
        end.raise()
        try await eventually("the end") { request.isFinished }
        #expect(request.error == nil)
    }

    @Test("end at the last delimiter, and the request is cancelled if the server keeps the body open for long")
    func lastingEpilogue() async throws {
        let clock = VirtualClock(.manual)
        let body = EndingBody { () async throws(TransportError) in
            while !Task.isCancelled { await Task.yield() }
            throw .cancelled(in: .responseBody, processing: .unknown)
        }
        let request = request(body, clock: clock)
        var count = 0
        for try await _ in request.multipartParts() { count += 1 }
        #expect(count == 1)
        try await eventually("the limit") { clock.nextDeadline == clock.now.advanced(by: .seconds(5)) }
        #expect(!request.isFinished)
        await clock.advance(by: .seconds(5))
        try await eventually("the cancellation") { request.isCancelled }
    }

    @Test("end at the last delimiter if the server sends more without end, and the request is cancelled")
    func endlessEpilogue() async throws {
        let body = EndingBody { Data(count: 16 << 10) }
        let request = request(body)
        var count = 0
        for try await _ in request.multipartParts() { count += 1 }
        #expect(count == 1)
        try await eventually("the cancellation") { request.isCancelled }
    }
}
