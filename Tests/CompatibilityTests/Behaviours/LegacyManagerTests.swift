import AirframeLegacy
import Dispatch
import Foundation
import Testing

@Suite("The session manager of Alamofire 4", .timeLimit(.minutes(1)))
struct LegacyManagerTests {
    @Test("an adapter and a retrier that two threads set at the same time are both set")
    func concurrentChanges() async throws { try await (ConcurrentChanges() as any Sample).run() }

    private struct ConcurrentChanges: Sample {
        @available(*, deprecated)
        final class Handlers: RequestAdapter, RequestRetrier {
            func adapt(_ urlRequest: URLRequest) throws -> URLRequest { urlRequest }

            func should(
                _ manager: SessionManager,
                retry request: Request,
                with error: any Error,
                completion: @escaping RequestRetryCompletion
            ) {
                completion(false, 0)
            }
        }

        @available(*, deprecated)
        func run() async throws {
            let manager = SessionManager(configuration: .af.ephemeral)
            for _ in 0..<2000 {
                manager.adapter = nil
                manager.retrier = nil
                DispatchQueue.concurrentPerform(iterations: 2) { number in
                    if number == 0 { manager.adapter = Handlers() } else { manager.retrier = Handlers() }
                }
                try #require(manager.adapter != nil && manager.retrier != nil)
            }
        }
    }
}
