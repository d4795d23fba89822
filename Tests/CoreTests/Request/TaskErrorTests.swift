import AirframeCore
import AirframeSerialization
import AirframeTestSupport
import AirframeTransport
import Foundation
import HTTPTypes
import Testing

@Suite("Errors of tasks, and cancelled tasks", .timeLimit(.minutes(1)))
struct TaskErrorTests {
    /// A synchronous monitor that records the errors of tasks.
    private final class ErrorMonitor: EventMonitor {
        /// The errors of tasks, for the session's monitors.
        let ends = Log<String>()
        /// The same errors, for the request's monitors.
        let completions = Log<String>()
        /// The errors for which tasks failed early.
        let early = Log<AFError>()
        let isCalledSynchronously = true
        let receivesTransportEvents = false

        func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
            ends.append(Self.name(of: error))
        }

        func request(_ request: Request, didCompleteTask task: URLSessionTask, with error: AFError?) {
            guard let error else { return completions.append("none") }
            completions.append(error.isSessionTaskError ? Self.name(of: error.underlyingError) : "\(error)")
        }

        func request(_ request: Request, didFailTask task: URLSessionTask, earlyWithError error: AFError) {
            if error.isServerTrustEvaluationError { early.append(error) }
        }

        private static func name(of error: (any Error)?) -> String {
            guard let error else { return "none" }
            return (error as? URLError).map { "URLError \($0.code.rawValue)" } ?? "\(error)"
        }
    }

    /// A transport whose first exchanges wait for their cancellation.
    private static func hanging(_ count: Int = .max, calls: Counter = Counter()) -> ClosureTransport {
        ClosureTransport { request throws(TransportError) in
            guard calls.next() <= count else { return .text("text", to: request) }
            try? await Task.sleep(for: .seconds(3600))
            throw .cancelled(in: .responseHead, processing: .unknown)
        }
    }

    private static func code(of error: (any Error)?) -> URLError.Code? {
        ((error as? AFError)?.underlyingError as? URLError ?? error as? URLError)?.code
    }

    @Test("a cancelled request fails with explicitlyCancelled, and its task with URLError.cancelled")
    func cancelledRequest() async throws {
        let (monitor, calls) = (ErrorMonitor(), Counter())
        let session = Session(transport: Self.hanging(calls: calls), eventMonitors: [monitor])
        let request = session.request("http://api.test/?token=s3cret")
        let response = request.serializingString()
        try await eventually("the exchange") { calls.value == 1 }
        request.cancel()
        #expect(await response.response.error?.isExplicitlyCancelledError == true)
        #expect(monitor.ends.values == ["URLError -999"])
        #expect(monitor.completions.values == ["URLError -999"])
        let error = try #require(request.task?.error)
        #expect(Self.code(of: error) == .cancelled)
        #expect(!"\(error)".contains("s3cret"))
    }

    @Test("a request that is cancelled before it is sent has a cancelled task if it has one")
    func cancelledBeforeSending() async throws {
        let monitor = ErrorMonitor()
        let session = Session(
            transport: Self.hanging(), startRequestsImmediately: false, requestSetup: .eager, eventMonitors: [monitor])
        let request = session.request("http://api.test/")
        try await eventually("the task") { request.task != nil }
        #expect(await request.cancel().serializingString().response.error?.isExplicitlyCancelledError == true)
        #expect(monitor.ends.values == ["URLError -999"])
        #expect(monitor.completions.values == ["URLError -999"])
    }

    @Test("the transport's error is that of the task")
    func failedExchange() async {
        let monitor = ErrorMonitor()
        let session = Session(
            transport: ClosureTransport { _ throws(TransportError) in throw .failure(.connectionLost, .unknown) },
            eventMonitors: [monitor]
        )
        let request = session.request("http://api.test/")
        let error = await request.serializingString().response.error
        #expect(Self.code(of: error) == .networkConnectionLost)
        #expect(Self.code(of: request.task?.error) == .networkConnectionLost)
        #expect(monitor.ends.values == ["URLError -1005"])
        #expect(monitor.completions.values == ["URLError -1005"])
    }

    @Test("the task of a server that an evaluator rejects is cancelled, and the request has the reason")
    func untrustedServer() async {
        let monitor = ErrorMonitor()
        let session = Session(
            transport: ClosureTransport { _ throws(TransportError) in
                throw TransportError(
                    .trustRefused, phase: .tls, processing: .notSent, message: "the chain was refused",
                    underlying: AFError.ServerTrustFailureReason.noCertificatesFound)
            },
            eventMonitors: [monitor]
        )
        let request = session.request("https://api.test/")
        let error = await request.serializingString().response.error
        #expect(error?.isServerTrustEvaluationError == true)
        #expect(request.error?.isServerTrustEvaluationError == true)
        #expect(Self.code(of: request.task?.error) == .cancelled)
        #expect(!request.isCancelled)
        #expect(monitor.early.values.count == 1)
        #expect(monitor.ends.values == ["URLError -999"])
        #expect(monitor.completions.values == ["URLError -999"])
    }

    @Test("the task of a downloaded file that cannot be moved has no error")
    func failedMove() async {
        let monitor = ErrorMonitor()
        let session = Session(transport: ClosureTransport { .text("text", to: $0) }, eventMonitors: [monitor])
        let target = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        let request = session.download("http://api.test/", to: { _, _ in (target.appendingPathComponent("a"), []) })
        #expect(await request.serializingData().response.error?.isDownloadedFileMoveError == true)
        #expect(request.task?.error == nil)
        #expect(monitor.ends.values == ["none"])
        #expect(monitor.completions.values == ["none"])
    }

    @Test("the task of a response that a stream rejects before its body has no error")
    func rejectedStream() async {
        let monitor = ErrorMonitor()
        let session = Session(
            transport: ClosureTransport { .text("text", status: 404, to: $0) }, eventMonitors: [monitor])
        let request = session.streamRequest("http://api.test/").validate()
        await #expect(throws: AFError.self) { for try await _ in request.bytes() {} }
        #expect(request.error?.responseCode == 404)
        #expect(monitor.completions.values == ["none"])
    }

    @Test("a cancelled task fails its request with URLError.cancelled; the request is not cancelled")
    func cancelledTask() async throws {
        let (monitor, calls) = (ErrorMonitor(), Counter())
        let session = Session(transport: Self.hanging(calls: calls), eventMonitors: [monitor])
        let request = session.request("http://api.test/")
        let response = request.serializingString()
        try await eventually("the exchange") { calls.value == 1 }
        request.task?.cancel()
        let error = await response.response.error
        #expect(error?.isSessionTaskError == true)
        #expect(Self.code(of: error) == .cancelled)
        #expect(!request.isCancelled)
        #expect(monitor.ends.values == ["URLError -999"])
        #expect(monitor.completions.values == ["URLError -999"])
    }

    @Test("retriers are called for a cancelled task, and the next attempt is not cancelled")
    func retriedTask() async throws {
        let calls = Counter()
        let asked = Log<URLError.Code?>()
        let retrier = Retrier { _, _, error, completion in
            asked.append(Self.code(of: error))
            completion(.retryWithDelay(0.001))
        }
        let session = Session(
            transport: Self.hanging(1, calls: calls), interceptor: Interceptor(retriers: [retrier]))
        let request = session.request("http://api.test/")
        let response = request.serializingString()
        try await eventually("the exchange") { calls.value == 1 }
        request.task?.cancel()
        #expect(try await response.value == "text")
        #expect(asked.values == [.cancelled])
        #expect(request.retryCount == 1 && request.error == nil && !request.isCancelled)
        #expect(Self.code(of: request.firstTask?.error) == .cancelled)
        #expect(request.lastTask?.error == nil)
    }

    @Test("a task that is cancelled before the handler of its head has answered does not cancel the request")
    func unansweredHead() async throws {
        let calls = Counter()
        let asked = Log<URLError.Code?>()
        let retrier = Retrier { request, _, error, completion in
            asked.append(Self.code(of: error))
            completion(request.retryCount == 0 ? .retry : .doNotRetry)
        }
        let session = Session(
            transport: ClosureTransport { .text("text", to: $0) }, interceptor: Interceptor(retriers: [retrier]))
        let request = session.request("http://api.test/").onHTTPResponse(on: .global()) { _, completion in
            if calls.next() > 1 { completion(.allow) }
        }
        let response = request.serializingString()
        try await eventually("the head") { calls.value == 1 }
        request.task?.cancel()
        #expect(try await response.value == "text")
        #expect(asked.values == [.cancelled])
        #expect(request.retryCount == 1 && !request.isCancelled)
    }

    @Test("the task that is cancelled while a response interceptor waits has URLError.cancelled")
    func cancelledInterceptor() async throws {
        let (monitor, calls) = (ErrorMonitor(), Counter())
        let session = Session(transport: ClosureTransport { .text("text", to: $0) }, eventMonitors: [monitor])
        let request = session.request("http://api.test/").interceptResponse { response, _ in
            calls.next()
            try await Task.sleep(for: .seconds(3600))
            return response
        }
        let response = request.serializingString()
        try await eventually("the interceptor") { calls.value == 1 }
        request.task?.cancel()
        let error = await response.response.error
        #expect(Self.code(of: error) == .cancelled)
        #expect(!request.isCancelled)
        #expect(monitor.ends.values == ["URLError -999"])
        #expect(monitor.completions.values == ["URLError -999"])
    }

    @Test("the second attempt can be cancelled like the first")
    func cancelledTwice() async throws {
        let calls = Counter()
        let retrier = Retrier { request, _, _, completion in
            completion(request.retryCount == 0 ? .retry : .doNotRetry)
        }
        let session = Session(
            transport: Self.hanging(calls: calls), interceptor: Interceptor(retriers: [retrier]))
        let request = session.request("http://api.test/")
        let response = request.serializingString()
        try await eventually("the first exchange") { calls.value == 1 }
        request.task?.cancel()
        try await eventually("the second exchange") { calls.value == 2 }
        request.cancel()
        #expect(await response.response.error?.isExplicitlyCancelledError == true)
        #expect(request.tasks.map { Self.code(of: $0.error) } == [.cancelled, .cancelled])
    }

    @Test("the cancelled task of a suspended request ends the request")
    func suspendedTask() async throws {
        let session = Session(
            transport: Self.hanging(), startRequestsImmediately: false, requestSetup: .eager)
        let request = session.request("http://api.test/").suspend()
        try await eventually("the task") { request.task?.state == .suspended }
        let response = request.serializingString()
        request.task?.cancel()
        let error = await response.response.error
        #expect(Self.code(of: error) == .cancelled)
        try await eventually("the end") { request.isFinished }
    }

    /// A synchronous monitor that cancels each task at the head of its response.
    private final class CancellingMonitor: EventMonitor {
        let isCalledSynchronously = true
        let receivesTransportEvents = false

        func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse) {
            dataTask.cancel()
        }
    }

    @Test("a task that is cancelled at the head of its response receives no body", arguments: [true, false])
    func cancelledAtHead(hasHandler: Bool) async {
        let session = Session(
            transport: ClosureTransport { .text("text", to: $0) }, eventMonitors: [CancellingMonitor()])
        let request = session.request("http://api.test/")
        if hasHandler { request.onHTTPResponse(on: .global()) { _ in } }
        let response = await request.serializingString().response
        #expect(Self.code(of: response.error) == .cancelled)
        #expect(response.data == nil && response.response?.statusCode == 200)
        #expect(!request.isCancelled)
    }
}
