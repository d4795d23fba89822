import AirframeMock
import AirframeTestSupport
import AirframeTransport
import FoundationEssentials
import HTTPTypes
import Synchronization
import Testing

@Suite("Request bodies", .timeLimit(.minutes(1)))
struct RequestBodyTests {
    /// Brings chunks, perhaps an error at the end, and notes whether it was cancelled.
    final class Source: RequestBodySource {
        private let chunks: Mutex<[String]>
        private let failure: (any Error)?
        let cancelled = Atomic(false)

        init(_ chunks: [String], failing failure: (any Error)? = nil) {
            self.chunks = Mutex(chunks)
            self.failure = failure
        }

        func next() async throws -> Data? {
            let chunk = chunks.withLock { $0.isEmpty ? nil : $0.removeFirst() }
            if chunk == nil, let failure { throw failure }
            return chunk.map { Data($0.utf8) }
        }

        func cancel() { cancelled.store(true, ordering: .relaxed) }
    }

    private struct Broken: Error {}

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let body: @Sendable () -> RequestBody
    }

    static let kinds = [
        Case(testDescription: "bytes") { .bytes(Data("hello".utf8)) },
        Case(testDescription: "one-shot") { .oneShot(Source(["he", "", "llo"])) },
        Case(testDescription: "one-shot with length") { .oneShot(length: 5, Source(["hello"])) },
        Case(testDescription: "restartable") { .restartable { Source(["hel", "lo"]) } },
        Case(testDescription: "sequence") {
            .sequence(
                AsyncStream {
                    $0.yield(Data("hello".utf8)); $0.finish()
                })
        },
    ]

    @Test("A body is read whole and remembered, whether routes look at it or not", arguments: kinds, [true, false])
    func recorded(test: Case, isLookedAt: Bool) async throws {
        let mock = MockTransport {
            if isLookedAt { Route(.post, "/").when(body: "hello") } else { Route(.post, "/") }
        }
        let log = EventLog()
        #expect(try await mock.status(.post("/", test.body(), events: log)) == 200)
        let request = try #require(mock.lastRequest)
        #expect(request.text == "hello")
        #expect(request.bodyByteCount == 5)
        #expect(request.isComplete)
        #expect(log.names.contains("requestBodySent"))
        let head = try #require(log.names.firstIndex(of: "requestHeadSent"))
        #expect(log.names.firstIndex(of: "requestBodySent") ?? 0 > head)
    }

    @Test(
        "A file is read, or a region of it; one that is too short fails",
        arguments: [
            (Int64(0), Int64(10), "0123456789"), (2, 5, "23456"), (5, 10, nil),
        ])
    func file(offset: Int64, length: Int64, text: String?) async throws {
        let path = FileManager.default.temporaryDirectory.appending(
            path: "airframe-mock-\(UInt64.random(in: 0 ... .max))")
        try Data("0123456789".utf8).write(to: path)
        defer { try? FileManager.default.removeItem(at: path) }
        let mock = MockTransport { Route(.post, "/") }
        let body = RequestBody.file(FileRegion(path: path.path, offset: offset, length: length))
        let error = await mock.failure(of: .post("/", body))
        if let text {
            #expect(error == nil)
            #expect(mock.lastRequest?.text == text)
        } else {
            #expect(error?.code == .bodyFailed)
        }
    }

    @Test("A one-shot body can be sent once; a second time nothing is sent")
    func replay() async throws {
        let mock = MockTransport { Route(.post, "/") }
        let log = EventLog()
        let request = TransportRequest.post("/", .oneShot(Source(["x"])), events: log)
        #expect(try await mock.status(request) == 200)
        let error = await mock.failure(of: request)
        #expect(error?.code == .bodyNotReplayable)
        #expect(error?.processing == .notSent)
        #expect(log.names.suffix(2) == ["started", "failed"])
        let again = TransportRequest.post("/", .restartable { Source(["y"]) })
        #expect(try await mock.status(again) == 200)
        #expect(try await mock.status(again) == 200)
        #expect(mock.requests.map(\.text) == ["x", "y", "y"])
    }

    static let lengths: [(Int64, [String])] = [(3, ["12345"]), (7, ["12345"]), (5, ["123", "456"])]

    @Test("A body of another length than announced fails", arguments: lengths)
    func length(announced: Int64, chunks: [String]) async throws {
        let mock = MockTransport { Route(.post, "/") }
        let error = await mock.failure(of: .post("/", .oneShot(length: announced, Source(chunks))))
        #expect(error?.code == .bodyLengthMismatch)
        #expect(error?.phase == .requestBody)
        #expect(error?.processing == .unknown)
    }

    @Test("What a source throws is beneath the error", arguments: [true, false])
    func failure(isLookedAt: Bool) async throws {
        let mock = MockTransport {
            if isLookedAt { Route(.post, "/").when(body: "hello") } else { Route(.post, "/") }
        }
        let error = await mock.failure(of: .post("/", .oneShot(Source(["x"], failing: Broken()))))
        #expect(error?.code == .bodyFailed)
        #expect(error?.phase == .requestBody)
        #expect(error?.underlying is Broken)
        #expect(error?.processing == (isLookedAt ? .notSent : .unknown))
    }

    @Test("A source is cancelled when the exchange ends before it, and not after its end")
    func cancelled() async throws {
        let mock = MockTransport {
            Route(.post, "/whole")
            Route(.post, "/early").reply(.status(413).beforeBody())
            Route(.post, "/broken").reply(.fault(.connectionRefused))
        }
        for (path, isCancelled) in [("/whole", false), ("/early", true), ("/broken", true)] {
            let source = Source(["x"])
            _ = await mock.failure(of: .post(path, .oneShot(source)))
            #expect(source.cancelled.load(ordering: .relaxed) == isCancelled, "\(path)")
        }
    }

    @Test("Trailers are made after the body, and remembered")
    func trailers() async throws {
        let mock = MockTransport { Route(.post, "/") }
        let body = RequestBody.bytes(Data("x".utf8)).trailers { [.eTag: "sum"] }
        #expect(try await mock.status(.post("/", body)) == 200)
        #expect(mock.lastRequest?.trailers == [.eTag: "sum"])
        let broken = RequestBody.bytes(Data("x".utf8)).trailers { throw Broken() }
        #expect(await mock.failure(of: .post("/", broken))?.code == .bodyFailed)
    }

    @Test("No more of a body is remembered than is allowed, and all of it is counted")
    func limit() async throws {
        var configuration = MockTransport.Configuration()
        configuration.recordedBodyLimit = 10
        let mock = MockTransport(configuration: configuration) { Route(.post, "/") }
        #expect(try await mock.status(.post("/", .bytes(Data(count: 200_000)))) == 200)
        #expect(mock.lastRequest?.body.count == 10)
        #expect(mock.lastRequest?.bodyByteCount == 200_000)
    }
}
