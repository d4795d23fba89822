import Airframe
import AirframeConformance
import AirframeTestSupport
import Foundation
import Testing

@Suite("A task that is suspended", .timeLimit(.minutes(1)))
struct TaskSuspensionTests {
    /// Records what changes the state of a request.
    private final class Changes: EventMonitor {
        let seen = Log<String>()
        let isCalledSynchronously = true

        func requestDidSuspend(_ request: Request) { seen.append("suspend") }
        func requestDidResume(_ request: Request) { seen.append("resume") }
    }

    /// A session whose server answers when `release` is raised.
    private static func session(_ release: Signal, _ monitor: Changes) -> Session {
        let transport = ClosureTransport { request in
            _ = try? await eventually { release.isUp }
            return .text("ok", to: request)
        }
        return kept(Session(transport: transport, configuration: .af.ephemeral, eventMonitors: [monitor]))
    }

    @Test("does not suspend its request, and holds the response until it is resumed")
    func held() async throws {
        let (release, monitor) = (Signal(), Changes())
        let request = Self.session(release, monitor).request("http://api.test/")
        let value = request.serializingString()
        try await eventually { request.task?.state == .running }
        let task = try #require(request.task)
        task.suspend()
        #expect(request.isResumed && task.state == .suspended)
        release.raise()
        try await Task.sleep(for: .milliseconds(30))
        #expect(!request.isFinished)
        task.resume()
        #expect(try await value.value == "ok")
        #expect(monitor.seen.values == ["resume"])
    }

    @Test("is resumed with a request that is suspended and resumed")
    func withRequest() async throws {
        let (release, monitor) = (Signal(), Changes())
        let request = Self.session(release, monitor).request("http://api.test/")
        let value = request.serializingString()
        try await eventually { request.task?.state == .running }
        request.task?.suspend()
        request.suspend()
        #expect(request.isSuspended)
        request.resume()
        #expect(request.task?.state == .running)
        release.raise()
        #expect(try await value.value == "ok")
    }

    @Test("may be resumed while its request is suspended")
    func alone() async throws {
        let (release, monitor) = (Signal(), Changes())
        let request = Self.session(release, monitor).request("http://api.test/")
        let value = request.serializingString()
        try await eventually { request.task?.state == .running }
        request.suspend()
        request.task?.resume()
        #expect(request.isSuspended && request.task?.state == .running)
        release.raise()
        #expect(try await value.value == "ok")
    }

    @Test("does not keep its request from being cancelled")
    func cancelled() async throws {
        let (release, monitor) = (Signal(), Changes())
        let request = Self.session(release, monitor).request("http://api.test/")
        let value = request.serializingString()
        try await eventually { request.task?.state == .running }
        request.task?.suspend()
        request.cancel()
        #expect(await value.response.error?.isExplicitlyCancelledError == true)
    }
}
