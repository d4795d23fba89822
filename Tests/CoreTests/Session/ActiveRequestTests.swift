import AirframeMock
import AirframeTestSupport
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
}
