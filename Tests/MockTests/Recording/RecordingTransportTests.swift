import AirframeCompression
import AirframeHAR
import AirframeLayers
import AirframeMock
import AirframeTestSupport
import AirframeTransport
import Foundation
import HTTPTypes
import Synchronization
import Testing

@Suite("Recording an engine", .timeLimit(.minutes(1)))
struct RecordingTransportTests {
    private static func request(
        _ method: HTTPRequest.Method = .get,
        _ path: String = "/",
        body: RequestBody = .none
    ) -> TransportRequest {
        TransportRequest(HTTPRequest(method: method, scheme: "http", authority: "a.test", path: path), body: body)
    }

    @Test("an exchange is recorded completely: head, body, trailers, informational responses, timings")
    func whole() async throws {
        let reply = Reply.chunks([Data("one ".utf8), Data("two".utf8)], contentType: "text/plain")
            .trailers([.eTag: "x"]).informational(.earlyHints, headers: [.location: "/a"])
            .delayed(by: .milliseconds(50))
        let recording = RecordingTransport(MockTransport { Route("/").reply(reply) })
        let response = try await recording.send(Self.request())
        #expect(recording.log.entries.isEmpty)
        #expect(try await response.body.collect(upTo: 100) == Data("one two".utf8))
        #expect(response.body.trailers?[.eTag] == "x")
        let entry = try #require(recording.log.entries.first)
        #expect(entry.response.content.text == "one two" && entry.response.bodySize == 7)
        #expect(entry.response.custom["_trailers"] == [["name": "ETag", "value": "x"]])
        #expect(
            entry.response.custom["_informational"]
                == [["status": 103, "headers": [["name": "Location", "value": "/a"]]]])
        #expect(entry.timings.wait == 50 && entry.time == 50)

