import AirframeCore
import AirframeSerialization
import AirframeTestSupport
import AirframeTransport
import Foundation
import HTTPTypes
import Testing

@Suite("RetryPolicy", .timeLimit(.minutes(1)))
struct RetryPolicyTests {
    private static func session(
        _ policy: any RequestInterceptor,
        clock: StepClock = StepClock(),
        _ answer: @escaping ClosureTransport.Answer
    ) -> (Session, ScriptedTransport) {
        let transport = ScriptedTransport(clock: clock, answer)
        return (Session(transport: transport, interceptor: policy), transport)
    }

    private static func send(
        _ method: AirframeCore.HTTPMethod = .get,
        with policy: any RequestInterceptor = .retryPolicy,
        answer: @escaping ClosureTransport.Answer
    ) async -> (attempts: Int, waits: [Double], response: AFDataResponse<Data>) {
        let clock = StepClock()
        let (session, transport) = session(policy, clock: clock, answer)
        let response = await session.request("http://api.test/", method: method).validate()
            .serializingData(emptyResponseCodes: [200, 204]).response
        return (transport.heads.count, clock.waits, response)
    }

    @Test("the defaults are two retries after half a second and one second")
    func defaults() async {
        let policy = RetryPolicy()
        #expect(policy.retryLimit == 2)
        #expect(policy.exponentialBackoffBase == 2)
        #expect(policy.exponentialBackoffScale == 0.5)
        #expect(policy.retryableHTTPMethods == [.delete, .get, .head, .options, .put, .trace])
        #expect(policy.retryableHTTPStatusCodes == [408, 500, 502, 503, 504])
        #expect(policy.retryableURLErrorCodes.count == 18)
        let (attempts, waits, response) = await Self.send { .status(503, to: $0) }
        #expect(attempts == 3)
        #expect(waits == [0.5, 1])
        #expect(response.error?.responseCode == 503)
    }

    @Test("the delay is the scale times the base to the power of the retries so far")
    func backoff() async {
        let policy = RetryPolicy(retryLimit: 4, exponentialBackoffBase: 3, exponentialBackoffScale: 0.25)
        let (_, waits, _) = await Self.send(with: policy) { .status(500, to: $0) }
        #expect(waits == [0.25, 0.75, 2.25, 6.75])
        #expect(RetryPolicy(exponentialBackoffBase: 0).exponentialBackoffBase == 2)
    }

    @Test(
        "a status is retried if it is in the list",
        arguments: [(200, 1), (400, 1), (401, 1), (404, 1), (408, 3), (429, 1), (500, 3), (501, 1), (502, 3), (504, 3)]
    )
    func statuses(status: Int, attempts: Int) async {
        #expect(await Self.send { .status(status, to: $0) }.attempts == attempts)
    }

    @Test(
        "requests with methods that are not idempotent are sent once (RFC 9110 §9.2.2)",
        arguments: [
            (AirframeCore.HTTPMethod.get, 3), (.head, 3), (.put, 3), (.delete, 3), (.options, 3), (.trace, 3),
            (.post, 1), (.patch, 1), (.connect, 1), (.init(rawValue: "LOCK"), 1),
        ]
    )
    func methods(method: AirframeCore.HTTPMethod, attempts: Int) async {
        #expect(await Self.send(method) { .status(503, to: $0) }.attempts == attempts)
    }

    @Test(
        "a request that is not idempotent is retried only if the server cannot have processed it",
        arguments: [
            (TransportError.Processing.notSent, 3), (.notProcessed, 3), (.unknown, 1),
        ]
    )
    func processing(processing: TransportError.Processing, attempts: Int) async {
        let sent = await Self.send(.post) { _ throws(TransportError) in throw .failure(.connectionLost, processing) }
        #expect(sent.attempts == attempts)
        let idempotent = await Self.send(.put) { _ throws(TransportError) in
            throw .failure(.connectionLost, processing)
        }
        #expect(idempotent.attempts == 3)
    }

    @Test("a POST whose redirect fails to connect is not retried: a server has processed it (RFC 9110 §15.4.4)")
    func redirectedPost() async {
        let sent = await Self.send(.post) { request throws(TransportError) in
            guard request.head.path == "/" else { throw .failure(.connectFailed, .notSent) }
            return .status(303, fields: [.location: "/result"], to: request)
        }
        #expect(sent.attempts == 2)
    }

