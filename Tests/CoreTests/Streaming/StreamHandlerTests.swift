import AirframeCore
import AirframeSerialization
import AirframeTestSupport
import AirframeTransport
import Dispatch
import Foundation
import HTTPTypes
import Synchronization
import Testing

@Suite("Handlers of streams", .timeLimit(.minutes(1)))
struct StreamHandlerTests {
    private let queue = DispatchQueue(label: "handlers")

    private struct Refusal: Error {}

    @Test("receive the chunks in order, and then the completion")
    func pieces() async throws {
        let session = Session(transport: ScriptedTransport.serving(PacedBody([Data("ab".utf8), Data("c".utf8)])))
        let log = Log<String>()
        let completion = await withCheckedContinuation { continuation in
            session.streamRequest("http://api.test/").responseStream(on: queue) { stream in
                switch stream.event {
                case .stream(.success(let data)): log.append(String(decoding: data, as: UTF8.self))
                case .complete(let completion): continuation.resume(returning: completion)
                }
            }
        }
        #expect(log.values == ["ab", "c"])
        #expect(completion.error == nil)
        #expect(completion.response?.statusCode == 200)
        #expect(completion.request?.url?.absoluteString == "http://api.test/")
        #expect(completion.metrics != nil)
    }

    @Test("receive whole characters, wherever the chunks are cut", arguments: 1...5)
    func strings(size: Int) async throws {
        let text = "aé漢😀z"
        let chunks = Array(text.utf8).chunks(of: size)
        let session = Session(transport: ScriptedTransport.serving(PacedBody(chunks)))
        let log = Log<String>()
        await withCheckedContinuation { continuation in
            session.streamRequest("http://api.test/").responseStreamString(on: queue) { stream in
                if let value = stream.value { log.append(value) }
                if stream.completion != nil { continuation.resume() }
            }
        }
        #expect(log.values.joined() == text)
        #expect(!log.values.contains(""))
    }

    @Test("receive a replacement character for an incomplete one at the end")
    func brokenString() async throws {
        let session = Session(transport: ScriptedTransport.serving(PacedBody([Data([0x61, 0xE6, 0xBC])])))
        let log = Log<String>()
        await withCheckedContinuation { continuation in
            session.streamRequest("http://api.test/").responseStreamString(on: queue) { stream in
                if let value = stream.value { log.append(value) }
                if stream.completion != nil { continuation.resume() }
            }
        }
        #expect(log.values.joined() == "a\u{FFFD}")
    }

    @Test("receive no incomplete character of an attempt that is retried")
    func retriedString() async throws {
        let attempts = Counter()
        let retrier = Retrier { request, _, _, completion in
            completion(request.retryCount == 0 ? .retry : .doNotRetry)
        }
        let session = Session(
            transport: ClosureTransport { request in
                let isFirst = attempts.next() == 1
                let body = PacedBody([isFirst ? Data([0x61, 0xE6]) : Data("b".utf8)], failure: isFirst ? .lost : nil)
                return TransportResponse(head: .init(status: .ok), body: ResponseBody(body), request: request.head)
            },
            interceptor: Interceptor(retriers: [retrier])
        )
        let log = Log<String>()
        let completion = await withCheckedContinuation { continuation in
            session.streamRequest("http://api.test/").responseStreamString(on: queue) { stream in
                if let value = stream.value { log.append(value) }
                if let completion = stream.completion { continuation.resume(returning: completion) }
            }
        }
        #expect(completion.error == nil)
        #expect(log.values == ["a", "b"])
    }

    @Test("receive values and failures; the stream continues after a failure")
    func decodables() async throws {
        let chunks = ["1", "no", "3"].map { Data($0.utf8) }
        let session = Session(transport: ScriptedTransport.serving(PacedBody(chunks)))
        let log = Log<String>()
        let completion = await withCheckedContinuation { continuation in
            session.streamRequest("http://api.test/").responseStreamDecodable(of: Int.self, on: queue) { stream in
                if let value = stream.value { log.append("\(value)") }
                if let error = stream.error { log.append(error.isResponseSerializationError ? "failure" : "\(error)") }
                if let completion = stream.completion { continuation.resume(returning: completion) }
            }
        }
        #expect(log.values == ["1", "failure", "3"])
        #expect(completion.error == nil)
    }

    @Test("see the request cancelled by a value that cannot be decoded, with automaticallyCancelOnStreamError")
    func automaticCancel() async throws {
        let chunks = ["1", "no", "3"].map { Data($0.utf8) }
        let session = Session(transport: ScriptedTransport.serving(PacedBody(chunks)))
        let log = Log<String>()
        let request = session.streamRequest("http://api.test/", automaticallyCancelOnStreamError: true)
        let completion = await withCheckedContinuation { continuation in
            request.responseStreamDecodable(of: Int.self, on: queue) { stream in
                if let value = stream.value { log.append("\(value)") }
                if stream.error != nil { log.append("failure") }
                if let completion = stream.completion { continuation.resume(returning: completion) }
            }
        }
        #expect(log.values == ["1", "failure"])
        #expect(completion.error?.isExplicitlyCancelledError == true)
        #expect(request.isCancelled)
    }

