import Airframe
import AirframeTestSupport
import Foundation
import HTTPTypes
import Synchronization
import Testing

@Suite("Downloads that are cancelled during the delay of a retry", .timeLimit(.minutes(1)))
struct CancelledRetryTests {
    @Test("keep their bytes only if resume data is requested", arguments: [true, false])
    func cancelledDelay(producesResumeData: Bool) async throws {
        let file = ServedFile(bytes: Data(repeating: 7, count: 10_000))
        let server = StandingServer { request in
            var answer = file.answer(to: request)
            answer.cut = 5_000
            return answer
        }
        let retrier = Retrier { _, _, _, completion in completion(.retryWithDelay(3600)) }
        let session = Session(transport: server, interceptor: Interceptor(retriers: [retrier]))
        let request = session.download("http://files.test/file.bin")
        let response = Task { await request.serializingData(automaticallyCancelling: false).response }
        try await eventually("the delay") { server.standingClock.isAsleep }
        let data = try #require(request.resumeData)
        let partial = try partialFile(of: data)
        try #require(FileManager.default.fileExists(atPath: partial.path))
        request.cancel(producingResumeData: producesResumeData)
        let ended = await response.value
        #expect(ended.error?.isExplicitlyCancelledError == true)
        #expect(ended.resumeData == (producesResumeData ? data : nil))
        if producesResumeData {
            let resuming = Session(transport: FileServer { file.answer(to: $0) })
            #expect(try await resuming.download(resumingWith: data).serializingData().value == file.bytes)
        } else {
            try await eventually("the removal") { !FileManager.default.fileExists(atPath: partial.path) }
        }
    }

    /// A file server on a clock that does not advance.
    private final class StandingServer: Transport {
        final class Clock: TransportClock {
            private let asleep = Atomic(false)

            var isAsleep: Bool { asleep.load(ordering: .acquiring) }
            var now: MonotonicInstant { MonotonicInstant(nanoseconds: 1) }
            func date(at instant: MonotonicInstant) -> Date { Date(timeIntervalSinceReferenceDate: 0) }

            func sleep(until deadline: MonotonicInstant) async throws {
                // Not for a timeout, which is shorter.
                if deadline.nanoseconds >= 3_600_000_000_000 { asleep.store(true, ordering: .releasing) }
                try await Task.sleep(for: .seconds(3600))
            }
        }

        let standingClock = Clock()
        private let server: FileServer

        init(_ answer: @escaping @Sendable (HTTPRequest) -> FileServer.Answer) { server = FileServer(answer) }

        var capabilities: TransportCapabilities { server.capabilities }
        var clock: any TransportClock { standingClock }

        func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
            try await server.send(request)
        }
    }
}
