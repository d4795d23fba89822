import AirframeCore
import AirframeSerialization
import AirframeTestSupport
import AirframeTransport
import Dispatch
import Foundation
import HTTPTypes
import Synchronization
import Testing

@Suite("Pulled bodies", .timeLimit(.minutes(1)))
struct ByteStreamTests {
    @Test("yield chunks, with the head available before the first one")
    func chunks() async throws {
        let body = PacedBody([Data("ab".utf8), Data("c".utf8)])
        let session = Session(transport: ScriptedTransport.serving(body))
        let bytes = session.streamRequest("http://api.test/").validate().bytes()
        #expect(try await bytes.response.statusCode == 200)
        var chunks: [String] = []
        for try await chunk in bytes { chunks.append(String(decoding: chunk, as: UTF8.self)) }
        #expect(chunks == ["ab", "c"])
        for try await _ in bytes { Issue.record("a body can be read once") }
    }

    @Test("are pulled from the server no faster than they are read")
    func backpressure() async throws {
        let body = PacedBody(Array(repeating: Data("x".utf8), count: 10))
        let session = Session(transport: ScriptedTransport.serving(body))
        var iterator = session.streamRequest("http://api.test/").bytes().makeAsyncIterator()
        for taken in 1...10 {
            #expect(try await iterator.next() == Data("x".utf8))
            for _ in 0..<50 { await Task.yield() }
            // One chunk is taken, the next may wait, and no more are pulled.
            #expect(body.pulls <= taken + 2)
        }
        #expect(try await iterator.next() == nil)
    }

    @Test("end with the request's error, once")
    func failure() async throws {
        let body = PacedBody([Data("a".utf8)], failure: .lost)
        let session = Session(transport: ScriptedTransport.serving(body))
        var iterator = session.streamRequest("http://api.test/").bytes().makeAsyncIterator()
        #expect(try await iterator.next() == Data("a".utf8))
        let error = await #expect(throws: AFError.self) { try await iterator.next() }
        #expect(error?.isSessionTaskError == true)
        #expect(try await iterator.next() == nil)
    }

    @Test("of an invalid response are replaced by the validation's error")
    func validation() async throws {
        let body = PacedBody([Data("why".utf8)])
        let session = Session(transport: ScriptedTransport.serving(body, status: 404))
        let bytes = session.streamRequest("http://api.test/").validate().bytes()
        let error = await #expect(throws: AFError.self) { for try await _ in bytes {} }
        #expect(error?.responseCode == 404)
        #expect(body.pulls == 0)
        let headError = await #expect(throws: AFError.self) { try await bytes.response }
        #expect(headError?.responseCode == 404)
    }

    @Test("are those of the attempt that succeeds, after retries")
    func retry() async throws {
        let attempts = Atomic<Int>(0)
        let transport = ClosureTransport { request in
            let attempt = attempts.wrappingAdd(1, ordering: .relaxed).newValue
            return .text("\(attempt)", status: attempt < 3 ? 503 : 200, to: request)
        }
        let retrier = Retrier { _, _, _, completion in completion(.retry) }
        let session = Session(transport: transport, interceptor: Interceptor(retriers: [retrier]))
        let bytes = session.streamRequest("http://api.test/").validate().bytes()
        #expect(try await bytes.response.statusCode == 200)
        var text = ""
        for try await chunk in bytes { text += String(decoding: chunk, as: UTF8.self) }
        #expect(text == "3")
    }

