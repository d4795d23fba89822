import AirframeCore
import AirframeSerialization
import AirframeTestSupport
import AirframeTransport
import Foundation
import HTTPTypes
import Testing

/// The stage at which a request fails.
private enum Step: String, CaseIterable, Sendable {
    case making, adapting, sending, validating, serializing
}

@Suite("Errors of the pipeline and retriers", .timeLimit(.minutes(1)))
struct PipelineErrorTests {
    private struct Failure: Error {}

    private struct Convertible: URLRequestConvertible {
        let fails: Bool
        func asURLRequest() throws -> URLRequest {
            if fails { throw Failure() }
            return try URLRequest(url: "http://api.test/", method: .get)
        }
    }

    private struct Serializer: DataResponseSerializerProtocol {
        let fails: Bool
        func serialize(request: URLRequest?, response: HTTPURLResponse?, data: Data?, error: (any Error)?) throws -> Int
        {
            if let error { throw error }
            if fails { throw Failure() }
            return 1
        }
    }

    private func fail(
        at step: Step,
        retrier: any RequestRetrier
    ) async -> (response: AFDataResponse<Int>, request: DataRequest) {
        let transport = ScriptedTransport(clock: StepClock()) { request throws(TransportError) in
            if step == .sending { throw .failure(.connectionLost, .unknown) }
            return .status(step == .validating ? 500 : 200, "x", to: request)
        }
        let session = Session(transport: transport)
        let adapter = Adapter { request, _, completion in
            completion(step == .adapting ? .failure(Failure()) : .success(request))
        }
        let request = session.request(
            Convertible(fails: step == .making),
            interceptor: Interceptor(adapters: [adapter], retriers: [retrier])
        )
        let response = await request.validate()
            .serializingResponse(using: Serializer(fails: step == .serializing)).response
        return (response, request)
    }

    private func isOf(_ step: Step, _ error: (any Error)?) -> Bool {
        guard let error = error?.asAFError else { return false }
        switch (step, error) {
        case (.making, .createURLRequestFailed(let cause)): return cause is Failure
        case (.adapting, .requestAdaptationFailed(let cause)): return cause is Failure
        case (.sending, .sessionTaskFailed(let cause)): return (cause as? URLError)?.code == .networkConnectionLost
        case (.validating, .responseValidationFailed(.unacceptableStatusCode(500))): return true
        case (.serializing, .responseSerializationFailed(.customSerializationFailed(let cause))):
            return cause is Failure
        default: return false
        }
    }

    @Test("retriers are called for the failure of each stage, with its error", arguments: Step.allCases)
    private func asked(step: Step) async {
        let errors = Log<any Error>()
        let retrier = Retrier { request, _, error, completion in
            errors.append(error)
            completion(request.retryCount < 1 ? .retry : .doNotRetry)
        }
        let (response, request) = await fail(at: step, retrier: retrier)
        #expect(isOf(step, response.error), "\(String(describing: response.error))")
        #expect(errors.values.allSatisfy { isOf(step, $0) }, "\(errors.values)")
        #expect(request.retryCount == 1)
        // The pipeline calls it after each attempt; a serializer that passes on the failure calls it once more.
        #expect(errors.values.count == (step == .serializing ? 2 : 3))
    }

    @Test("a retrier's own error ends the request, together with the original error", arguments: Step.allCases)
    private func retrierFails(step: Step) async {
        struct Refusal: Error {}
        let asked = Log<any Error>()
        let retrier = Retrier { _, _, error, completion in
            asked.append(error)
            completion(asked.values.count == 1 ? .doNotRetryWithError(Refusal()) : .doNotRetry)
        }
        let (response, request) = await fail(at: step, retrier: retrier)
        guard case .requestRetryFailed(let retryError, let originalError) = response.error else {
            Issue.record("\(String(describing: response.error))")
            return
        }
        #expect(retryError is Refusal)
        #expect(isOf(step, originalError), "\(originalError)")
        #expect(request.retryCount == 0)
    }

    @Test("a retry runs the whole pipeline again and discards the failure", arguments: Step.allCases)
    private func retried(step: Step) async throws {
        let attempts = Counter()
        let clock = StepClock()
        let transport = ScriptedTransport(clock: clock) { request throws(TransportError) in
            let isFirst = attempts.value == 1
            if step == .sending, isFirst { throw .failure(.connectionLost, .unknown) }
            return .status(step == .validating && isFirst ? 500 : 200, "x", to: request)
        }
        struct Flaky: URLRequestConvertible {
            let attempts: Counter
            let fails: Bool
            func asURLRequest() throws -> URLRequest {
                if attempts.next() == 1, fails { throw Failure() }
                return try URLRequest(url: "http://api.test/", method: .get)
            }
        }
        struct FlakySerializer: DataResponseSerializerProtocol {
            let attempts: Counter
            let fails: Bool
            func serialize(
                request: URLRequest?, response: HTTPURLResponse?, data: Data?, error: (any Error)?
            ) throws -> Int {
                if let error { throw error }
                if fails, attempts.value == 1 { throw Failure() }
                return 1
            }
        }
        let adapter = Adapter { request, _, completion in
            completion(step == .adapting && attempts.value == 1 ? .failure(Failure()) : .success(request))
        }
        let interceptor = Interceptor(
            adapters: [adapter],
            retriers: [Retrier { _, _, _, completion in completion(.retryWithDelay(3)) }]
        )
        let session = Session(transport: transport)
        let request = session.request(Flaky(attempts: attempts, fails: step == .making), interceptor: interceptor)
            .validate()
        let value =
            try await request
            .serializingResponse(using: FlakySerializer(attempts: attempts, fails: step == .serializing)).value
        #expect(value == 1)
        #expect(request.retryCount == 1)
        #expect(request.error == nil)
        #expect(clock.waits == [3])
    }

    @Test("the session's interceptor is called before the request's, in adapting and in retrying")
    func order() async {
        let log = Log<String>()
        func interceptor(_ name: String) -> Interceptor {
            Interceptor(
                adaptHandler: { request, _, completion in
                    log.append("adapt \(name)")
                    completion(.success(request))
                },
                retryHandler: { _, _, _, completion in
                    log.append("retry \(name)")
                    completion(.doNotRetry)
                }
            )
        }
        let transport = ScriptedTransport(clock: StepClock()) { .status(500, to: $0) }
        let session = Session(transport: transport, interceptor: interceptor("session"))
        let request = session.request("http://api.test/", interceptor: interceptor("own")).validate()
            .interceptor(interceptor("added"))
        await withCheckedContinuation { continuation in
            request.response(queue: .global()) { _ in continuation.resume() }
        }
        #expect(
            log.values == [
                "adapt session", "adapt own", "adapt added", "retry session", "retry own", "retry added",
            ])
    }

    @Test("all requests of all attempts are recorded, before and after adaptation")
    func requests() async {
        let transport = ScriptedTransport(clock: StepClock()) { .status(500, to: $0) }
        let adapter = Adapter { request, _, completion in
            var request = request
            request.headers.add(name: "X-Adapted", value: "yes")
            completion(.success(request))
        }
        let retrier = Retrier { request, _, _, completion in
            completion(request.retryCount < 1 ? .retry : .doNotRetry)
        }
        let session = Session(transport: transport)
        let request = session.request(
            "http://api.test/",
            interceptor: Interceptor(adapter: adapter, retrier: retrier)
        ).validate()
        _ = await request.serializingData().response
        #expect(request.requests.map { $0.headers["X-Adapted"] } == [nil, "yes", nil, "yes"])
        #expect(request.tasks.count == 2)
    }
}
