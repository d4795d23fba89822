import AirframeCore
import AirframeSerialization
import AirframeTestSupport
import Foundation
import Synchronization
import Testing

@Suite("Monitors, streams and the session's requests", .enabled(if: Peers.areExpected), .timeLimit(.minutes(1)))
struct MonitorTests {
    @Test("a request's own monitor receives the events of the request only", arguments: TestedEngine.allCases)
    func ownMonitor(engine: TestedEngine) async throws {
        let shared = EventLog()
        let own = EventLog()
        let session = engine.session(eventMonitors: [shared])
        session.session.sessionDescription = "this session"
        let request = session.request(try hangar("/get")).eventMonitor(own)
        _ = await request.serializingData().response
        _ = await session.request(try hangar("/get")).serializingData().response
        #expect(own.events == ["url request", "task", "task resumed", "complete", "finish"])
        #expect(shared.events.filter { $0 == "finish" }.count == 2)
        #expect(shared.events.contains("task data") && shared.events.contains("task end of this session"))
    }

    @Test("two stream handlers in one chain both see the first bytes", arguments: TestedEngine.allCases)
    func streamHandlers(engine: TestedEngine) async throws {
        let session = engine.session()
        for _ in 0..<20 {
            let lengths = try await streamed(session.streamRequest(try hangar("/bytes/5000?seed=3")))
            #expect(lengths == [5000, 5000])
        }
    }

    @Test("a stream handler that is added after the end receives the bytes too", arguments: TestedEngine.allCases)
    func lateStreamHandler(engine: TestedEngine) async throws {
        let session = engine.session()
        let request = session.streamRequest(try hangar("/bytes/5000?seed=3"))
        let queue = DispatchQueue(label: "stream")
        for _ in 0..<2 {
            let count = Mutex(0)
            await withCheckedContinuation { continuation in
                request.responseStream(on: queue) { stream in
                    switch stream.event {
                    case .stream(.success(let data)): count.withLock { $0 += data.count }
                    case .complete: continuation.resume()
                    }
                }
            }
            #expect(count.withLock { $0 } == 5000)
        }
    }

    private func streamed(_ request: DataStreamRequest) async throws -> [Int] {
        let counts = Mutex([0, 0])
        let ended = Mutex(0)
        let queue = DispatchQueue(label: "stream")
        await withCheckedContinuation { continuation in
            let handler: @Sendable (Int) -> DataStreamRequest.Handler<Data, Never> = { index in
                { stream in
                    switch stream.event {
                    case .stream(.success(let data)): counts.withLock { $0[index] += data.count }
                    case .complete:
                        let isLast = ended.withLock { ended in
                            ended += 1
                            return ended == 2
                        }
                        if isLast { continuation.resume() }
                    }
                }
            }
            request.responseStream(on: queue, stream: handler(0)).responseStream(on: queue, stream: handler(1))
        }
        return counts.withLock { $0 }
    }

    @Test("a request has left withAllRequests before its completion handlers run", arguments: TestedEngine.allCases)
    func allRequests(engine: TestedEngine) async throws {
        let session = engine.session()
        let queue = DispatchQueue(label: "handlers")
        for _ in 0..<20 {
            let url = try hangar("/get")
            let remaining = await withCheckedContinuation { continuation in
                session.request(url).response(queue: queue) { _ in
                    session.withAllRequests { continuation.resume(returning: $0.count) }
                }
            }
            #expect(remaining == 0)
        }
    }

    @Test("the functions that a SessionDelegate overrides are called", arguments: TestedEngine.allCases)
    func delegate(engine: TestedEngine) async throws {
        // `@unchecked Sendable` like SessionDelegate; a lock guards the events.
        final class Delegate: SessionDelegate, @unchecked Sendable {
            let events = Mutex<[String]>([])

            override func urlSession(
                _ session: URLSession,
                task: URLSessionTask,
                willPerformHTTPRedirection response: HTTPURLResponse,
                newRequest request: URLRequest,
                completionHandler: @escaping (URLRequest?) -> Void
            ) {
                events.withLock { $0.append("redirect") }
                completionHandler(nil)
            }

            override func urlSession(
                _ session: URLSession,
                task: URLSessionTask,
                didCompleteWithError error: (any Error)?
            ) {
                events.withLock { $0.append("end") }
            }
        }
        let delegate = Delegate()
        let session = engine.session(delegate: delegate)
        let response = await session.request(try hangar("/redirect/1")).serializingData().response
        #expect(response.response?.statusCode == 302)
        #expect(delegate.events.withLock { $0 } == ["redirect", "end"])
        #expect(session.delegate === delegate)
    }
}
