import Airframe
import Foundation
import HTTPTypes
import Synchronization
import Testing

private enum Screen: TransportRequestKey {
    static let defaultValue = "none"
}

@Suite("Tags and typed values", .timeLimit(.minutes(1)))
struct ValueTests {
    private final class Watching: EventMonitor {
        let seen = Log<String>()

        func requestDidFinish(_ request: Request) {
            seen.append("\(request[Screen.self]) \(request.tags.sorted())")
        }
    }

    @Test("adapters, layers, retriers and monitors see the values and tags of a request")
    func visibility() async throws {
        let monitor = Watching()
        let layered = Log<String>()
        let adapted = Log<String>()
        let retried = Log<String>()
        let transport = ClosureTransport { request throws(TransportError) in
            layered.append("\(request[Screen.self]) \(request[RequestTags.self].sorted())")
            throw TransportError(.connectionLost, phase: .responseHead, processing: .unknown, message: "lost")
        }
        let session = Session(
            transport: transport,
            interceptor: Interceptor(
                adaptHandler: { request, _, completion in
                    adapted.append("\(request[Screen.self]) \(request.tags.sorted())")
                    completion(.success(request))
                },
                retryHandler: { request, _, _, completion in
                    retried.append("\(request[Screen.self]) \(request.tags.sorted())")
                    completion(.doNotRetry)
                }),
            eventMonitors: [monitor]
        )
        let request = session.request("http://api.test/", requestModifier: { $0.tags = ["made"] })
            .setting(Screen.self, to: "home").tag("a").tag("b", "a")
        _ = await request.serializingString().response
        let expected = #"home ["a", "b", "made"]"#
        #expect(adapted.values == [expected])
        #expect(layered.values == [expected])
        #expect(Set(retried.values) == [expected])
        // Monitors are called on their own queue.
        while monitor.seen.values.isEmpty, !Task.isCancelled { await Task.yield() }
        #expect(monitor.seen.values == [expected])
        #expect(request.request?[Screen.self] == "home")
    }

    @Test("a value set on the request precedes that of its URLRequest, which precedes the default")
    func precedence() async throws {
        let session = echoSession()
        let modified = session.request("http://api.test/", requestModifier: { $0[Screen.self] = "made" })
        #expect(modified[Screen.self] == "none")
        _ = try await modified.text
        #expect(modified[Screen.self] == "made")
        let set = session.request("http://api.test/", requestModifier: { $0[Screen.self] = "made" })
            .setting(Screen.self, to: "set")
        #expect(set[Screen.self] == "set")
        _ = try await set.text
        #expect(set.request?[Screen.self] == "set")
        #expect(session.request("http://api.test/").tags.isEmpty)
    }

    @Test("requests with a tag are found, and cancelled together")
    func cancelling() async throws {
        let session = Session(
            transport: ClosureTransport { .init(head: .init(status: .ok), body: .init(), request: $0.head) })
        let one = session.request("http://api.test/1").tag("screen")
        let two = session.request("http://api.test/2").tag("screen", "other")
        let three = session.request("http://api.test/3").tag("other")
        #expect(session.requests(tagged: "screen") == [one, two])
        #expect(session.requests(tagged: "none").isEmpty)
        session.cancelRequests(tagged: "screen")
        #expect(one.isCancelled && two.isCancelled && !three.isCancelled)
    }
}
