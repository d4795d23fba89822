import AirframeCore
import AirframeSerialization
import AirframeTransport
import Dispatch
import Foundation
import Synchronization
import Testing

/// A task executor on a queue that can be identified.
private final class QueueExecutor: TaskExecutor {
    private static let key = DispatchSpecificKey<Bool>()
    private let queue = DispatchQueue(label: "executor")

    init() { queue.setSpecific(key: Self.key, value: true) }

    static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) ?? false }

    func enqueue(_ job: consuming ExecutorJob) {
        let unowned = UnownedJob(job)
        queue.async { unowned.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

/// Serializes the executor that it runs on.
private struct Witness: DataResponseSerializerProtocol {
    func serialize(request: URLRequest?, response: HTTPURLResponse?, data: Data?, error: (any Error)?) -> Bool {
        QueueExecutor.isCurrent
    }
}

@Suite("A request of a task that prefers an executor", .timeLimit(.minutes(1)))
struct ExecutorTests {
    /// The executors of adaptation, transport and validation.
    private final class Places: Sendable {
        private let places = Mutex<[Bool]>([])

        func note() { places.withLock { $0.append(QueueExecutor.isCurrent) } }

        var all: [Bool] { places.withLock { $0 } }
    }

    private static func session(_ places: Places) -> Session {
        let transport = ClosureTransport { request in
            places.note()
            await Task.yield()
            places.note()
            return .text("text", to: request)
        }
        let adapter = Adapter { request, _, completion in
            places.note()
            completion(.success(request))
        }
        return Session(transport: transport, interceptor: Interceptor(adapters: [adapter]))
    }

    private static func request(_ session: Session, _ places: Places) -> DataRequest {
        session.request("http://api.test/").validate { _, _, _ in
            places.note()
            return .success(())
        }
    }

    @Test("runs on that executor from its making to its serializer if it is awaited")
    func awaiting() async throws {
        let places = Places()
        let session = Self.session(places)
        let isThere = try await withTaskExecutorPreference(QueueExecutor()) {
            try await Self.request(session, places).serializingResponse(using: Witness()).value
        }
        #expect(isThere)
        #expect(places.all == [true, true, true, true])
    }

    @Test("runs on that executor if it has a handler")
    func handler() async throws {
        let places = Places()
        let session = Self.session(places)
        let isThere = await withTaskExecutorPreference(QueueExecutor()) {
            await withCheckedContinuation { continuation in
                Self.request(session, places).response(queue: .global(), responseSerializer: Witness()) {
                    continuation.resume(returning: $0.value)
                }
            }
        }
        #expect(isThere == true)
        #expect(places.all == [true, true, true, true])
    }

    @Test("runs on the global executor without a preference")
    func none() async throws {
        let places = Places()
        let session = Self.session(places)
        let isThere = try await Self.request(session, places).serializingResponse(using: Witness()).value
        #expect(!isThere)
        #expect(places.all == [false, false, false, false])
    }
}
