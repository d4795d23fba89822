import AirframeCore
import AirframeLayers
import AirframeSerialization
import AirframeTestSupport
import AirframeTransport
import Foundation
import HTTPTypes
import Testing

/// A layer that follows redirects itself, without asking for a decision.
private struct FollowingLayer: TransportLayer {
    let base: any Transport
    /// The paths whose redirects the layer follows.
    let paths: Set<String>

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        var request = request
        while true {
            let response = try await base.send(request)
            guard let path = request.head.path, paths.contains(path),
                let location = response.head.headerFields[.location]
            else { return response }
            var next = request
            next.head.path = location
            request.report(
                .followedRedirect(response.head, next: next.head), because: "the test says so", on: clock)
            next.beginNewExchange()
            request = next
        }
    }
}

@Suite("Redirects that no handler decides on", .timeLimit(.minutes(1)))
struct RedirectReportTests {
    private static let chain = [
        "301 from http://api.test/1 to http://api.test/2", "307 from http://api.test/2 to http://api.test/3",
        "302 from http://api.test/3 to http://api.test/4",
    ]

    /// A server that redirects `/1` to `/2`, `/2` to `/3` and `/3` to `/4`.
    private static func server() -> ScriptedTransport {
        ScriptedTransport(clock: StepClock()) { request in
            switch request.head.path {
            case "/1": .status(301, fields: [.location: "/2"], to: request)
            case "/2": .status(307, fields: [.location: "/3"], to: request)
            case "/3": .status(302, fields: [.location: "/4"], to: request)
            default: .status(200, "end", to: request)
            }
        }
    }

    @Test(
        "monitors receive each redirect once if another layer follows some of them",
        arguments: [["/1"], ["/2"], ["/3"], ["/1", "/2"], ["/2", "/3"], ["/1", "/3"], ["/1", "/2", "/3"]],
        [true, false])
    func otherLayer(paths: [String], hasHandler: Bool) async throws {
        let log = Log<String>()
        let server = Self.server()
        let session = Session(
            transport: FollowingLayer(base: server, paths: Set(paths)),
            redirectHandler: hasHandler ? Redirector.follow : nil,
            eventMonitors: [RedirectMonitor(log)]
        )
        let request = session.request("http://api.test/1")
        #expect(try await request.serializingString().value == "end")
        #expect(log.values == Self.chain)
        #expect(request.task?.redirects.map(\.statusCode) == [301, 307, 302])
        #expect(server.heads.map(\.path) == ["/1", "/2", "/3", "/4"])
    }

    @Test("monitors receive each redirect once if the request has its own decision, which replaces the handler")
    func ownDecision() async throws {
        let (log, asked) = (Log<String>(), Counter())
        let handler = Redirector(
            behavior: .modify { _, request, _ in
                asked.next()
                return request
            })
        let session = Session(
            transport: Self.server(), redirectHandler: handler, eventMonitors: [RedirectMonitor(log)])
        let request = session.request("http://api.test/1") {
            $0[RedirectDecision.self] = { _, next in RedirectedRequest(next) }
        }
        #expect(try await request.serializingString().value == "end")
        #expect(log.values == Self.chain)
        #expect(asked.value == 0)
    }

    @Test("monitors receive the request that a decision of the request chooses, and no redirect that it refuses")
    func choice() async {
        let log = Log<String>()
        let session = Session(transport: Self.server(), eventMonitors: [RedirectMonitor(log)])
        let request = session.request("http://api.test/1") {
            $0[RedirectDecision.self] = { response, next in
                guard response.status.code == 301 else { return nil }
                var chosen = next
                chosen.path = "/3"
                return RedirectedRequest(chosen)
            }
        }
        let response = await request.serializingString().response
        #expect(response.response?.statusCode == 302)
        #expect(log.values == ["301 from http://api.test/1 to http://api.test/3"])
    }

    @Test("a retry's redirects are reported like those of the first attempt")
    func retry() async throws {
        let (log, count) = (Log<String>(), Counter())
        let server = ScriptedTransport(clock: StepClock()) { request in
            guard request.head.path == "/2" else { return .status(302, fields: [.location: "/2"], to: request) }
            return .status(count.next() == 1 ? 503 : 200, "end", to: request)
        }
        let retrier = Retrier { request, _, _, completion in
            completion(request.retryCount == 0 ? .retry : .doNotRetry)
        }
        let session = Session(
            transport: FollowingLayer(base: server, paths: ["/1"]),
            interceptor: Interceptor(retriers: [retrier]),
            eventMonitors: [RedirectMonitor(log)]
        )
        let request = session.request("http://api.test/1").validate(statusCode: [200])
        #expect(try await request.serializingString().value == "end")
        let event = "302 from http://api.test/1 to http://api.test/2"
        #expect(log.values == [event, event])
    }
}
