import AirframeCore
import AirframeSerialization
import AirframeTestSupport
import AirframeTransport
import Dispatch
import Testing

@Suite("Calls during the report of a task's creation", .timeLimit(.minutes(1)))
struct TaskCreationTests {
    /// A synchronous monitor that calls a closure when a task is created.
    private final class CreationMonitor: EventMonitor {
        let isCalledSynchronously = true
        let receivesTransportEvents = false
        private let react: @Sendable (Request) -> Void

        init(_ react: @escaping @Sendable (Request) -> Void) { self.react = react }

        func request(_ request: Request, didCreateTask task: URLSessionTask) { react(request) }
    }

    @Test("a handler that is added receives the task once")
    func handler() async throws {
        let tasks = Log<Int>()
        let queue = DispatchQueue(label: "handlers")
        let monitor = CreationMonitor { request in
            request.onURLSessionTaskCreation(on: queue) { tasks.append($0.taskIdentifier) }
        }
        let session = Session(transport: ClosureTransport { .text("text", to: $0) }, eventMonitors: [monitor])
        let request = session.request("http://api.test/")
        #expect(try await request.serializingString().value == "text")
        await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
        #expect(tasks.values == request.tasks.map(\.taskIdentifier))
    }

    @Test("a suspension suspends the task")
    func suspension() async throws {
        let transport = ScriptedTransport { .text("text", to: $0) }
        let session = Session(transport: transport, eventMonitors: [CreationMonitor { $0.suspend() }])
        let request = session.request("http://api.test/")
        let response = request.serializingString()
        try await eventually("the suspension") { request.isSuspended }
        for _ in 0..<100 { await Task.yield() }
        #expect(request.task?.state == .suspended)
        #expect(transport.heads.isEmpty)
        request.resume()
        #expect(try await response.value == "text")
    }
}
