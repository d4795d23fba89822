import Airframe
import AirframeTestSupport
import Foundation
import Testing

@Suite("The closure of cancel(byProducingResumeData:)", .timeLimit(.minutes(1)))
struct ResumeDataClosureTests {
    private static func session() -> Session {
        kept(Session(transport: ClosureTransport { .text("ok", to: $0) }, startRequestsImmediately: false))
    }

    private static func resumeData(of request: DownloadRequest) async -> Data? {
        await withCheckedContinuation { continuation in
            request.cancel(byProducingResumeData: { continuation.resume(returning: $0) })
        }
    }

    @Test("is called with nil before the start of the request")
    func beforeStart() async {
        #expect(await Self.resumeData(of: Self.session().download("http://api.test/")) == nil)
    }

    @Test("is called with nil after the end of the request")
    func afterEnd() async throws {
        let request = Self.session().download("http://api.test/").resume()
        try await eventually { request.isFinished }
        #expect(await Self.resumeData(of: request) == nil)
    }
}