    @Test(
        "an error is retried if its URLError code is in the list",
        arguments: [
            (TransportError.Code.timedOut, 3), (.connectFailed, 3), (.nameResolutionFailed, 3), (.connectionLost, 3),
            (.networkUnreachable, 3), (.tlsFailed, 3), (.malformedResponse, 1),
            (.unsupportedScheme, 1), (.invalidRequest, 1), (.unsupportedOption, 1), (.bodyNotReplayable, 1),
            (.tooManyRedirects, 1), (.invalidRedirect, 1), (.trustRefused, 1), (.contentDecodingFailed, 1),
            (.cancelled, 1),
        ]
    )
    func errors(code: TransportError.Code, attempts: Int) async {
        let sent = await Self.send { _ throws(TransportError) in throw .failure(code, .notSent) }
        #expect(sent.attempts == attempts)
    }

    @Test("ConnectionLostRetryPolicy retries lost connections, and neither statuses nor other errors")
    func connectionLost() async {
        let lost = await Self.send(with: .connectionLostRetryPolicy) { _ throws(TransportError) in
            throw .failure(.connectionLost, .unknown)
        }
        #expect(lost.attempts == 3)
        let timeout = await Self.send(with: .connectionLostRetryPolicy(retryLimit: 5)) { _ throws(TransportError) in
            throw .failure(.timedOut, .unknown)
        }
        #expect(timeout.attempts == 1)
        #expect(await Self.send(with: .connectionLostRetryPolicy) { .status(503, to: $0) }.attempts == 1)
        let often = await Self.send(with: .connectionLostRetryPolicy(retryLimit: 5)) { _ throws(TransportError) in
            throw .failure(.connectionLost, .unknown)
        }
        #expect(often.attempts == 6)
    }

    @Test("errors of making, adapting and serializing are not retried")
    func otherErrors() async {
        let adapting = Interceptor(
            adapters: [Adapter { _, _, completion in completion(.failure(URLError(.badURL))) }],
            retriers: [RetryPolicy()]
        )
        let sent = await Self.send(with: adapting) { .status(200, to: $0) }
        #expect(sent.attempts == 0)
        #expect(sent.response.error?.isRequestAdaptationError == true)
        let (session, transport) = Self.session(RetryPolicy()) { .status(200, "no number", to: $0) }
        let response = await session.request("http://api.test/").serializingDecodable(Int.self).response
        #expect(response.error?.isResponseSerializationError == true)
        #expect(transport.heads.count == 1)
    }

    @Test("a request that is cancelled during the delay is not retried")
    func cancellation() async {
        let clock = StepClock()
        let transport = ScriptedTransport(clock: clock) { .status(503, to: $0) }
        let cancelling = Retrier { request, _, _, completion in
            request.cancel()
            completion(.retryWithDelay(1000))
        }
        let session = Session(transport: transport, interceptor: Interceptor(retriers: [cancelling]))
        let request = session.request("http://api.test/").validate().retry(using: RetryPolicy())
        let response = await request.serializingData().response
        #expect(response.error != nil)
        #expect(request.isCancelled)
        #expect(transport.heads.count == 1)
        #expect(clock.waits.isEmpty)
    }

    @Test("a subclass may change the decision and keep the backoff")
    func subclass() async {
        // `@unchecked Sendable` as its class is: it is immutable.
        final class Picky: RetryPolicy, @unchecked Sendable {
            override func shouldRetry(request: Request, dueTo error: any Error) -> Bool {
                request.response?.statusCode == 418
            }
        }
        let teapot = await Self.send(.post, with: Picky(retryLimit: 1)) { .status(418, to: $0) }
        #expect(teapot.attempts == 2)
        #expect(teapot.waits == [0.5])
        #expect(await Self.send(with: Picky()) { .status(503, to: $0) }.attempts == 1)
    }

    @Test("each retry is an event with the number of the next attempt")
    func events() async {
        final class Decisions: EventMonitor {
            let queue = DispatchQueue(label: "decisions")
            let attempts = Log<Int>()
            func request(_ request: Request, didReceive event: TransportEvent) {
                guard case .decided(let decision) = event.kind, case .retried(let attempt) = decision.kind else {
                    return
                }
                attempts.append(attempt)
            }
        }
        let monitor = Decisions()
        let transport = ScriptedTransport(clock: StepClock()) { .status(503, to: $0) }
        let session = Session(transport: transport, interceptor: RetryPolicy(), eventMonitors: [monitor])
        _ = await session.request("http://api.test/").validate().serializingData().response
        monitor.queue.sync {}
        #expect(monitor.attempts.values == [2, 3])
    }
}