        // The recording replays the same.
        let replay = try HARTransport(recording.log)
        let again = try await replay.send(Self.request())
        #expect(try await again.body.collect(upTo: 100) == Data("one two".utf8))
        #expect(again.body.trailers?[.eTag] == "x" && again.head == response.head)
    }

    @Test(
        "JSON with masked secrets is replayed completely, as one value or one value a line",
        arguments: [#"{"token":"a long secret","n":1}"#, "{\"token\":\"a long secret\"}\n{\"n\":1}\n"]
    )
    func maskedJSON(body: String) async throws {
        let mock = MockTransport { Route("/").reply(.data(Data(body.utf8), contentType: "application/json")) }
        let recording = RecordingTransport(mock)
        #expect(try await recording.send(Self.request()).body.collect(upTo: 1000) == Data(body.utf8))
        let replay = try HARTransport(recording.log)
        let text = String(decoding: try await replay.send(Self.request()).body.collect(upTo: 1000), as: UTF8.self)
        #expect(!text.contains("secret"))
        #expect(text.contains(#""n":1"#) && text.hasSuffix(body.hasSuffix("\n") ? "\n" : "}"))
    }

    @Test("a request's body is recorded from every source and reaches the engine unchanged", arguments: 0..<4)
    func requestBodies(kind: Int) async throws {
        let workplace = try ArchiveFolder()
        let file = workplace.folder.appendingPathComponent("body")
        try Data("..payload.".utf8).write(to: file)
        let chunks = [Data("pay".utf8), Data("load".utf8)]
        let stream = { @Sendable in
            AsyncStream { continuation in
                for chunk in chunks { continuation.yield(chunk) }
                continuation.finish()
            }
        }
        let body: RequestBody =
            switch kind {
            case 0: .bytes(Data("payload".utf8))
            case 1: .file(FileRegion(path: file.path, offset: 2, length: 7))
            case 2: .sequence(stream(), length: 7)
            default: .restartableSequence { stream() }
            }
        let mock = MockTransport { Route(.post, "/").reply(.status(.noContent)) }
        let recording = RecordingTransport(mock)
        let response = try await recording.send(Self.request(.post, body: body.trailers { [.eTag: "x"] }))
        #expect(try await response.body.next() == nil)
        #expect(mock.lastRequest?.text == "payload" && mock.lastRequest?.trailers?[.eTag] == "x")
        let entry = try #require(recording.log.entries.first)
        #expect(entry.request.postData?.text == "payload" && entry.request.bodySize == 7)
        #expect(entry.request.custom["_trailers"] == [["name": "ETag", "value": "x"]])
    }

    @Test(
        "content that is sent as a form and begins as JSON or XML is searched for secrets as such",
        arguments: [
            (#" {"password":"s3cret"}"#, #" {"password":"•••"}"#), (#"[{"token":"s3cret"}]"#, #"[{"token":"•••"}]"#),
            ("<a><password>s3cret</password></a>", "<a><password>•••</password></a>"),
            ("[a]=1&password=s3cret", nil),
        ] as [(String, String?)])
    func mislabeledForm(body: String, text: String?) async throws {
        let recording = RecordingTransport(MockTransport { Route(.post, "/").reply(.status(.noContent)) })
        var request = Self.request(.post, body: .bytes(Data(body.utf8)))
        request.head.headerFields[.contentType] = "application/x-www-form-urlencoded"
        #expect(try await recording.send(request).body.next() == nil)
        let content = try #require(recording.log.entries.first?.request.postData)
        #expect(content.text == text)
        #expect(content.params.map(\.value) == (text == nil ? ["1", "•••"] : []))
    }

    @Test("a body that can be sent once is sent once")
    func oneShot() async throws {
        let body = RequestBody.sequence(AsyncStream<Data> { $0.finish() })
        let recording = RecordingTransport(MockTransport { Route(.post, "/").reply(.text("x")) })
        _ = try await recording.send(Self.request(.post, body: body))
        let error = await #expect(throws: TransportError.self) {
            try await recording.send(Self.request(.post, body: body))
        }
        #expect(error?.code == .bodyNotReplayable || error?.underlying is TransportError)
    }

    @Test("a failure is recorded and replayed as the same failure")
    func failures() async throws {
        let mock = MockTransport {
            Route("/refused").reply(.fault(.connectionRefused))
            Route("/broken").reply(Reply.text("hello").failing(with: .reset(afterBytes: 3)))
        }
        let recording = RecordingTransport(mock)
        let refused = await #expect(throws: TransportError.self) {
            try await recording.send(Self.request(.get, "/refused"))
        }
        let response = try await recording.send(Self.request(.get, "/broken"))
        #expect(try await response.body.next() == Data("hel".utf8))
        let broken = await #expect(throws: TransportError.self) { try await response.body.next() }
        #expect(recording.log.entries.map(\.response.status) == [0, 200])

        let replay = try HARTransport(recording.log)
        let again = await #expect(throws: TransportError.self) { try await replay.send(Self.request(.get, "/refused")) }
        #expect(again?.code == refused?.code && again?.phase == refused?.phase && again?.message == refused?.message)
        let brokenAgain = try await replay.send(Self.request(.get, "/broken"))
        #expect(try await brokenAgain.body.next() == Data("hel".utf8))
        let breaks = await #expect(throws: TransportError.self) { try await brokenAgain.body.next() }
        #expect(breaks?.code == broken?.code && breaks?.message == broken?.message)
    }

    @Test("bodies are pulled by their reader, and an abandoned body ends its exchange")
    func backpressure() async throws {
        let pulls = Counter()
        let reply = Reply.stream {
            AsyncStream {
                pulls.add()
                return Data("x".utf8)
            }
        }
        let mock = MockTransport { Route("/").reply(reply) }
        let recording = RecordingTransport(mock)
        let response = try await recording.send(Self.request())
        #expect(pulls.value == 0)
        #expect(try await response.body.next() == Data("x".utf8))
        #expect(pulls.value == 1)
        #expect(mock.connectionCount == 1)
        response.body.cancel()
        #expect(mock.connectionCount == 0, "the exchange goes on")
        let entry = try #require(recording.log.entries.first)
        #expect(entry.response.custom["_errorCode"] == "cancelled" && entry.response.content.text == "x")
    }

    @Test("exchanges of a layer beneath are recorded too")
    func layers() async throws {
        let mock = MockTransport {
            Route("/").reply(.redirect(to: "/next"))
            Route("/next").reply(.text("there"))
        }
        let recording = RecordingTransport(RedirectLayer(mock))
        _ = try await recording.send(Self.request()).body.collect(upTo: 100)
        #expect(recording.log.entries.map(\.response.status) == [302, 200])
        #expect(recording.log.entries.map { $0.custom["_initiator"] } == [nil, "redirect"])
        #expect(recording.log.entries.last?.response.content.text == "there")
    }

    @Test("an unread empty response is not a failure")
    func unread() async throws {
        let recording = RecordingTransport(MockTransport { Route("/").reply(.status(.noContent)) })
        _ = try await recording.send(Self.request())
        let entry = try #require(recording.log.entries.first)
        #expect(entry.response.status == 204 && entry.response.custom["_error"] == nil)
    }

    @Test("over an engine, coded content is recorded and replayed as coded")
    func coded() async throws {
        let plain = Data("plain".utf8)
        let coded = try #require(Data(base64Encoded: Self.gzip))
        let mock = MockTransport {
            Route("/").reply(.data(coded, contentType: "text/plain").header(.contentEncoding, "gzip"))
        }
        let beneath = RecordingTransport(mock)
        #expect(try await ContentDecodingLayer(beneath).send(Self.request()).body.collect(upTo: 100) == plain)
        let entry = try #require(beneath.log.entries.first)
        #expect(entry.response.content.custom["_contentEncoding"] == "gzip")
        #expect(try entry.response.content.data() == coded)
        let replayed = try await ContentDecodingLayer(HARTransport(beneath.log)).send(Self.request())
        #expect(try await replayed.body.collect(upTo: 100) == plain)

        let above = RecordingTransport(ContentDecodingLayer(mock))
        #expect(try await above.send(Self.request()).body.collect(upTo: 100) == plain)
        let decoded = try #require(above.log.entries.first)
        #expect(decoded.response.content.text == "plain" && decoded.response.bodySize == Int64(coded.count))
        let plainly = try await HARTransport(above.log).send(Self.request())
        #expect(try await plainly.body.collect(upTo: 100) == plain)
    }

    /// `plain`, by gzip.
    private static let gzip = "H4sIAAAAAAACAyvISczMAwDPYiAZBQAAAA=="

    // MARK: Files

    @Test("the first run records, the second needs no server")
    func recordIfMissing() async throws {
        let workplace = try ArchiveFolder()
        let mock = MockTransport { Route("/").reply(.text("hello")) }
        let first = try RecordingTransport(mock, file: workplace.archive, mode: .recordIfMissing)
        #expect(first.replaying == nil)
        _ = try await first.send(Self.request()).body.collect(upTo: 100)
        // A test that fails here leaves no half of a fixture.
        #expect(!FileManager.default.fileExists(atPath: workplace.archive.path))
        try first.finish()
        try first.finish()
        #expect(try HAR.Log(contentsOf: workplace.archive).entries.count == 1)

        let second = try RecordingTransport(mock, file: workplace.archive, mode: .recordIfMissing)
        #expect(try await second.send(Self.request()).body.collect(upTo: 100) == Data("hello".utf8))
        #expect(mock.requests.count == 1)
        #expect(!second.capabilities.features.contains(.upgrade))
        try second.replaying?.verify()
        await second.shutdown()
    }

    @Test("replay mode requires the archive; record mode rewrites it entry by entry")
    func modes() async throws {
        let workplace = try ArchiveFolder()
        let mock = MockTransport { Route("/").reply(.text("hello")) }
        #expect(throws: HAR.ReadingError.self) {
            try RecordingTransport(mock, file: workplace.archive, mode: .replay)
        }
        for _ in 0..<2 {
            let recording = try RecordingTransport(mock, file: workplace.archive)
            for count in 1...2 {
                _ = try await recording.send(Self.request()).body.collect(upTo: 100)
                #expect(try HAR.Log(contentsOf: workplace.archive).entries.count == count)
            }
        }
    }

    @Test("events reach the previous listener in order")
    func events() async throws {
        let mock = MockTransport { Route("/").reply(.text("hello")) }
        let (plain, recorded) = (EventLog(), EventLog())
        for (transport, names) in [(mock as any Transport, plain), (RecordingTransport(mock), recorded)] {
            var request = Self.request()
            request.events = names
            _ = try await transport.send(request).body.collect(upTo: 100)
            _ = mock.closeIdleConnections()
        }
        #expect(recorded.names == plain.names && recorded.names.count > 5)
    }
}

/// Counts.
private final class Counter: Sendable {
    private let count = Mutex(0)

    var value: Int { count.withLock { $0 } }

    func add() { count.withLock { $0 += 1 } }
}
