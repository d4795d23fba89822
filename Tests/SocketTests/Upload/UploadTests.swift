import AirframeConformance
import AirframeSocket
import AirframeTestSupport
import AirframeTransport
import Foundation
import HTTPTypes
import Synchronization
import Testing

@Suite("Request bodies", .timeLimit(.minutes(1)))
struct UploadTests {
    let transport = SocketTransport()

    /// A server that answers with the number of bytes it read and their sum.
    private func summing() throws -> ScriptedServer {
        try ScriptedServer { connection in
            while true {
                let (head, body) = try connection.readRequest()
                let content = head.lowercased().contains("chunked") ? try connection.readChunkedBody().content : body
                try connection.respond(body: Self.sum(content))
            }
        }
    }

    private static func sum(_ bytes: some Collection<UInt8>) -> String {
        // `Data` hashes only its beginning.
        var hasher = Hasher()
        Array(bytes).withUnsafeBytes { hasher.combine(bytes: $0) }
        return "\(bytes.count) \(hasher.finalize())"
    }

    /// Bytes among which a piece that is lost, or sent twice, is noticed. Blocks of them, because this is not
    /// optimized.
    private static let pattern: Data = {
        var data = Data()
        for block in UInt8(0)..<50 { data.append(Data((0..<251).map { UInt8($0) ^ block })) }
        while data.count < 3_000_000 { data.append(data.prefix(1 << 18)) }
        return data
    }()

    private static func pattern(_ count: Int) -> Data { pattern.prefix(count) }

    @Test("bytes in memory arrive complete, small or large", arguments: [0, 1, 16_384, 16_385, 3_000_000])
    func memory(count: Int) async throws {
        let server = try summing()
        let data = Self.pattern(count)
        for _ in 0..<2 {
            let text = try await transport.text(TransportRequest(.post, server.origin, body: .bytes(data)))
            #expect(text == Self.sum(data))
        }
        #expect(server.connections.count == 1)
    }

    @Test("a region of a file arrives complete", arguments: [(0, 2_000_000), (1_000_000, 500_000), (0, 0)])
    func file(offset: Int, length: Int) async throws {
        let file = try ScratchFile(Self.pattern(2_000_000))
        let server = try summing()
        let region = FileRegion(path: file.path, offset: Int64(offset), length: Int64(length))
        let log = EventLog()
        let request = TransportRequest(.put, server.origin, body: .file(region)).with { $0.events = log }
        let text = try await transport.text(request)
        #expect(text == Self.sum(Self.pattern(2_000_000)[offset..<offset + length]))
        let totals = log.events.compactMap { if case .requestBodySent(_, let total) = $0.kind { total } else { nil } }
        #expect(totals.last ?? 0 == Int64(length))
        #expect(totals == totals.sorted())
    }

    @Test("a missing, short or irregular file is rejected before anything is sent")
    func badFiles() async throws {
        let server = try summing()
        let file = try ScratchFile(Data("abc".utf8))
        let cases: [(FileRegion, TransportError.Code)] = [
            (FileRegion(path: "/nowhere/at/all", length: 1), .bodyFailed),
            (FileRegion(path: "/tmp", length: 1), .bodyFailed),
            (FileRegion(path: file.path, length: 4), .bodyLengthMismatch),
            (FileRegion(path: file.path, offset: 2, length: 2), .bodyLengthMismatch),
        ]
        for (region, code) in cases {
            let request = TransportRequest(.put, server.origin, body: .file(region))
            let error = try #require(await transport.failure(of: request))
            #expect(error.code == code)
            #expect(error.phase == .requestBody)
            #expect(error.processing == .notSent)
            #expect(error.message.contains(region.path))
        }
        #expect(server.connections.isEmpty)
    }

    @Test("a stream is sent with its length if that is known, otherwise in chunks", arguments: [nil, 11] as [Int64?])
    func stream(length: Int64?) async throws {
        let server = try summing()
        let body = RequestBody.restartable(length: length) { ChunkSource(["hello ", "", "world"]) }
        let text = try await transport.text(TransportRequest(.post, server.origin, body: body))
        #expect(text == Self.sum("hello world".utf8))
        let head = server.connections[0].receivedText.lowercased()
        #expect(head.contains("transfer-encoding: chunked") == (length == nil))
        #expect(head.contains("content-length: 11") == (length != nil))
    }

