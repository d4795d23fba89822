import AirframeConformance
import AirframeTestSupport
import AirframeTransport
import Foundation
import HTTPTypes
import Testing

/// Uploads of files whose reads block: an unreachable file server, a disk that hangs.
@Suite(
    "Slow files",
    .timeLimit(.minutes(1)),
    .serialized,
    .enabled(if: SlowFileSystem.isAvailable, "mounting a file system needs root and /dev/fuse")
)
struct SlowFileTests {
    /// How the file is sent, which determines the function that reads it.
    enum Sending: String, CaseIterable, CustomTestStringConvertible {
        case withLength
        case inChunks

        var testDescription: String { rawValue }

        func body(_ region: FileRegion) -> RequestBody {
            switch self {
            case .withLength: .file(region)
            case .inChunks: .file(region).trailers { [:] }
            }
        }
    }

    private let files: SlowFileSystem
    private let uploads: ScriptedServer
    private let others: ScriptedServer

    init() throws {
        files = try SlowFileSystem()
        uploads = try ScriptedServer { connection in
            let head = try connection.readHead()
            let isChunked = head.lowercased().contains("transfer-encoding")
            let expected = SlowFileSystem.content
            let content = try isChunked ? connection.readChunkedBody().content : connection.read(expected.count)
            let isWhole = content == expected
            let answer = isWhole ? "whole" : "\(content.count) bytes"
            try connection.send(
                "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: \(answer.utf8.count)\r\n\r\n\(answer)")
        }
        others = try ScriptedServer.answering()
    }

    private func upload(_ sending: Sending, _ name: String) -> TransportRequest {
        let region = FileRegion(path: files.path(name), length: Int64(SlowFileSystem.content.count))
        return TransportRequest(.put, at: "127.0.0.1:\(uploads.port)", body: sending.body(region))
    }

    @Test(
        "blocked reads delay no other exchange, and the files are sent completely afterwards",
        arguments: TestedEngine.allCases, Sending.allCases
    )
    func others(_ engine: TestedEngine, _ sending: Sending) async throws {
        let transport = engine.transport
        // More than the threads of Swift's pool.
        let count = ProcessInfo.processInfo.activeProcessorCount * 2 + 2
        let waiting = (0..<count).map { number in
            Task { try await transport.text(upload(sending, "file\(number)")) }
        }
        try await files.waitForRead()
        var slowest = Duration.zero
        for _ in 0..<20 {
            let start = ContinuousClock.now
            #expect(try await transport.text(TransportRequest(.get, at: "127.0.0.1:\(others.port)")) == "ok")
            slowest = max(slowest, ContinuousClock.now - start)
        }
        #expect(slowest < .seconds(2))
        files.release()
        for task in waiting { #expect(try await task.value == "whole") }
        await transport.shutdown()
    }

    @Test(
        "a cancelled upload does not wait for its file",
        arguments: TestedEngine.allCases, Sending.allCases
    )
    func cancellation(_ engine: TestedEngine, _ sending: Sending) async throws {
        let transport = engine.transport
        let log = EventLog()
        let request = upload(sending, "file").with { $0.events = log }
        let waiting = Task { await transport.failure(of: request) }
        try await files.waitForRead()
        waiting.cancel()
        #expect(await waiting.value?.isCancellation == true)
        #expect(log.names.last == "failed")
        files.release()
        await transport.shutdown()
    }

    @Test(
        "a deadline ends an upload whose file cannot be read",
        arguments: TestedEngine.allCases, Sending.allCases
    )
    func deadline(_ engine: TestedEngine, _ sending: Sending) async throws {
        let transport = engine.transport
        let log = EventLog()
        let request = upload(sending, "file").with {
            $0.options.deadline = .milliseconds(200)
            $0.events = log
        }
        #expect(await transport.failure(of: request)?.code == .timedOut)
        #expect(log.names.last == "failed")
        files.release()
        await transport.shutdown()
    }

    @Test(
        "a response that is complete while the file cannot be read is delivered",
        arguments: TestedEngine.allCases, [600_000, 60_000]
    )
    func earlyResponse(_ engine: TestedEngine, _ count: Int64) async throws {
        let transport = engine.transport
        let mustAnswer = Signal()
        let server = try ScriptedServer { connection in
            try connection.readHead()
            mustAnswer.wait()
            try connection.respond("413 Content Too Large", fields: ["Connection: close"])
            _ = try? connection.readToEnd()
        }
        let region = FileRegion(path: files.path("file"), length: count)
        let request = TransportRequest(.put, at: "127.0.0.1:\(server.port)", body: .file(region))
        let waiting = Task { try await transport.send(request) }
        try await files.waitForRead()
        mustAnswer.raise()
        let response = try await waiting.value
        #expect(response.head.status == 413)
        files.release()
        #expect(try await response.body.collect(upTo: 1).isEmpty)
        await transport.shutdown()
    }

    @Test(
        "an error of the file system fails the upload and names the file",
        arguments: TestedEngine.allCases, Sending.allCases
    )
    func failure(_ engine: TestedEngine, _ sending: Sending) async throws {
        let transport = engine.transport
        files.fail()
        let error = await transport.failure(of: upload(sending, "file"))
        #expect(error?.code == .bodyFailed)
        #expect(error?.description.contains("\(files.path("file")) of the request's body cannot be read") == true)
        #expect(error?.description.contains("Input/output error") == true)
        await transport.shutdown()
    }

    @Test(
        "over HTTP/2, a blocked read delays no other stream of its connection",
        .enabled(if: Peers.areExpected, "no peers run"),
        arguments: TestedEngine.allCases
    )
    func streams(_ engine: TestedEngine) async throws {
        let transport = engine.transport
        let peer = "127.0.0.1:\(try Peers.required().port("nghttpdPlain"))"
        func request(_ method: HTTPRequest.Method, _ path: String, _ body: RequestBody = .none) -> TransportRequest {
            var request = TransportRequest(method, at: peer, body: body)
            request.head.path = path
            request.options.httpVersion = .http2PriorKnowledge
            return request
        }
        // The connection is opened before the file is sent, so that all requests share it.
        let first = try await transport.send(request(.get, "/64.bin"))
        #expect(try await first.body.collect(upTo: 1000).count == 64)
        let upload = request(.put, "/", .file(FileRegion(path: files.path("file"), length: 60_000)))
        let waiting = Task { try await transport.send(upload).body.collect(upTo: 1 << 20) }
        try await files.waitForRead()
        for _ in 0..<5 {
            let response = try await transport.send(request(.get, "/64.bin"))
            #expect(try await response.body.collect(upTo: 1000).count == 64)
            #expect(response.connection?.id == first.connection?.id)
        }
        files.release()
        #expect(try await Array(waiting.value) == Array(SlowFileSystem.content.prefix(60_000)))
        await transport.shutdown()
    }
}
