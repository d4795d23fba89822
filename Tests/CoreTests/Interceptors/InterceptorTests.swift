import AirframeCore
import AirframeTransport
import Foundation
import HTTPTypes
import Synchronization
import Testing

@Suite("Interceptors", .timeLimit(.minutes(1)))
struct InterceptorTests {
    private let session = Session(
        transport: ClosureTransport { _ throws(TransportError) in throw .cancelled(in: .pool, processing: .notSent) })
    private let initial = URLRequest(url: URL(filePath: "/"))

    private var state: RequestAdapterState { RequestAdapterState(requestID: UUID(), session: session) }

    /// An adapter that appends its name to a field.
    private func adapter(_ name: String) -> Adapter {
        Adapter { urlRequest, _, completion in
            var adapted = urlRequest
            adapted.addValue(name, forHTTPHeaderField: "Trace")
            completion(.success(adapted))
        }
    }

    @Test("adapt in order, each the result of the previous one")
    func order() async throws {
        let interceptor = Interceptor(adapters: [adapter("a"), adapter("b")], interceptors: [adapter("c")])
        let adapted = try await interceptor.adapted(initial, using: state)
        #expect(adapted.headers["Trace"] == "a,b,c")
    }

    @Test("stop at the first adapter that fails")
    func failingAdapter() async {
        let failing = Adapter { $2(.failure(Refusal())) }
        let late = Adapter { _, _, _ in Issue.record("asked after a failure") }
        await #expect(throws: Refusal.self) {
            try await Interceptor(adapters: [failing, late]).adapted(initial, using: state)
        }
    }

    @Test("ask retriers until one answers other than doNotRetry")
    func retriers() async {
        let no = Retrier { $3(.doNotRetry) }
        let yes = Retrier { $3(.retryWithDelay(2)) }
        let never = Retrier { _, _, _, _ in Issue.record("asked after a decision") }
        let request = session.request("http://h.test/")
        let interceptor = Interceptor(retriers: [no, yes, never])
        let result = await interceptor.retryResult(for: request, in: session, dueTo: Refusal())
        guard case .retryWithDelay(2) = result else {
            Issue.record("\(result)")
            return
        }
        let none = await Interceptor().retryResult(for: request, in: session, dueTo: Refusal())
        guard case .doNotRetry = none else {
            Issue.record("\(none)")
            return
        }
    }

    @Test("fail a question to the session with the retrier's error and the original one")
    func retryResult() async {
        let failing = Retrier { _, _, _, completion in completion(.doNotRetryWithError(Refusal())) }
        let request = session.request("http://h.test/", interceptor: Interceptor(retriers: [failing]))
        let result = await withCheckedContinuation { continuation in
            session.retryResult(for: request, dueTo: .explicitlyCancelled) { continuation.resume(returning: $0) }
        }
        guard case .doNotRetryWithError(let error) = result,
            case .requestRetryFailed(let retryError, let original) = error as? AFError
        else {
            Issue.record("\(result)")
            return
        }
        #expect(retryError is Refusal && original.asAFError?.isExplicitlyCancelledError == true)
    }

    @Test("count only the first answer of an adapter that answers twice")
    func twice() async throws {
        let twice = Adapter { urlRequest, _, completion in
            completion(.success(urlRequest))
            completion(.failure(Refusal()))
            DispatchQueue.global().async { completion(.failure(Refusal())) }
        }
        #expect(try await twice.adapted(initial, using: state) == initial)
    }

    @Test("do not block a cancelled task if an adapter never answers")
    func silence() async {
        let silent = Adapter { _, _, _ in }
        let (state, initial) = (state, initial)
        let task = Task { try await silent.adapted(initial, using: state) }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test("call a callback adapter on the user's queue")
    func queue() async throws {
        let queue = DispatchQueue(label: "test")
        let key = DispatchSpecificKey<Bool>()
        queue.setSpecific(key: key, value: true)
        let adapter = Adapter { urlRequest, _, completion in
            #expect(DispatchQueue.getSpecific(key: key) == true)
            completion(.success(urlRequest))
        }
        _ = try await adapter.adapted(initial, using: state, on: queue)
    }

    @Test("may be asynchronous, alone and combined with others")
    func asynchronous() async throws {
        let interceptor = AsyncStamp()
        let adapted = try await interceptor.adapted(initial, using: state)
        #expect(adapted.headers["Trace"] == "async")
        let mixed = Interceptor(adapters: [adapter("a"), interceptor, adapter("b")], retriers: [interceptor])
        #expect(try await mixed.adapted(initial, using: state).headers["Trace"] == "a,async,b")
        let request = session.request("http://h.test/")
        let result = await mixed.retryResult(for: request, in: session, dueTo: Refusal())
        guard case .retry = result else {
            Issue.record("\(result)")
            return
        }
    }

    @Test("neither change nor retry requests by default")
    func empty() async throws {
        let request = session.request("http://h.test/")
        for interceptor: any RequestInterceptor in [Nothing(), AsyncNothing()] {
            #expect(try await interceptor.adapted(initial, using: state) == initial)
            let result = await interceptor.retryResult(for: request, in: session, dueTo: Refusal())
            guard case .doNotRetry = result else {
                Issue.record("\(result)")
                continue
            }
        }
    }

    @Test("have static shorthands")
    func shorthands() {
        let adapter: any RequestAdapter = .adapter { $2(.success($0)) }
        let retrier: any RequestRetrier = .retrier { $3(.doNotRetry) }
        let interceptor: any RequestInterceptor = .interceptor(adapter: adapter, retrier: retrier)
        #expect((interceptor as? Interceptor)?.adapters.count == 1)
        let rows: any RequestInterceptor = .interceptor(adapters: [adapter], retriers: [retrier])
        #expect((rows as? Interceptor)?.retriers.count == 1)
    }

    @Test("notify monitors on their own queues, and of the transport's events only on request")
    func monitors() async {
        let wanting = ClosureEventMonitor(queue: DispatchQueue(label: "wanting"))
        let plain = ClosureEventMonitor(queue: DispatchQueue(label: "plain"))
        let seen = Seen()
        wanting.requestDidReceiveTransportEvent = { _, _ in seen.note("event") }
        wanting.requestDidFinish = { _ in seen.note("wanting finish") }
        plain.requestDidFinish = { _ in seen.note("plain finish") }
        let composite = CompositeEventMonitor(monitors: [wanting, plain])
        #expect(composite.receivesTransportEvents)
        #expect(!CompositeEventMonitor(monitors: [plain]).receivesTransportEvents)
        #expect(CompositeEventMonitor(monitors: []).isEmpty)

        let request = session.request("http://h.test/")
        let event = TransportEvent(.requestFinished, of: ExchangeIdentifier(), at: .init(nanoseconds: 0))
        composite.request(request, didReceive: event)
        composite.requestDidFinish(request)
        for monitor in composite.monitors {
            await withCheckedContinuation { done in monitor.queue.async { done.resume() } }
        }
        #expect(seen.names.sorted() == ["event", "plain finish", "wanting finish"])
    }
}

private struct Refusal: Error {}

private struct Nothing: RequestInterceptor {}

private struct AsyncNothing: AsyncRequestInterceptor {}

private struct AsyncStamp: AsyncRequestInterceptor {
    func adapt(_ urlRequest: URLRequest, using state: RequestAdapterState) async throws -> URLRequest {
        await Task.yield()
        var adapted = urlRequest
        adapted.addValue("async", forHTTPHeaderField: "Trace")
        return adapted
    }

    func retry(_ request: Request, for session: Session, dueTo error: any Error) async -> RetryResult { .retry }
}

private final class Seen: Sendable {
    private let noted = Mutex<[String]>([])

    func note(_ name: String) { noted.withLock { $0.append(name) } }

    var names: [String] { noted.withLock { $0 } }
}
