import AirframeCore
import AirframeSerialization
import AirframeTestSupport
import Foundation
import Synchronization
import Testing

@Suite("Order of interceptors", .enabled(if: Peers.areExpected), .timeLimit(.minutes(1)))
struct InterceptorOrderTests {
    @Test("the session's adapter runs before the request's", arguments: TestedEngine.allCases)
    func adapters(engine: TestedEngine) async throws {
        let session = engine.session(interceptor: Naming("session"))
        let request = session.request(try hangar("/anything"), interceptor: Naming("request"))
        let echoed = try await request.serializingDecodable(Echoed.self).value
        #expect(echoed.header("x-order") == "session request")
    }

    @Test("the session's retrier runs before the request's", arguments: TestedEngine.allCases)
    func retriers(engine: TestedEngine) async throws {
        let shared = Naming("session")
        let own = Naming("request", log: shared.log)
        let session = engine.session(interceptor: shared)
        _ = await session.request(try hangar("/status/500"), interceptor: own).validate().serializingData().response
        #expect(shared.log.asked.withLock { $0 }.prefix(2) == ["session", "request"])
    }

    /// An interceptor that adds its name to a header field and records calls of its retrier.
    private struct Naming: RequestInterceptor {
        final class Log: Sendable { let asked = Mutex<[String]>([]) }
        let name: String
        let log: Log

        init(_ name: String, log: Log = Log()) {
            self.name = name
            self.log = log
        }

        func adapt(
            _ urlRequest: URLRequest,
            for session: Session,
            completion: @escaping (Result<URLRequest, any Error>) -> Void
        ) {
            var adapted = urlRequest
            let before = urlRequest.headers["X-Order"].map { $0 + " " } ?? ""
            adapted.headers.update(name: "X-Order", value: before + name)
            completion(.success(adapted))
        }

        func retry(
            _ request: Request,
            for session: Session,
            dueTo error: any Error,
            completion: @escaping (RetryResult) -> Void
        ) {
            log.asked.withLock { $0.append(name) }
            completion(.doNotRetry)
        }
    }
}
