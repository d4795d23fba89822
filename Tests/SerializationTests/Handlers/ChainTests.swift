import AirframeCore
import AirframeMock
import AirframeSerialization
import Foundation
import HTTPTypes
import Synchronization
import Testing

@Suite("Handlers and awaited responses", .timeLimit(.minutes(1)))
struct ChainTests {
    @Test("Every kind of handler receives the same response", .timeLimit(.minutes(1)))
    func handlers() async throws {
        let session = Session(transport: MockTransport { Route(.get, "/n").reply(.json([1, 2])) })
        let request = session.request("http://api.test/n")
        let data = await withCheckedContinuation { done in
            request.response(queue: .global()) { done.resume(returning: $0) }
        }
        let bytes = await withCheckedContinuation { done in
            request.responseData(queue: .global()) { done.resume(returning: $0) }
        }
        let text = await withCheckedContinuation { done in
            request.responseString(queue: .global()) { done.resume(returning: $0) }
        }
        let numbers = await withCheckedContinuation { done in
            request.responseDecodable(of: [Int].self, queue: .global()) { done.resume(returning: $0) }
        }
        #expect(data.data == bytes.value)
        #expect(text.value == "[1,2]")
        #expect(numbers.value == [1, 2])
        #expect(numbers.serializationDuration >= 0)
    }

    @Test("Cancelling the awaiting task cancels the request unless that is disabled", arguments: [true, false])
    func automaticCancellation(isAutomatic: Bool) async throws {
        let mock = MockTransport { Route(.get, "/slow").reply(.text("late").delayed(by: .seconds(10))) }
        let session = Session(transport: mock)
        let request = session.request("http://api.test/slow")
        let waiting = Task { await request.serializingString(automaticallyCancelling: isAutomatic).response }
        waiting.cancel()
        let response = await waiting.value
        #expect((response.error?.isExplicitlyCancelledError == true) == isAutomatic)
        #expect((response.value == "late") == !isAutomatic)
    }

    @Test("A serializer's failure goes to the retrier, which decides for the request")
    func serializerRetry() async throws {
        let mock = MockTransport {
            Route(.get, "/n").reply(.sequence([.text("no number"), .text("7")]))
        }
        let session = Session(transport: mock)
        let retrier = Retrier { request, _, error, completion in
            completion(error.asAFError?.isResponseSerializationError == true ? .retry : .doNotRetry)
        }
        let request = session.request("http://api.test/n", interceptor: Interceptor(retriers: [retrier]))
        #expect(try await request.serializingDecodable(Int.self).value == 7)
        #expect(request.retryCount == 1)
    }

    @Test("The error of a failing retrier replaces the original one and wraps it")
    func retrierFails() async throws {
        struct Refusal: Error {}
        let session = Session(transport: MockTransport { Route(.get, "/n").reply(.status(500)) })
        let retrier = Retrier { _, _, _, completion in completion(.doNotRetryWithError(Refusal())) }
        let error = await session.request("http://api.test/n", interceptor: Interceptor(retriers: [retrier]))
            .validate().serializingData().response.error
        #expect(error?.isRequestRetryError == true)
        #expect(error?.underlyingError is Refusal)
    }

    @Test("A download's location, data and text can be awaited")
    func downloads() async throws {
        let session = Session(transport: MockTransport { Route(.get, "/file").reply(.text("content")) })
        let request = session.download("http://api.test/file").validate()
        let url = try await request.serializingDownloadedFileURL().value
        defer { try? FileManager.default.removeItem(at: url) }
        #expect(try String(contentsOf: url, encoding: .utf8) == "content")
        #expect(try await request.serializingString().value == "content")
        #expect(try await request.serializingData().value == Data("content".utf8))
    }

    @Test("Serializers run on the serialization queue")
    func serializationQueue() async throws {
        let key = DispatchSpecificKey<Bool>()
        let queue = DispatchQueue(label: "test.serialization")
        queue.setSpecific(key: key, value: true)
        struct Probe: DataResponseSerializerProtocol {
            let key: DispatchSpecificKey<Bool>
            func serialize(request: URLRequest?, response: HTTPURLResponse?, data: Data?, error: (any Error)?) -> Bool {
                DispatchQueue.getSpecific(key: key) == true
            }
        }
        let mock = MockTransport { Route(.get, "/").reply(.text("x")) }
        let named = Session(transport: mock, serializationQueue: queue)
        #expect(try await named.request("http://api.test/").serializingResponse(using: Probe(key: key)).value)
        let unnamed = Session(transport: MockTransport { Route(.get, "/").reply(.text("x")) })
        #expect(
            try await unnamed.request("http://api.test/").serializingResponse(using: Probe(key: key)).value == false)
    }
}
