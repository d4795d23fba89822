import AirframeMock
import AirframeSerialization
import AirframeTestSupport
import AirframeTransport
import Foundation
import Testing

@testable import AirframeCore

@Suite("The active requests of a session", .timeLimit(.minutes(1)))
struct ActiveRequestTests {
    @Test("a request that another thread removes as soon as it is added does not stay")
    func removalDuringInsertion() async {
        let session = Session(transport: MockTransport { Route("/**").reply(.text("x")) })
        let active = session.context.activeRequests
        let isOver = Signal()
        // Each request is removed once, as by its end.
        let remover = Task.detached {
            var removed: Set<Request> = []
            while true {
                let isLastRound = isOver.isUp
                for request in active.all where removed.insert(request).inserted { active.remove(request) }
                if isLastRound { return }
            }
        }
        for _ in 0..<20_000 { _ = session.request("http://api.test/", shouldAutomaticallyResume: false) }
        isOver.raise()
        await remover.value
        // A released session removes all requests.
        withExtendedLifetime(session) { #expect(active.isEmpty) }
    }

    @Test("a request that a late handler retries is active again, and ends with its session", arguments: [true, false])
    func lateRetry(isSessionReleased: Bool) async throws {
        let calls = Counter()
        let retrier = Retrier { request, _, _, completion in
            completion(request.retryCount == 0 ? .retry : .doNotRetry)
        }
        let transport = ClosureTransport { request throws(TransportError) in
            if calls.next() == 1 { return .text("text", to: request) }
            try? await Task.sleep(for: .seconds(3600))
            throw .cancelled(in: .responseHead, processing: .unknown)
        }
        var session: Session? = Session(transport: transport, interceptor: Interceptor(retriers: [retrier]))
        let request = try #require(session?.request("http://api.test/"))
        let active = request.context.activeRequests
        #expect(try await request.serializingString().value == "text")
        #expect(active.isEmpty)
        let late = request.serializingDecodable(Int.self)
        try await eventually("the second exchange") { calls.value == 2 }
        #expect(active.all == [request])
        if isSessionReleased {
            session = nil
            #expect(await late.response.error?.isSessionDeinitializedError == true)
        } else {
            session?.cancelAllRequests()
            #expect(await late.response.error?.isExplicitlyCancelledError == true)
        }
        #expect(active.isEmpty)
    }
}
