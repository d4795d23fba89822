import AirframeCore
import AirframeSerialization
import AirframeTestSupport
import AirframeTransport
import Foundation
import HTTPTypes
import Testing

@Suite("The progress of a request", .timeLimit(.minutes(1)))
struct ProgressTests {
    private let calls = Counter()
    private let release = Counter()

    /// A session that retries once. The second exchange waits for `release`.
    private func session() -> Session {
        let (calls, release) = (calls, release)
        let transport = ClosureTransport { request throws(TransportError) in
            guard calls.next() > 1 else { return .text("first", status: 503, to: request) }
            do {
                try await eventually("the release") { release.value > 0 }
            } catch {
                if !Task.isCancelled { Issue.record(error) }
            }
            return .text("second", to: request)
        }
        let retrier = Retrier { request, _, _, completion in
            completion(request.retryCount == 0 ? .retry : .doNotRetry)
        }
        return Session(transport: transport, interceptor: Interceptor(retriers: [retrier]))
    }

    @Test("a retry begins at 0 of 0")
    func retry() async throws {
        let session = session()
        let request = session.request("http://api.test/").validate()
        let response = request.serializingString()
        try await eventually("the second exchange") { calls.value == 2 }
        #expect(request.downloadProgress.totalUnitCount == 0)
        #expect(request.downloadProgress.completedUnitCount == 0)
        release.next()
        #expect(try await response.value == "second")
        #expect(request.downloadProgress.completedUnitCount == 6)
        #expect(request.downloadProgress.totalUnitCount == 6)
    }

    @Test("an object that the user has keeps its total through a retry; its completed bytes are reset")
    func observed() async throws {
        let session = session()
        let request = session.request("http://api.test/").validate()
        let progress = request.downloadProgress
        let response = request.serializingString()
        try await eventually("the second exchange") { calls.value == 2 }
        #expect(progress.totalUnitCount == 5 && progress.completedUnitCount == 0)
        release.next()
        #expect(try await response.value == "second")
        #expect(progress === request.downloadProgress && progress.completedUnitCount == 6)
    }
}