    @Test("trailers follow a chunked body")
    func trailers() async throws {
        let server = try ScriptedServer { connection in
            try connection.readHead()
            let (content, trailers) = try connection.readChunkedBody()
            try connection.respond(body: "\(String(decoding: content, as: UTF8.self)) \(trailers)")
        }
        let name = try #require(HTTPField.Name("X-Sum"))
        let body = RequestBody.bytes(Data("abc".utf8)).trailers { [name: "6"] }
        let text = try await transport.text(TransportRequest(.post, server.origin, body: body))
        #expect(text == #"abc ["X-Sum: 6"]"#)
    }

    @Test("a source that produces fewer or more bytes than declared fails the exchange", arguments: [3, 30])
    func mismatch(length: Int64) async throws {
        let ended = Signal()
        let server = try ScriptedServer.silent(ended)
        let body = RequestBody.oneShot(length: length, ChunkSource(["hello ", "world"]))
        let error = try #require(await transport.failure(of: TransportRequest(.post, server.origin, body: body)))
        #expect(error.code == .bodyLengthMismatch)
        #expect(error.phase == .requestBody)
        #expect(try await eventually { ended.isUp })
    }

    @Test("an error thrown by a source is the underlying error")
    func sourceFails() async throws {
        let server = try ScriptedServer.silent()
        let body = RequestBody.oneShot(ChunkSource(["a"], failure: SourceBroke()))
        let error = try #require(await transport.failure(of: TransportRequest(.post, server.origin, body: body)))
        #expect(error.code == .bodyFailed)
        #expect(error.underlying as? SourceBroke == SourceBroke())
    }

    @Test("cancelling during a slow read cancels the source")
    func cancelled() async throws {
        let server = try ScriptedServer.silent()
        let source = ChunkSource(["a", "b"], delay: .seconds(30))
        let log = EventLog()
        let request = TransportRequest(.post, server.origin, body: .oneShot(source)).with { $0.events = log }
        let task = Task { await transport.failure(of: request) }
        #expect(try await eventually { log.names.contains("requestHeadSent") })
        try await Task.sleep(for: .milliseconds(50))
        task.cancel()
        #expect(await task.value?.isCancellation == true)
        #expect(source.isCancelled)
        #expect(log.endCount == 1)
    }

    @Test("a source that ignores its cancellation does not keep the connection open", arguments: [true, false])
    func stuck(isCancelled: Bool) async throws {
        let ended = Signal()
        let server = try ScriptedServer { connection in
            try connection.readHead()
            _ = try connection.readChunk()
            if !isCancelled { try connection.respond("413 Content Too Large") }
            connection.waitForEnd(ended)
        }
        let source = StuckSource()
        defer { source.release() }
        let request = TransportRequest(.post, server.origin, body: .oneShot(source))
        let task = Task { await transport.failure(of: request) }
        if isCancelled {
            try await eventually { source.isStuck }
            task.cancel()
        }
        let error = await task.value
        #expect(error?.isCancellation ?? false == isCancelled)
        #expect(transport.statistics.connectionCount == 0)
        try await eventually("the server sees the end of the connection") { ended.isUp }
    }

    @Test("a response before the end of the request arrives complete, and the connection is not reused")
    func early() async throws {
        let server = try ScriptedServer { connection in
            try connection.readHead()
            try connection.respond("413 Content Too Large", body: "too much")
            _ = try? connection.readToEnd()
        }
        let body = RequestBody.bytes(Data(count: 50_000_000))
        let (response, text) = try await transport.fetch(TransportRequest(.post, server.origin, body: body))
        #expect(response.head.status == 413)
        #expect(text == Data("too much".utf8))
        #expect(transport.statistics.connectionCount == 0)
    }

    @Test("both directions run concurrently: the response echoes an upload in progress")
    func fullDuplex() async throws {
        let server = try ScriptedServer { connection in
            try connection.readHead()
            try connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
            for _ in 0..<3 {
                let size = Int(try connection.readLine(), radix: 16) ?? 0
                let piece = try connection.read(size + 2)
                try connection.send(Array("\(String(size, radix: 16))\r\n".utf8) + piece)
            }
            _ = try connection.readChunkedBody()
            try connection.send("0\r\n\r\n")
            _ = try? connection.readToEnd()
        }
        let source = ChunkSource(["one", "two", "three"], delay: .milliseconds(50))
        let response = try await transport.send(TransportRequest(.post, server.origin, body: .oneShot(source)))
        #expect(try await response.body.next() == Data("one".utf8))
        #expect(try await response.body.collect(upTo: 100) == Data("twothree".utf8))
        #expect(transport.statistics.idleConnectionCount == 1)
    }

