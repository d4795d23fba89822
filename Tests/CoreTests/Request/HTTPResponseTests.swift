import AirframeCore
import AirframeSerialization
import AirframeTestSupport
import AirframeTransport
import Dispatch
import Foundation
import HTTPTypes
import Synchronization
import Testing

@Suite("Handlers of the response's head", .timeLimit(.minutes(1)))
struct HTTPResponseTests {
    @Test("each of the four forms compiles as commonly written and receives the head")
    func forms() async throws {
        let session = Session(transport: ClosureTransport { .text("text", status: 203, to: $0) })
        let seen = SeenStatuses()
        @Sendable func note(_ response: HTTPURLResponse) { seen.all.withLock { $0.append(response.statusCode) } }
        @Sendable func noteLater(_ response: HTTPURLResponse) async {
            await Task.yield()
            note(response)
        }
        let requests = [
            session.request("http://api.test/").onHTTPResponse(on: .global()) { response in note(response) },
            session.request("http://api.test/").onHTTPResponse(on: .global()) { response, completion in
                note(response)
                completion(.allow)
            },
            session.request("http://api.test/").onHTTPResponse { response in await noteLater(response) },
            session.request("http://api.test/").onHTTPResponse { response in
                await noteLater(response)
                return .allow
            },
        ]
        for request in requests { #expect(try await request.serializingString().value == "text") }
        #expect(seen.all.withLock { $0 } == [203, 203, 203, 203])
    }

    @Test("a handler may reject the body: the request is cancelled, and nothing is received", arguments: [true, false])
    func refusal(isAsynchronous: Bool) async throws {
        let body = PacedBody([Data("text".utf8)])
        let session = Session(transport: ScriptedTransport.serving(body, status: 203))
        let request = session.request("http://api.test/")
        if isAsynchronous {
            request.onHTTPResponse { response in response.statusCode == 203 ? .cancel : .allow }
        } else {
            request.onHTTPResponse(on: .global()) { _, completion in completion(.cancel) }
        }
        let response = await request.serializingString().response
        #expect(response.error?.isExplicitlyCancelledError == true)
        #expect(response.response?.statusCode == 203)
        #expect(response.data == nil)
        #expect(body.pulls == 0)
        #expect(request.isCancelled)
    }

    @Test("a request that its handler cancels ends without the events of a cancellation")
    func silentRefusal() async throws {
        let monitor = RecordingMonitor()
        let session = Session(transport: ClosureTransport { .text("text", to: $0) }, eventMonitors: [monitor])
        let request = session.request("http://api.test/").onHTTPResponse(on: .global()) { _, completion in
            completion(.cancel)
        }
        let response = await request.serializingString().response
        #expect(response.error?.isExplicitlyCancelledError == true)
        #expect(request.state == .cancelled)
        #expect((request.task?.error as? URLError)?.code == .cancelled)
        let events = await monitor.events
        #expect(!events.contains("cancel") && !events.contains("cancel task"), "\(events)")
        #expect(events.contains("complete with error"))
    }

    @Test("the body waits for the handler's answer, and a second answer is ignored")
    func patience() async throws {
        let body = PacedBody([Data("text".utf8)])
        let session = Session(transport: ScriptedTransport.serving(body))
        let answer = Mutex<(@Sendable (Request.ResponseDisposition) -> Void)?>(nil)
        let request = session.request("http://api.test/").onHTTPResponse(on: .global()) { _, completion in
            answer.withLock { $0 = completion }
        }
        let task = request.serializingString()
        try await eventually("the handler") { answer.withLock { $0 != nil } }
        for _ in 0..<50 { await Task.yield() }
        #expect(body.pulls == 0)
        let completion = try #require(answer.withLock { $0 })
        completion(.allow)
        completion(.cancel)
        #expect(try await task.value == "text")
    }

    @Test("a handler that never answers does not block a cancelled request")
    func silence() async throws {
        let session = Session(transport: ScriptedTransport.serving(PacedBody([Data("text".utf8)])))
        let isAsked = Atomic(false)
        let request = session.request("http://api.test/").onHTTPResponse(on: .global()) { _, _ in
            isAsked.store(true, ordering: .releasing)
        }
        let task = request.serializingString()
        try await eventually("the handler") { isAsked.load(ordering: .acquiring) }
        request.cancel()
        #expect(await task.response.error?.isExplicitlyCancelledError == true)
    }
}

private final class SeenStatuses: Sendable {
    let all = Mutex<[Int]>([])
}
