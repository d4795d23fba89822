import AirframeCore
import AirframeSerialization
import AirframeTestSupport
import AirframeTransport
import Dispatch
import Foundation
import HTTPTypes
import Synchronization
import Testing

@Suite("The lifecycle of a request as users and monitors see it", .timeLimit(.minutes(1)))
struct LifecycleTests {
    @Test("a successful request reports its events in a fixed order")
    func orderOfSuccess() async throws {
        let monitor = RecordingMonitor()
        let session = Session(transport: ClosureTransport { .text("text", to: $0) }, eventMonitors: [monitor])
        let request = session.request("http://api.test/").validate()
        #expect(try await request.serializingString().value == "text")
        #expect(
            await monitor.events == [
                "resume", "initial request", "request", "task", "resume task", "head", "data", "task metrics",
                "metrics",
                "task end", "validated", "validated", "complete", "finish", "parsed value",
            ])
    }

    @Test("an upload stream is requested and provided for each attempt, before the response")
    func orderOfStream() async throws {
        let monitor = RecordingMonitor()
        let session = Session(transport: ClosureTransport { .text("text", to: $0) }, eventMonitors: [monitor])
        let request = session.upload(InputStream(data: Data("content".utf8)), to: "http://api.test/")
        #expect(try await request.serializingString().value == "text")
        let events = await monitor.events
        let first = try #require(events.firstIndex(of: "resume task"))
        #expect(events[first...].prefix(4) == ["resume task", "needs stream", "stream", "head"])
        #expect(events.count { $0 == "stream" } == 1)
        #expect(request.task == request.tasks.last)
        #expect(Set(request.tasks).count == 1)
    }

    @Test("a cancellation is reported before the end that it causes, ten times out of ten", arguments: 0..<10)
    func orderOfCancellation(_: Int) async throws {
        let monitor = RecordingMonitor()
        let session = Session(transport: Self.hanging, eventMonitors: [monitor])
        let request = session.request("http://api.test/")
        let task = request.serializingString()
        try await eventually("the task") { request.task != nil }
        try await eventually("the start of the task") { await monitor.events.contains("resume task") }
        request.cancel()
        #expect(await task.response.error?.isExplicitlyCancelledError == true)
        #expect(
            await monitor.events == [
                "resume", "initial request", "request", "task", "resume task", "cancel", "cancel task", "task metrics",
                "metrics", "task end", "complete with error", "finish", "parsed value",
            ])
    }

    @Test("the task of a completed attempt neither cancels nor suspends the next attempt")
    func completedTask() async throws {
        let attempts = Atomic<Int>(0)
        let retrier = Retrier { request, _, _, completion in
            request.task?.cancel()
            request.task?.suspend()
            completion(.retry)
        }
        let session = Session(
            transport: ClosureTransport { request in
                let attempt = attempts.wrappingAdd(1, ordering: .relaxed).newValue
                return .text(status: attempt == 1 ? 503 : 204, to: request)
            },
            interceptor: Interceptor(retriers: [retrier])
        )
        let request = session.request("http://api.test/").validate(statusCode: 200..<300)
        _ = try await request.serializingData().value
        #expect(request.tasks.map(\.state) == [.completed, .completed])
    }

    @Test("a finished request is released even if its tasks are retained")
    func release() async throws {
        let session = Session(transport: ClosureTransport { .text("text", to: $0) })
        var request: DataRequest? = session.request("http://api.test/")
        weak let held = request
        _ = try await request?.serializingString().value
        let task = try #require(request?.task)
        request = nil
        // The pipeline's task may end shortly after the value is delivered.
        try await eventually("the release") { held == nil }
        #expect(task.response?.statusCode == 200)
    }

    @Test("retries are reported, each with its own task and metrics")
    func orderOfRetry() async throws {
        let monitor = RecordingMonitor()
        let attempts = Atomic<Int>(0)
        let session = Session(
            transport: ClosureTransport { request in
                let attempt = attempts.wrappingAdd(1, ordering: .relaxed).newValue
                return .text(status: attempt == 1 ? 503 : 204, to: request)
            },
            interceptor: Interceptor(retriers: [Retrier { _, _, _, completion in completion(.retry) }]),
            eventMonitors: [monitor]
        )
        let request = session.request("http://api.test/").validate(statusCode: 200..<300)
        _ = try await request.serializingData().value
        #expect(request.retryCount == 1)
        #expect(request.allMetrics.count == 2)
        let once = [
            "initial request", "adapted", "request", "task", "resume task", "head", "task metrics", "metrics",
            "task end",
        ]
        let events = await monitor.events
        let end = ["validated", "complete", "finish", "parsed value"]
        #expect(events == ["resume"] + once + ["validated", "complete", "retrying"] + once + end)
    }

    @Test("a redirect is reported with its response and the next request")
    func orderOfRedirect() async throws {
        let monitor = RecordingMonitor()
        let session = Session(
            transport: ClosureTransport { request in
                request.head.path == "/old"
                    ? .text(status: 301, fields: [.location: "/new"], to: request) : .text("new", to: request)
            },
            eventMonitors: [monitor]
        )
        _ = await session.request("http://api.test/old").serializingString().response
        let events = await monitor.events
        #expect(events.filter { $0.hasPrefix("redirect") } == ["redirect 301 to /new"])
    }

    @Test("a download reports the bytes written")
    func orderOfDownload() async throws {
        let monitor = RecordingMonitor()
        let session = Session(transport: ClosureTransport { .text("12345", to: $0) }, eventMonitors: [monitor])
        let url = try await session.download("http://api.test/").serializingDownloadedFileURL().value
        try FileManager.default.removeItem(at: url)
        let events = await monitor.events
        #expect(events.contains("written 5 of 5"))
        #expect(!events.contains("data"))
    }

    @Test("a monitor of one request receives its events only; the session's receives those of all requests")
    func monitorOfOneRequest() async throws {
        let (own, shared) = (RecordingMonitor(), RecordingMonitor())
        let session = Session(transport: ClosureTransport { .text("text", to: $0) }, eventMonitors: [shared])
        _ = await session.request("http://api.test/").eventMonitor(own).serializingString().response
        _ = await session.request("http://api.test/").serializingString().response
        #expect(await own.events.count { $0 == "finish" } == 1)
        #expect(await shared.events.count { $0 == "finish" } == 2)
    }

    @Test("the transport's events reach only monitors that want them")
    func transportEvents() async throws {
        let (wanting, other) = (RecordingMonitor(receivesTransportEvents: true), RecordingMonitor())
        let session = Session(
            transport: ClosureTransport { request in
                request.report(.started(request.head), on: SystemClock.shared)
                return .text(to: request)
            },
            eventMonitors: [wanting, other]
        )
        _ = await session.request("http://api.test/").serializingData().response
        #expect(await wanting.events.contains("transport"))
        #expect(await !other.events.contains("transport"))
    }

    @Test("an untrusted server fails the task early, and the monitor is notified")
    func earlyFailure() async throws {
        let monitor = RecordingMonitor()
        let session = Session(
            transport: ClosureTransport { _ throws(TransportError) in
                throw TransportError(
                    .trustRefused, phase: .tls, processing: .notSent, message: "the chain was refused",
                    underlying: AFError.ServerTrustFailureReason.noCertificatesFound)
            },
            eventMonitors: [monitor]
        )
        let error = await session.request("https://api.test/").serializingData().response.error
        #expect(error?.isServerTrustEvaluationError == true)
        #expect(await monitor.events.contains("early failure"))
    }

    @Test("a request that is cancelled during the delay of a retry ends immediately with explicitlyCancelled")
    func cancelDuringRetryDelay() async throws {
        let transport = StandingTransport()
        let retrier = Retrier { _, _, _, completion in completion(.retryWithDelay(3600)) }
        let session = Session(transport: transport, interceptor: Interceptor(retriers: [retrier]))
        let request = session.request("http://api.test/").validate()
        let task = request.serializingData()
        try await eventually("the delay") { transport.standingClock.isAsleep }
        #expect(request.error?.responseCode == 503)
        request.cancel()
        #expect(await task.response.error?.isExplicitlyCancelledError == true)
        #expect(request.isCancelled)
        #expect(request.tasks.count == 1)
        #expect(request.retryCount == 0)
    }

    @Test("all handlers of a request that is cancelled during the delay of a serializer's retry receive the error")
    func cancelDuringRetryDelayOfSerializer() async throws {
        let transport = StandingTransport()
        let retrier = Retrier { _, _, _, completion in completion(.retryWithDelay(3600)) }
        let session = Session(
            transport: transport, startRequestsImmediately: false, interceptor: Interceptor(retriers: [retrier]))
        let request = session.request("http://api.test/")
        let errors = Log<AFError?>()
        request.response(queue: .global()) { errors.append($0.error) }
        request.responseDecodable(of: Int.self, queue: .global()) { errors.append($0.error) }
        request.resume()
        try await eventually("the delay") { transport.standingClock.isAsleep }
        request.cancel()
        try await eventually("the results") { errors.values.count == 2 }
        #expect(errors.values.allSatisfy { $0?.isExplicitlyCancelledError == true })
    }

    @Test("releasing the session during the delay of a retry ends the request")
    func sessionGoesDuringRetryDelay() async throws {
        let transport = StandingTransport()
        let retrier = Retrier { _, _, _, completion in completion(.retryWithDelay(3600)) }
        var session: Session? = Session(transport: transport, interceptor: Interceptor(retriers: [retrier]))
        let task = session?.request("http://api.test/").validate().serializingData()
        try await eventually("the delay") { transport.standingClock.isAsleep }
        session = nil
        #expect(await task?.response.error?.isSessionDeinitializedError == true)
    }

    /// A transport that fails every request, on a clock that does not advance.
    private final class StandingTransport: Transport {
        final class Clock: TransportClock {
            private let asleep = Atomic(false)

            var isAsleep: Bool { asleep.load(ordering: .acquiring) }
            var now: MonotonicInstant { MonotonicInstant(nanoseconds: 1) }
            func date(at instant: MonotonicInstant) -> Date { Date(timeIntervalSinceReferenceDate: 0) }

            func sleep(until deadline: MonotonicInstant) async throws {
                asleep.store(true, ordering: .releasing)
                try await Task.sleep(for: .seconds(3600))
            }
        }

        let standingClock = Clock()
        let capabilities = TransportCapabilities(engine: "standing", features: TransportFeatures(rawValue: .max))
        var clock: any TransportClock { standingClock }

        func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
            .text(status: 503, to: request)
        }
    }

    @Test("no call changes a cancelled request or its error")
    func afterCancel() async throws {
        let transport = ScriptedTransport { .text("text", to: $0) }
        let session = Session(transport: transport)
        let request = session.request("http://api.test/").cancel().resume().suspend().resume()
        #expect(request.isCancelled)
        #expect(await request.serializingString().response.error?.isExplicitlyCancelledError == true)
        #expect(await request.resume().serializingString().response.error?.isExplicitlyCancelledError == true)
        #expect(request.isCancelled)
        #expect(transport.heads.isEmpty)
    }

    @Test("no call changes a finished request")
    func afterFinish() async throws {
        let session = Session(transport: ClosureTransport { .text("text", to: $0) })
        let request = session.request("http://api.test/")
        _ = await request.serializingString().response
        try await eventually("the end") { request.isFinished }
        request.cancel().suspend().resume()
        #expect(request.isFinished)
        #expect(request.error == nil)
    }

    @Test("the request's shouldAutomaticallyResume precedes the session's setting", arguments: [true, false])
    func startsByItself(session startsImmediately: Bool) async throws {
        let transport = ClosureTransport { .text("text", to: $0) }
        let session = Session(transport: transport, startRequestsImmediately: startsImmediately)
        let waiting = session.request("http://api.test/waiting", shouldAutomaticallyResume: false)
        let task = waiting.serializingString()
        let starting = session.request("http://api.test/starting", shouldAutomaticallyResume: true)
        #expect(try await starting.serializingString().value == "text")
        #expect(waiting.isInitialized)
        waiting.resume()
        #expect(try await task.value == "text")
    }

    @Test("a request that is suspended before it starts is not sent until a handler resumes it")
    func suspendedBeforeStart() async throws {
        let transport = ScriptedTransport { .text("text", to: $0) }
        let session = Session(transport: transport, startRequestsImmediately: false)
        let request = session.request("http://api.test/").suspend()
        let task = request.serializingString()
        #expect(request.isSuspended)
        #expect(transport.heads.isEmpty)
        request.resume()
        #expect(try await task.value == "text")
        let automatic = session.request("http://api.test/", shouldAutomaticallyResume: true).suspend()
        #expect(try await automatic.serializingString().value == "text")
    }

    @Test("a request that is resumed and suspended again is not sent")
    func suspendedAgain() async throws {
        let transport = ScriptedTransport { .text("text", to: $0) }
        let session = Session(transport: transport, startRequestsImmediately: false, requestSetup: .eager)
        let executor = HeldExecutor()
        let request = await Task(executorPreference: executor) { session.request("http://api.test/") }.value
        try await eventually("the task") { request.task != nil }
        await Self.drain(executor)
        // The run waits now, and continues only when its executor is released.
        executor.hold()
        request.resume().suspend()
        executor.release()
        await Self.drain(executor)
        #expect(request.isSuspended)
        #expect(transport.heads.isEmpty)
        let task = request.serializingString()
        request.resume()
        #expect(try await task.value == "text")
    }

    /// Waits until the jobs of `executor`, and some that they lead to, have run.
    private static func drain(_ executor: HeldExecutor) async {
        for _ in 0..<50 { await Task(executorPreference: executor) { await Task.yield() }.value }
    }

    @Test("an eager session makes the request immediately, and sends it when it is resumed")
    func eager() async throws {
        let transport = ScriptedTransport { .text("text", to: $0) }
        let session = Session(transport: transport, startRequestsImmediately: false, requestSetup: .eager)
        let request = session.request("http://api.test/")
        try await eventually("the URL request") { request.request != nil }
        #expect(request.isInitialized)
        #expect(transport.heads.isEmpty)
        let task = request.serializingString()
        request.resume()
        #expect(try await task.value == "text")
    }

    @Test("releasing the session before a request starts ends the request and calls its handlers")
    func sessionGoesFirst() async throws {
        let monitor = RecordingMonitor()
        var session: Session? = Session(
            transport: ClosureTransport { .text("text", to: $0) },
            startRequestsImmediately: false,
            eventMonitors: [monitor]
        )
        let request = try #require(session?.request("http://api.test/"))
        let task = request.serializingString()
        session = nil
        #expect(await task.response.error?.isSessionDeinitializedError == true)
        try await eventually("the end") { request.isFinished }
        #expect(await monitor.events.contains("session invalid"))
    }

    @Test("a request that is never started is released with its session")
    func requestGoes() async throws {
        var session: Session? = Session(
            transport: ClosureTransport { .text("text", to: $0) }, startRequestsImmediately: false)
        weak let request = session?.request("http://api.test/")
        #expect(request != nil)
        session = nil
        try await eventually("the release") { request == nil }
    }

    @Test("withAllRequests and cancelAllRequests cover all requests of a session")
    func allRequests() async throws {
        let session = Session(transport: Self.hanging)
        let tasks = (0..<5).map { session.request("http://api.test/\($0)").serializingData() }
        let count = await withCheckedContinuation { continuation in
            session.withAllRequests { continuation.resume(returning: $0.count) }
        }
        #expect(count == 5)
        await withCheckedContinuation { continuation in
            session.cancelAllRequests(completingOnQueue: .global()) { continuation.resume() }
        }
        for task in tasks { #expect(await task.response.error?.isExplicitlyCancelledError == true) }
    }

    private static let hanging = ClosureTransport { _ throws(TransportError) in
        try? await Task.sleep(for: .seconds(3600))
        throw .cancelled(in: .responseHead, processing: .unknown)
    }
}