    @Test("prevent a retry once a chunk has been read")
    func noRetryAfterBytes() async throws {
        let transport = ScriptedTransport.serving(PacedBody([Data("a".utf8)], failure: .lost))
        let retrier = Retrier { _, _, _, completion in completion(.retry) }
        let session = Session(transport: transport, interceptor: Interceptor(retriers: [retrier]))
        let bytes = session.streamRequest("http://api.test/").bytes()
        var text = ""
        let error = await #expect(throws: AFError.self) {
            for try await chunk in bytes { text += String(decoding: chunk, as: UTF8.self) }
        }
        #expect(error?.isSessionTaskError == true)
        #expect(text == "a")
        #expect(transport.heads.count == 1)
    }

    @Test("prevent a retry once the head has arrived: the body of another attempt would not belong to it")
    func noRetryAfterHead() async throws {
        let transport = ScriptedTransport.serving(PacedBody([], failure: .lost))
        let retrier = Retrier { request, _, _, completion in
            completion(request.retryCount == 0 ? .retry : .doNotRetry)
        }
        let session = Session(transport: transport, interceptor: Interceptor(retriers: [retrier]))
        let bytes = session.streamRequest("http://api.test/").bytes()
        #expect(try await bytes.response.statusCode == 200)
        let error = await #expect(throws: AFError.self) { for try await _ in bytes {} }
        #expect(error?.isSessionTaskError == true)
        #expect(transport.heads.count == 1)
    }

    @Test("that are abandoned cancel the request and end the exchange")
    func leaving() async throws {
        let body = EndlessBody()
        let session = Session(
            transport: ClosureTransport { request in
                TransportResponse(head: .init(status: .ok), body: ResponseBody(body), request: request.head)
            })
        let request = session.streamRequest("http://api.test/")
        for try await _ in request.bytes() { break }
        try await eventually("the cancellation") { request.isCancelled }
        try await eventually("the end of the task") { request.task?.state == .completed }
        let pulls = body.pulls
        for _ in 0..<50 { await Task.yield() }
        #expect(body.pulls == pulls)
    }

    @Test("that are abandoned do not cancel the request if automatic cancellation is off: the rest is discarded")
    func leavingWithoutCancel() async throws {
        let body = PacedBody(Array(repeating: Data("x".utf8), count: 10))
        let session = Session(transport: ScriptedTransport.serving(body))
        let request = session.streamRequest("http://api.test/")
        for try await _ in request.bytes(automaticallyCancelling: false) { break }
        try await eventually("the end") { request.isFinished }
        #expect(request.error == nil)
        #expect(body.pulls == 11)
    }

    @Test(
        "ends with a cancellation when the task that reads is cancelled, wherever it waits", arguments: [true, false])
    func cancelledReader(waitsForHead: Bool) async throws {
        let hanging = ClosureTransport { request throws(TransportError) in
            if waitsForHead {
                try? await Task.sleep(for: .seconds(3600))
                throw .cancelled(in: .responseHead, processing: .unknown)
            }
            return TransportResponse(head: .init(status: .ok), body: ResponseBody(Hanging()), request: request.head)
        }
        let session = Session(transport: hanging)
        let request = session.streamRequest("http://api.test/")
        let bytes = request.bytes()
        let reader = Task { () -> AFError? in
            do throws(AFError) {
                _ = try await bytes.response
                for try await _ in bytes {}
                return nil
            } catch { return error }
        }
        try await eventually("the task") { request.task != nil }
        reader.cancel()
        #expect(await reader.value?.isExplicitlyCancelledError == true)
        #expect(request.isCancelled)
    }

    @Test("can be suspended: a suspended request pulls nothing")
    func suspension() async throws {
        let body = PacedBody(Array(repeating: Data("x".utf8), count: 10))
        let session = Session(transport: ScriptedTransport.serving(body))
        let request = session.streamRequest("http://api.test/")
        var iterator = request.bytes().makeAsyncIterator()
        _ = try await iterator.next()
        request.suspend()
        let reader = Task { [iterator] in
            var iterator = iterator
            var count = 0
            while try await iterator.next() != nil { count += 1 }
            return count
        }
        for _ in 0..<100 { await Task.yield() }
        #expect(body.pulls <= 4)
        request.resume()
        #expect(try await reader.value == 9)
    }

    /// Adds a handler to a request, and waits for its completion.
    @discardableResult
    private static func completion(of request: DataStreamRequest) async -> DataStreamRequest.Completion {
        await withCheckedContinuation { continuation in
            request.responseStream(on: .global()) { stream in
                if let completion = stream.completion { continuation.resume(returning: completion) }
            }
        }
    }

    private static func chunks(of bytes: DataStreamRequest.Bytes) async throws -> [String] {
        var chunks: [String] = []
        for try await chunk in bytes { chunks.append(String(decoding: chunk, as: UTF8.self)) }
        return chunks
    }

    @Test("of a finished request are its whole body, with its head")
    func finished() async throws {
        let session = Session(transport: ScriptedTransport.serving(PacedBody([Data("ab".utf8), Data("c".utf8)])))
        let request = session.streamRequest("http://api.test/").validate()
        await Self.completion(of: request)
        let bytes = request.bytes()
        #expect(try await bytes.response.statusCode == 200)
        #expect(try await Self.chunks(of: bytes) == ["ab", "c"])
        #expect(request.error == nil)
    }

    @Test("of a finished request that is invalid are its error")
    func finishedInvalid() async throws {
        let session = Session(transport: ScriptedTransport.serving(PacedBody([Data("why".utf8)]), status: 404))
        let request = session.streamRequest("http://api.test/").validate()
        await Self.completion(of: request)
        let bytes = request.bytes()
        let error = await #expect(throws: AFError.self) {
            for try await _ in bytes { Issue.record("no body of an invalid response is delivered") }
        }
        #expect(error?.responseCode == 404)
    }

    @Test("of a request under way begin with the head and the bytes that have arrived")
    func underWay() async throws {
        let body = HeldBody(Data("ab".utf8), Data("c".utf8))
        let session = Session(transport: body.transport())
        let request = session.streamRequest("http://api.test/")
        request.responseStream(on: .global()) { _ in }
        try await eventually("the first chunk") { body.isHeld }
        let bytes = request.bytes()
        #expect(try await bytes.response.statusCode == 200)
        body.released.raise()
        #expect(try await Self.chunks(of: bytes) == ["ab", "c"])
    }

    @Test("of an invalid response under way are the validation's error")
    func underWayInvalid() async throws {
        let body = HeldBody(Data("ab".utf8), Data("c".utf8))
        let session = Session(transport: body.transport(status: 404))
        let request = session.streamRequest("http://api.test/").validate()
        request.responseStream(on: .global()) { _ in }
        try await eventually("the first chunk") { body.isHeld }
        let bytes = request.bytes()
        body.released.raise()
        let error = await #expect(throws: AFError.self) {
            for try await _ in bytes { Issue.record("no body of an invalid response is delivered") }
        }
        #expect(error?.responseCode == 404)
    }

    @Test("fail if the beginning of the body is gone, and the request continues")
    func missedBeginning() async throws {
        let body = HeldBody(Data(count: 100 << 10), Data("c".utf8))
        let session = Session(transport: body.transport())
        let request = session.streamRequest("http://api.test/")
        let completion = Task { await Self.completion(of: request) }
        try await eventually("the first chunk") { body.isHeld }
        let bytes = request.bytes()
        let error = await #expect(throws: AFError.self) { try await bytes.response }
        #expect(error?.underlyingError is MissedBeginningError)
        await #expect(throws: AFError.self) { for try await _ in bytes {} }
        body.released.raise()
        #expect(await completion.value.error == nil)
    }

    /// A body that stops before its second chunk until the signal is raised.
    private final class HeldBody: ResponseBodySource {
        let released = Signal()
        private let chunks: (Data, Data)
        private let pulls = Counter()

        init(_ first: Data, _ second: Data) { chunks = (first, second) }

        /// Whether the first chunk has been delivered.
        var isHeld: Bool { pulls.value >= 2 }

        func transport(status: Int = 200) -> ClosureTransport {
            ClosureTransport { request in
                TransportResponse(
                    head: .init(status: .init(code: status)), body: ResponseBody(self), request: request.head)
            }
        }

        func next() async throws(TransportError) -> Data? {
            switch pulls.next() {
            case 1: return chunks.0
            case 2:
                while !released.isUp {
                    guard !Task.isCancelled else { throw .cancelled(in: .responseBody, processing: .unknown) }
                    await Task.yield()
                }
                return chunks.1
            default: return nil
            }
        }

        func cancel() {}
    }

    /// A body that never arrives.
    private final class Hanging: ResponseBodySource {
        func next() async throws(TransportError) -> Data? {
            try? await Task.sleep(for: .seconds(3600))
            throw .cancelled(in: .responseBody, processing: .unknown)
        }

        func cancel() {}
    }
}
