import AirframeCore
import AirframeSerialization
import AirframeTransport
import Dispatch
import Foundation
import Synchronization
import Testing

@Suite("Completion handlers of requests that finish together", .timeLimit(.minutes(1)))
struct HandlerDeliveryTests {
    private static func session() -> Session {
        let transport = ClosureTransport { request in
            await Task.yield()
            return .text("text", to: request)
        }
        return Session(transport: transport)
    }

    /// The handlers that were called, by request.
    private final class Order: Sendable {
        private let handlers = Mutex<[Int: [Int]]>([:])

        func add(_ handler: Int, of request: Int) { handlers.withLock { $0[request, default: []].append(handler) } }

        var all: [Int: [Int]] { handlers.withLock { $0 } }
    }

    @Test("each is called once, on the main queue, after its request has finished, in the order of addition")
    func mainQueue() async {
        let session = Self.session()
        let called = Order()
        await withTaskGroup { group in
            for number in 0..<200 {
                group.addTask {
                    await withCheckedContinuation { continuation in
                        let request = session.request("http://api.test/\(number)")
                        for index in 0..<3 {
                            request.responseString { response in
                                dispatchPrecondition(condition: .onQueue(.main))
                                #expect(response.value == "text")
                                #expect(request.isFinished)
                                called.add(index, of: number)
                                if index == 2 { continuation.resume() }
                            }
                        }
                    }
                }
            }
        }
        #expect(called.all == Dictionary(uniqueKeysWithValues: (0..<200).map { ($0, [0, 1, 2]) }))
    }

    @Test("a handler can wait with a semaphore for another request's handler on the same concurrent queue")
    func concurrentQueue() async {
        let session = Self.session()
        let queue = DispatchQueue(label: "concurrent", attributes: .concurrent)
        await withTaskGroup { group in
            for _ in 0..<8 {
                group.addTask {
                    let second = DispatchSemaphore(value: 0)
                    let result = await withCheckedContinuation { continuation in
                        session.request("http://api.test/1").response(queue: queue) { _ in
                            continuation.resume(returning: second.wait(timeout: .now() + 20))
                        }
                        session.request("http://api.test/2").response(queue: queue) { _ in second.signal() }
                    }
                    #expect(result == .success)
                }
            }
        }
    }

    @Test("a handler is called before the serializer of another request, with a large body, has returned")
    func largeBody() async {
        let session = Session(
            transport: ClosureTransport { request in
                .text(String(repeating: "x", count: request.head.path == "/large" ? 100_000 : 1), to: request)
            })
        let queue = DispatchQueue(label: "large body")
        let small = DispatchSemaphore(value: 0)
        await withCheckedContinuation { continuation in
            session.request("http://api.test/small").response(queue: queue) { _ in small.signal() }
            let blocking = Blocking(until: small)
            session.request("http://api.test/large").response(queue: queue, responseSerializer: blocking) { response in
                #expect(response.value == .success)
                continuation.resume()
            }
        }
    }

    /// A serializer that waits for a semaphore.
    private struct Blocking: DataResponseSerializerProtocol {
        let semaphore: DispatchSemaphore

        init(until semaphore: DispatchSemaphore) { self.semaphore = semaphore }

        func serialize(
            request: URLRequest?,
            response: HTTPURLResponse?,
            data: Data?,
            error: (any Error)?
        ) -> DispatchTimeoutResult {
            semaphore.wait(timeout: .now() + 20)
        }
    }
}
