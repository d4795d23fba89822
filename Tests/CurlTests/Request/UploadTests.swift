import AirframeConformance
import AirframeCurl
import AirframeTestSupport
import AirframeTransport
import Foundation
import HTTPTypes
import Testing

@Suite("Request bodies", .timeLimit(.minutes(1)))
struct UploadTests {
    let transport = CurlTransport()

    /// A server that keeps what it is sent, by length or in chunks, and answers.
    private func echo() throws -> ScriptedServer {
        try ScriptedServer { connection in
            while true {
                let head = try connection.readHead()
                if head.lowercased().contains("transfer-encoding: chunked") {
                    let (content, trailers) = try connection.readChunkedBody()
                    try connection.respond(
                        fields: trailers.map { "Got-\($0)" }, body: String(decoding: content, as: UTF8.self))
                } else {
                    let length = head.split(separator: "\r\n").first { $0.lowercased().hasPrefix("content-length:") }
                    let count = length.flatMap { Int($0.dropFirst(15).drop { $0 == " " }) } ?? 0
                    try connection.respond(body: String(decoding: try connection.read(count), as: UTF8.self))
                }
            }
        }
    }

    @Test("bytes arrive whole, regardless of their number", arguments: [1, 1000, 32_768, 32_769, 65_536, 3_000_001])
    func bytes(count: Int) async throws {
        let server = try echo()
        let data = Data((0..<count).map { UInt8(ascii: "a") + UInt8($0 % 26) })
        let (_, body) = try await transport.fetch(TransportRequest(.post, server.origin, body: .bytes(data)))
        #expect(body == data)
    }

    @Test("a slice of bytes arrives as the slice")
    func slice() async throws {
        let server = try echo()
        let data = Data(repeating: 7, count: 100_000) + Data("tail".utf8)
        let (_, body) = try await transport.fetch(
            TransportRequest(.post, server.origin, body: .bytes(data.suffix(40_004))))
        #expect(body == data.suffix(40_004))
    }

