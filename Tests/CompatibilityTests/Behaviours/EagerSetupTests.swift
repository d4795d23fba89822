import AirframeCore
import AirframeSerialization
import AirframeTestSupport
import Foundation
import Testing

@Suite("requestSetup: .eager", .enabled(if: Peers.areExpected), .timeLimit(.minutes(1)))
struct EagerSetupTests {
    @Test("makes the URLRequest and the task without resume, and sends nothing", arguments: TestedEngine.allCases)
    func begins(engine: TestedEngine) async throws {
        let log = EventLog()
        let session = engine.session(requestSetup: .eager, eventMonitors: [log])
        let request = session.request(try hangar("/get"))
        await log.wait(for: "task")
        #expect(request.task != nil && request.task?.state == .suspended)
        #expect(request.isInitialized && log.events == ["url request", "task"])
        let response = await request.serializingData().response
        #expect(response.response?.statusCode == 200)
        #expect(request.tasks.count == 1)
        #expect(log.events.prefix(3) == ["url request", "task", "task resumed"])
    }

    @Test("suspend and cancel find the task", arguments: TestedEngine.allCases)
    func changes(engine: TestedEngine) async throws {
        let log = EventLog()
        let session = engine.session(requestSetup: .eager, eventMonitors: [log])
        let request = session.request(try hangar("/get"))
        await log.wait(for: "task")
        request.suspend()
        await log.wait(for: "task suspended")
        #expect(log.events.last == "task suspended")
        request.cancel()
        await log.wait(for: "finish")
        #expect(log.events.contains("task cancelled") && log.events.suffix(2) == ["complete", "finish"])
        #expect(request.error?.isExplicitlyCancelledError == true)
    }

    @Test("makes the task of a request whose session is released immediately", arguments: TestedEngine.allCases)
    func droppedSession(engine: TestedEngine) async throws {
        let log = EventLog()
        let request = engine.session(requestSetup: .eager, eventMonitors: [log]).request(try hangar("/get"))
        await log.wait(for: "finish")
        #expect(log.events.starts(with: ["url request", "task"]), "\(log.events)")
        #expect(request.error?.isSessionDeinitializedError == true)
    }

    @Test("a lazy request makes neither before it is resumed", arguments: TestedEngine.allCases)
    func lazy(engine: TestedEngine) async throws {
        let log = EventLog()
        let session = engine.session(eventMonitors: [log])
        let request = session.request(try hangar("/get"))
        #expect(request.task == nil)
        _ = await request.serializingData().response
        #expect(log.events.prefix(3) == ["url request", "task", "task resumed"])
    }
}