    @Test("cancel the stream with the token of each event: no event follows")
    func token() async throws {
        let body = PacedBody(Array(repeating: Data("x".utf8), count: 1000))
        let session = Session(transport: ScriptedTransport.serving(body))
        let log = Log<String>()
        let completion = await withCheckedContinuation { continuation in
            session.streamRequest("http://api.test/").responseStreamString(on: queue) { stream in
                if let value = stream.value { log.append(value) }
                if log.values.count == 3 { stream.cancel() }
                if let completion = stream.completion { continuation.resume(returning: completion) }
            }
        }
        #expect(log.values.count == 3)
        #expect(completion.error?.isExplicitlyCancelledError == true)
    }

    @Test("end the stream by throwing, and the request fails with their error")
    func throwing() async throws {
        let session = Session(transport: ScriptedTransport.serving(PacedBody([Data("a".utf8), Data("b".utf8)])))
        let queue = DispatchQueue(label: "handler")
        let completion = await withCheckedContinuation { continuation in
            session.streamRequest("http://api.test/").responseStream(on: queue) { stream in
                if let completion = stream.completion {
                    continuation.resume(returning: completion)
                } else {
                    throw Refusal()
                }
            }
        }
        guard case .responseSerializationFailed(.customSerializationFailed(let error)) = completion.error else {
            Issue.record("unexpected: \(String(describing: completion.error))")
            return
        }
        #expect(error is Refusal)
    }

    @Test("exert backpressure: nothing is pulled while a handler works")
    func backpressure() async throws {
        let body = PacedBody(Array(repeating: Data("x".utf8), count: 10))
        let session = Session(transport: ScriptedTransport.serving(body))
        let gate = DispatchSemaphore(value: 0)
        let queue = DispatchQueue(label: "slow handler")
        let isIn = Atomic(false)
        let seen = Atomic<Int>(0)
        // Not `async let`, for whose end a failed test would wait.
        let completion = Task {
            await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                session.streamRequest("http://api.test/").responseStream(on: queue) { stream in
                    guard stream.completion == nil else { return continuation.resume() }
                    isIn.store(true, ordering: .releasing)
                    if seen.wrappingAdd(1, ordering: .relaxed).newValue == 1 { gate.wait() }
                }
            }
        }
        try await eventually("the handler") { isIn.load(ordering: .acquiring) }
        for _ in 0..<100 { await Task.yield() }
        #expect(body.pulls == 1)
        gate.signal()
        await completion.value
        #expect(seen.load(ordering: .relaxed) == 10)
    }

    @Test("see the head first, and may reject the body", arguments: [true, false])
    func disposition(asynchronous: Bool) async throws {
        let body = PacedBody([Data("a".utf8)])
        let session = Session(transport: ScriptedTransport.serving(body))
        let request = session.streamRequest("http://api.test/")
        if asynchronous {
            request.onHTTPResponse { (response: HTTPURLResponse) async -> Request.ResponseDisposition in
                await Task.yield()
                return response.statusCode == 200 ? .cancel : .allow
            }
        } else {
            request.onHTTPResponse(on: .global()) { _, completion in completion(.cancel) }
        }
        let log = Log<String>()
        let completion = await withCheckedContinuation { continuation in
            request.responseStreamString(on: queue) { stream in
                if let value = stream.value { log.append(value) }
                if let completion = stream.completion { continuation.resume(returning: completion) }
            }
        }
        #expect(log.values.isEmpty)
        #expect(body.pulls == 0)
        #expect(completion.error?.isExplicitlyCancelledError == true)
        #expect(completion.response?.statusCode == 200)
    }

    @Test("do not keep a finished request that they capture")
    func release() async throws {
        let session = Session(transport: ClosureTransport { .text("a", to: $0) })
        var request: DataStreamRequest? = session.streamRequest("http://api.test/")
        weak let held = request
        await withCheckedContinuation { continuation in
            request?.responseStream(on: queue) { [request] stream in
                withExtendedLifetime(request) { if stream.completion != nil { continuation.resume() } }
            }
        }
        request = nil
        try await eventually { held == nil }
    }

    @Test("learn of a failed validation at the end")
    func validation() async throws {
        let session = Session(transport: ScriptedTransport.serving(PacedBody([Data("a".utf8)]), status: 404))
        let completion = await withCheckedContinuation { continuation in
            session.streamRequest("http://api.test/").validate().responseStream(on: .global()) { stream in
                if let completion = stream.completion { continuation.resume(returning: completion) }
            }
        }
        #expect(completion.error?.responseCode == 404)
    }
}

extension Array where Element == UInt8 {
    fileprivate func chunks(of size: Int) -> [Data] {
        stride(from: 0, to: count, by: size).map { Data(self[$0..<Swift.min($0 + size, count)]) }
    }
}