    @Test("a region of a file arrives")
    func file() async throws {
        let server = try echo()
        let path = NSTemporaryDirectory() + "airframe-\(UUID().uuidString)"
        let content = Data((0..<500_000).map { UInt8(32 + $0 % 90) })
        try content.write(to: URL(fileURLWithPath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        let region = FileRegion(path: path, offset: 1000, length: 400_000)
        let (_, body) = try await transport.fetch(TransportRequest(.put, server.origin, body: .file(region)))
        #expect(body == content[1000..<401_000])
    }

    @Test("a file that is too short is rejected before anything is sent")
    func shortFile() async throws {
        let server = try echo()
        let path = NSTemporaryDirectory() + "airframe-\(UUID().uuidString)"
        try Data("short".utf8).write(to: URL(fileURLWithPath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        let request = TransportRequest(.put, server.origin, body: .file(FileRegion(path: path, length: 6)))
        let error = try #require(await transport.failure(of: request))
        #expect(error.code == .bodyLengthMismatch)
        #expect(error.processing == .notSent)
        #expect(error.message.contains(path))
        #expect(server.connections.isEmpty)
    }

    @Test("a stream without a length is sent in chunks (RFC 9112 §7.1)")
    func chunks() async throws {
        let server = try echo()
        let source = ChunkSource(["one ", "", "two ", "three"], delay: .milliseconds(5))
        let (_, body) = try await transport.fetch(TransportRequest(.post, server.origin, body: .oneShot(source)))
        #expect(body == Data("one two three".utf8))
        #expect(server.connections[0].receivedText.contains("Transfer-Encoding: chunked\r\n"))
    }

    @Test("an empty stream is an empty body")
    func emptyStream() async throws {
        let server = try echo()
        let (_, body) = try await transport.fetch(
            TransportRequest(.post, server.origin, body: .oneShot(ChunkSource([]))))
        #expect(body.isEmpty)
    }

    @Test("a stream with a length is sent with Content-Length")
    func streamWithLength() async throws {
        let server = try echo()
        let body = RequestBody.oneShot(length: 7, ChunkSource(["one", "four"]))
        let (_, received) = try await transport.fetch(TransportRequest(.post, server.origin, body: body))
        #expect(received == Data("onefour".utf8))
        #expect(server.connections[0].receivedText.contains("Content-Length: 7\r\n"))
    }

    @Test(
        "a source that delivers another length than announced fails the exchange",
        arguments: [["abc"], ["abc", "defg"], ["abcdef", "g"]])
    func wrongLength(chunks: [String]) async throws {
        let server = try echo()
        let request = TransportRequest(.post, server.origin, body: .oneShot(length: 6, ChunkSource(chunks)))
        let error = try #require(await transport.failure(of: request))
        #expect(error.code == .bodyLengthMismatch)
        #expect(error.message.contains("6 were announced"))
    }

    @Test("a source that throws fails the exchange with its error")
    func failingSource() async throws {
        let server = try echo()
        let request = TransportRequest(
            .post, server.origin, body: .oneShot(ChunkSource(["abc"], failure: SourceBroke())))
        let error = try #require(await transport.failure(of: request))
        #expect(error.code == .bodyFailed)
        #expect(error.underlying as? SourceBroke == SourceBroke())
    }

    @Test("a one-shot body is not sent twice")
    func oneShot() async throws {
        let server = try echo()
        let request = TransportRequest(.post, server.origin, body: .oneShot(ChunkSource(["abc"])))
        _ = try await transport.fetch(request)
        let error = try #require(await transport.failure(of: request))
        #expect(error.code == .bodyNotReplayable)
    }

    @Test("a source is pulled only as the connection takes its bytes")
    func backpressure() async throws {
        let go = Signal()
        let server = try ScriptedServer { connection in
            try connection.readHead()
            go.wait()
            let (content, _) = try connection.readChunkedBody()
            try connection.respond(body: "\(content.count)")
        }
        let chunk = String(repeating: "x", count: 256 << 10)
        let source = ChunkSource(Array(repeating: chunk, count: 200))
        let task = Task {
            try await transport.fetch(TransportRequest(.post, server.origin, body: .oneShot(source))).body
        }
        try await Task.sleep(for: .milliseconds(500))
        // The kernel's buffers take some MiB; 50 MiB they do not.
        #expect(source.pulledCount < 100)
        go.raise()
        #expect(try await task.value == Data("\(200 * 256 << 10)".utf8))
    }

    @Test("trailers follow the content", arguments: [true, false])
    func trailers(isStream: Bool) async throws {
        let server = try echo()
        let content: RequestBody = isStream ? .oneShot(ChunkSource(["con", "tent"])) : .bytes(Data("content".utf8))
        let name = try #require(HTTPField.Name("X-Sum"))
        let body = content.trailers {
            try await Task.sleep(for: .milliseconds(5))
            return [name: "42"]
        }
        let (response, received) = try await transport.fetch(TransportRequest(.post, server.origin, body: body))
        #expect(received == Data("content".utf8))
        #expect(response.head.headerFields[try #require(HTTPField.Name("Got-X-Sum"))] == "42")
    }

    @Test("trailers that cannot be made fail the exchange")
    func failingTrailers() async throws {
        let server = try echo()
        let body = RequestBody.bytes(Data("content".utf8)).trailers { throw SourceBroke() }
        let error = try #require(await transport.failure(of: TransportRequest(.post, server.origin, body: body)))
        #expect(error.code == .bodyFailed)
        #expect(error.underlying as? SourceBroke == SourceBroke())
    }

    @Test("cancelling while a source is slow cancels the source")
    func cancelledSource() async throws {
        let server = try echo()
        let source = ChunkSource(["abc"], delay: .seconds(30))
        let task = Task { await transport.failure(of: TransportRequest(.post, server.origin, body: .oneShot(source))) }
        while source.requestedCount == 0 { try await Task.sleep(for: .milliseconds(2)) }
        task.cancel()
        #expect(try await within(.seconds(15)) { await task.value }?.code == .cancelled)
        #expect(source.isCancelled)
    }

    @Test("with Expect: 100-continue the body waits for the server's response (RFC 9110 §10.1.1)")
    func expectContinue() async throws {
        let server = try ScriptedServer { connection in
            let head = try connection.readHead()
            guard head.contains("Expect: 100-continue\r\n") else { return try connection.respond("400 Bad Request") }
            connection.pause(.milliseconds(100))
            let early = connection.received.count - head.utf8.count
            try connection.send("HTTP/1.1 100 Continue\r\n\r\n")
            try connection.respond(
                fields: ["Early: \(early)"], body: String(decoding: try connection.read(4), as: UTF8.self))
        }
        let log = EventLog()
        let request = TransportRequest(.post, server.origin, body: .bytes(Data("body".utf8))).with {
            $0.options.expectContinue = .always(wait: .seconds(5))
            $0.events = log
        }
        let (response, body) = try await transport.fetch(request)
        #expect(body == Data("body".utf8))
        #expect(response.head.headerFields[try #require(HTTPField.Name("Early"))] == "0")
        #expect(log.names.contains("informationalResponse"))
    }

    /// Answers with the body, of four bytes, and nothing before it.
    private static let sayNothingToExpectation: ScriptedServer.Script = { connection in
        try connection.readHead()
        try connection.respond(body: String(decoding: try connection.read(4), as: UTF8.self))
    }

    @Test("a server that ignores the expectation gets the body after the wait")
    func expectTimeout() async throws {
        let server = try ScriptedServer(Self.sayNothingToExpectation)
        let request = TransportRequest(.post, server.origin, body: .bytes(Data("body".utf8))).with {
            $0.options.expectContinue = .always(wait: .milliseconds(100))
        }
        #expect(try await transport.fetch(request).body == Data("body".utf8))
    }

    @Test("the wait ends even if another timer of libcurl expires at the same time, such as that of Happy Eyeballs")
    func expectTimeoutBesideAnother() async throws {
        let server = try ScriptedServer(Self.sayNothingToExpectation)
        let request = TransportRequest(.post, server.origin, body: .bytes(Data("body".utf8))).with {
            $0.options.expectContinue = .always(wait: .milliseconds(201))
            $0.options.limits.writeIdle = .seconds(15)
        }
        // A transport each, because the other timer is that of a new connection.
        let bodies = try await withThrowingTaskGroup(of: Data.self) { group in
            for _ in 0..<20 { group.addTask { try await CurlTransport().fetch(request).body } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(bodies == Array(repeating: Data("body".utf8), count: 20))
    }

    @Test("a server that declines the expectation gets no body, and its answer is the response")
    func expectDeclined() async throws {
        let server = try ScriptedServer { connection in
            try connection.readHead()
            try connection.respond("417 Expectation Failed", body: "no")
            #expect(try connection.readToEnd().isEmpty)
        }
        let request = TransportRequest(.post, server.origin, body: .bytes(Data(repeating: 1, count: 100_000))).with {
            $0.options.expectContinue = .always(wait: .seconds(5))
        }
        let (response, body) = try await transport.fetch(request)
        #expect(response.head.status == 417)
        // libcurl would repeat the request, and throws this body away for it.
        #expect(body.isEmpty)
    }

    @Test("a response before the end of the request arrives whole", arguments: [200, 413])
    func earlyAnswer(status: Int) async throws {
        let server = try ScriptedServer { connection in
            try connection.readHead()
            try connection.respond("\(status) Early", fields: ["Connection: close"], body: "early")
            connection.finishWriting()
            connection.pause(.milliseconds(200))
        }
        let body = RequestBody.bytes(Data(repeating: 1, count: 20_000_000))
        let (response, data) = try await transport.fetch(TransportRequest(.post, server.origin, body: body))
        #expect(response.head.status.code == status)
        #expect(data == Data("early".utf8))
    }
}
