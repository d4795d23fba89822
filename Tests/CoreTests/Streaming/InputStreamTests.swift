import AirframeCore
import AirframeSerialization
import AirframeTestSupport
import AirframeTransport
import Foundation
import HTTPTypes
import Testing

@Suite("Bodies as InputStream", .timeLimit(.minutes(1)))
struct InputStreamTests {
    /// The result of reading a stream on its own thread: the bytes and the last result.
    private struct Read: Sendable {
        let data: Data
        let last: Int
        let status: Stream.Status
        let error: String?
    }

    @Test("yield all bytes, regardless of the sizes of chunks, reads and buffer", arguments: [1, 7, 64, 4096])
    func allBytes(bufferSize: Int) async throws {
        let chunks = (0..<50).map { index in Data((0..<(index * 3)).map { UInt8(truncatingIfNeeded: $0 &+ index) }) }
        let session = Session(transport: ScriptedTransport.serving(PacedBody(chunks)))
        let request = session.streamRequest("http://api.test/")
        let read = await Self.read(try #require(request.asInputStream(bufferSize: bufferSize))) { request.resume() }
        #expect(read.data == chunks.reduce(Data(), +))
        #expect(read.last == 0)
        #expect(read.status == .atEnd)
        #expect(read.error == nil)
    }

    @Test("start the request")
    func start() async throws {
        let session = Session(
            transport: ScriptedTransport.serving(PacedBody([Data("ab".utf8)])), startRequestsImmediately: false)
        let request = session.streamRequest("http://api.test/")
        let stream = try #require(request.asInputStream())
        try #require(!request.isInitialized)
        let read = await Self.read(stream) {}
        #expect(read.data == Data("ab".utf8))
    }

    @Test("fail with the request, with its error")
    func failure() async throws {
        let session = Session(transport: ScriptedTransport.serving(PacedBody([Data("ab".utf8)], failure: .lost)))
        let request = session.streamRequest("http://api.test/")
        let read = await Self.read(try #require(request.asInputStream())) { request.resume() }
        #expect(read.data == Data("ab".utf8))
        #expect(read.last == -1)
        #expect(read.status == .error)
        #expect(read.error?.contains("the connection was lost") == true)
    }

    @Test(
        "receive the bytes of one attempt: after the first byte the request is not retried", arguments: [true, false])
    func retry(hasBytes: Bool) async throws {
        let attempts = Counter()
        let retrier = Retrier { request, _, _, completion in
            completion(request.retryCount == 0 ? .retry : .doNotRetry)
        }
        let session = Session(
            transport: ClosureTransport { request in
                let isFirst = attempts.next() == 1
                let text = isFirst ? "ab" : "abcd"
                let chunks = isFirst && !hasBytes ? [] : [Data(text.utf8)]
                let body = PacedBody(chunks, failure: isFirst ? .lost : nil)
                return TransportResponse(head: .init(status: .ok), body: ResponseBody(body), request: request.head)
            },
            interceptor: Interceptor(retriers: [retrier])
        )
        let request = session.streamRequest("http://api.test/")
        let read = await Self.read(try #require(request.asInputStream())) {}
        #expect(read.data == Data((hasBytes ? "ab" : "abcd").utf8))
        #expect(read.last == (hasBytes ? -1 : 0))
        #expect(read.status == (hasBytes ? Stream.Status.error : Stream.Status.atEnd))
        #expect(attempts.value == (hasBytes ? 1 : 2))
    }

    @Test("exert backpressure while they are not read")
    func backpressure() async throws {
        let body = PacedBody(Array(repeating: Data(repeating: 1, count: 600), count: 10))
        let session = Session(transport: ScriptedTransport.serving(body))
        let request = session.streamRequest("http://api.test/")
        let stream = try #require(request.asInputStream(bufferSize: 1000))
        request.resume()
        try await eventually("the second pull") { body.pulls >= 2 }
        for _ in 0..<100 { await Task.yield() }
        #expect(body.pulls == 2)
        let read = await Self.read(stream) {}
        #expect(read.data.count == 6000)
    }

    @Test("that are closed do not stop the request")
    func closing() async throws {
        let body = PacedBody(Array(repeating: Data(repeating: 1, count: 600), count: 10))
        let session = Session(transport: ScriptedTransport.serving(body))
        let request = session.streamRequest("http://api.test/")
        let stream = try #require(request.asInputStream(bufferSize: 1))
        stream.open()
        stream.close()
        #expect(stream.streamStatus == .closed)
        request.resume()
        try await eventually("the end") { request.isFinished }
        #expect(request.error == nil)
        var byte: UInt8 = 0
        #expect(stream.read(&byte, maxLength: 1) == -1)
    }

    private static func read(_ stream: InputStream, _ start: @Sendable () -> Void) async -> Read {
        start()
        nonisolated(unsafe) let stream = stream
        return await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                stream.open()
                var data = Data()
                var buffer = [UInt8](repeating: 0, count: 100)
                var last = 0
                repeat {
                    last = stream.read(&buffer, maxLength: buffer.count)
                    if last > 0 { data.append(contentsOf: buffer[..<last]) }
                } while last > 0
                continuation.resume(
                    returning: Read(
                        data: data, last: last, status: stream.streamStatus,
                        error: stream.streamError?.localizedDescription))
            }
        }
    }
}
