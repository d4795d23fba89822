import Airframe
import AirframeTestSupport
import Foundation
import Testing

@Suite("The report that a request has finished", .timeLimit(.minutes(1)))
struct FinishReportTests {
    /// Records the state of requests whose end is reported.
    private final class Ends: EventMonitor {
        let states = Log<Request.State>()
        let isCalledSynchronously = true
        private let act: @Sendable (Request) -> Void

        init(_ act: @escaping @Sendable (Request) -> Void = { _ in }) { self.act = act }

        func requestDidFinish(_ request: Request) {
            states.append(request.state)
            act(request)
        }
    }

    private static func session(_ monitor: Ends) -> Session {
        kept(Session(transport: ClosureTransport { .text("ok", to: $0) }, eventMonitors: [monitor]))
    }

    @Test("comes when a request without handlers is finished, and with handlers before they are called")
    func state() async throws {
        let monitor = Ends()
        let session = Self.session(monitor)
        let request = session.request("http://api.test/").resume()
        try await eventually { request.isFinished && monitor.states.values.count == 1 }
        #expect(monitor.states.values == [.finished])
        _ = await session.request("http://api.test/").serializingData().response
        #expect(monitor.states.values == [.finished, .resumed])
    }

    @Test("may add a handler, which receives the response")
    func lateHandler() async throws {
        let texts = Log<String>()
        let monitor = Ends { request in
            guard let request = request as? DataRequest, texts.values.isEmpty else { return }
            request.responseString(queue: .global()) { texts.append($0.value ?? "-") }
        }
        let request = Self.session(monitor).request("http://api.test/").resume()
        try await eventually { texts.values == ["ok"] && request.isFinished }
    }

    @Test("a cancelled request without handlers stays cancelled")
    func cancelled() async throws {
        let monitor = Ends()
        let request = Self.session(monitor).request("http://api.test/").cancel()
        try await eventually { monitor.states.values.count == 1 }
        #expect(monitor.states.values == [.cancelled] && request.isCancelled)
    }
}