    @Test(
        "if the server answers immediately, the upload is reported complete, and the connection is kept",
        arguments: [1 << 20, 300_000])
    func answerAtTheEnd(size: Int) async throws {
        let server = try ScriptedServer { connection in
            while true {
                try connection.readHead()
                _ = try connection.read(size)
                try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
            }
        }
        for _ in 0..<200 {
            let log = EventLog()
            var request = TransportRequest(.post, server.origin, body: .bytes(Data(count: size)))
            request.events = log
            let response = try await transport.send(request)
            #expect(try await response.body.collect(upTo: 1).isEmpty)
            let sent = log.events.compactMap { event -> Int64? in
                if case .requestBodySent(_, let total) = event.kind { total } else { nil }
            }
            #expect(sent.last == Int64(size))
            #expect(log.names.suffix(1) == ["released"])
            #expect(log.names.firstIndex(of: "requestFinished") != nil)
        }
        #expect(server.connections.count == 1)
    }

    @Test("with an expectation the body waits for 100 (Continue) or the timeout (RFC 9110 §10.1.1)")
    func expectation() async throws {
        let server = try ScriptedServer { connection in
            let head = try connection.readHead()
            let asks = head.contains("/ask")
            if asks { try connection.send("HTTP/1.1 100 Continue\r\n\r\n") }
            let body = String(decoding: try connection.read(4), as: UTF8.self)
            try connection.respond(fields: ["Connection: close"], body: body)
        }
        for (path, wait) in [("/ask", Duration.seconds(30)), ("/silent", .milliseconds(50))] {
            let body = RequestBody.bytes(Data("body".utf8))
            let request = TransportRequest(.post, server.origin + path, body: body).with {
                $0.options.expectContinue = .always(wait: wait)
            }
            #expect(try await transport.text(request) == "body")
        }
        #expect(server.connections.allSatisfy { $0.receivedText.contains("Expect: 100-continue") })
    }

    @Test("a server that declines the expectation does not receive the body")
    func declined() async throws {
        let server = try ScriptedServer { connection in
            try connection.readHead()
            try connection.respond("417 Expectation Failed", body: "no")
            #expect(try connection.readToEnd().isEmpty)
        }
        let request = TransportRequest(.post, server.origin, body: .bytes(Data(count: 100_000))).with {
            $0.options.expectContinue = .always(wait: .seconds(30))
        }
        let (response, body) = try await transport.fetch(request)
        #expect(response.head.status == 417)
        #expect(body == Data("no".utf8))
    }

    @Test("a server that accepts no bytes for too long ends the exchange")
    func writeIdle() async throws {
        let gate = Signal()
        let server = try ScriptedServer { connection in
            try connection.readHead()
            gate.wait()
        }
        let request = TransportRequest(.post, server.origin, body: .bytes(Data(count: 50_000_000))).with {
            $0.options.limits.writeIdle = .milliseconds(200)
        }
        let error = try #require(await transport.failure(of: request))
        gate.raise()
        #expect(error.code == .timedOut)
        #expect(error.phase == .requestBody)
        #expect(error.message.contains("200 ms"))
    }
}

/// A source whose second piece does not arrive before ``release()``, even if its task is cancelled.
private final class StuckSource: RequestBodySource {
    private enum Progress {
        case begun
        case sent
        case stuck(CheckedContinuation<Void, Never>)
        case released
    }

    // Guards the continuation of the task that waits for the second piece.
    private let progress = Mutex(Progress.begun)

    var isStuck: Bool {
        progress.withLock { if case .stuck = $0 { true } else { false } }
    }

    func next() async throws -> Data? {
        let isFirst = progress.withLock { progress in
            guard case .begun = progress else { return false }
            progress = .sent
            return true
        }
        if isFirst { return Data("piece".utf8) }
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let isReleased = progress.withLock { progress in
                if case .released = progress { return true }
                progress = .stuck(continuation)
                return false
            }
            if isReleased { continuation.resume() }
        }
        return nil
    }

    func release() {
        let waiting = progress.withLock { progress -> CheckedContinuation<Void, Never>? in
            defer { progress = .released }
            return if case .stuck(let continuation) = progress { continuation } else { nil }
        }
        waiting?.resume()
    }
}

/// A temporary file that is removed after the test.
private final class ScratchFile: Sendable {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("airframe-\(UUID().uuidString)").path

    init(_ data: Data) throws { try data.write(to: URL(fileURLWithPath: path)) }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
