internal import AirframeCore
internal import AirframeTransport
internal import Dispatch
internal import Foundation

/// The result of a serializer and the time that it took, in seconds.
struct Serialized<Value: Sendable>: Sendable {
    let result: AFResult<Value>
    let duration: TimeInterval

    init(by serialize: () throws -> Value) {
        let start = SystemClock.shared.now
        do {
            self.init(.success(try serialize()), since: start)
        } catch {
            self.init(error, since: start)
        }
    }

    /// The result of a serializer that started at `start`.
    init(_ result: AFResult<Value>, since start: MonotonicInstant) {
        // Nanoseconds, because dividing a `Duration` takes 180 instructions more.
        self.init(result: result, duration: Double(SystemClock.shared.now.nanoseconds &- start.nanoseconds) / 1e9)
    }

    /// The failure of a serializer that started at `start`.
    init(_ error: any Error, since start: MonotonicInstant) {
        let failure = AFError.responseSerializationFailed(reason: .customSerializationFailed(error: error))
        self.init(.failure(error.asAFError(or: failure)), since: start)
    }

    /// The value that no serializer makes: `value`, or the request's error.
    init(raw value: Value, error: AFError?) {
        self.init(result: error.map(Result.failure) ?? .success(value), duration: 0)
    }

    private init(result: AFResult<Value>, duration: TimeInterval) {
        self.result = result
        self.duration = duration
    }

    /// Returns the same result with another failure type.
    func failing(with error: AFError) -> Serialized {
        Serialized(result: .failure(error), duration: duration)
    }
}

extension Request {
    /// Runs `serialize` on the user's queue, or on the current thread without one.
    func serialized<Value: Sendable>(_ serialize: @escaping @Sendable () throws -> Value) async -> Serialized<Value> {
        guard let queue = namedSerializationQueue else { return Serialized(by: serialize) }
        return await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: Serialized(by: serialize)) }
        }
    }
}

extension Request {
    /// Returns a closure that takes a response and returns one that calls `handler` with it on `queue`.
    func delivery<Response: Sendable>(
        on queue: DispatchQueue,
        to handler: @escaping @Sendable (Response) -> Void
    ) -> @Sendable (consuming Response) -> @Sendable () -> Void {
        { [self] (response: consuming Response) in
            let response = response
            return { self.deliver(on: queue) { handler(response) } }
        }
    }
}

/// The step of one handler that a serializer makes the value for: on the user's queue, or on the current thread without
/// one. The monitors receive each result. A failure goes to the retriers; other results become the response. Suspends
/// only for a queue or a retrier.
protocol HandlerStep: Sendable {
    associatedtype Subject: Request
    associatedtype Parts: Sendable
    associatedtype Value: Sendable
    associatedtype Response: Sendable

    /// The request of the handler.
    var request: Subject { get }

    /// The parts of the response, read once for the serializer and the response.
    var parts: Parts { get }

    /// Creates the value.
    func serialize(_ parts: Parts) throws -> Value

    /// Creates the response from a result.
    func response(_ parts: consuming Parts, _ made: consuming Serialized<Value>) -> Response

    /// Reports a response to the monitors.
    func report(_ response: Response)

    /// Takes the response, and returns a closure that delivers it.
    var prepare: @Sendable (consuming Response) -> @Sendable () -> Void { get }
}

extension HandlerStep {
    /// The step to add to the request.
    @inline(__always)
    var responseStep: ResponseStep {
        ResponseStep {
            if let queue = request.namedSerializationQueue {
                return .rest {
                    let (parts, made) = await withCheckedContinuation { continuation in
                        queue.async { continuation.resume(returning: serialized()) }
                    }
                    return await settle(parts, made)
                }
            }
            let parts = parts
            let made = made(of: parts)
            guard case .failure = made.result else { return .over(.deliver(respond(consume parts, consume made))) }
            return .rest { await settle(parts, made) }
        }
    }

    // Inlined, because a call copies the result four times.
    @inline(__always)
    private func respond(_ parts: consuming Parts, _ made: consuming Serialized<Value>) -> @Sendable () -> Void {
        let response = self.response(consume parts, consume made)
        report(response)
        return prepare(consume response)
    }

    private func serialized() -> (Parts, Serialized<Value>) {
        let parts = parts
        return (parts, made(of: parts))
    }

    // Inlined and without a closure, so that the parts stay values in registers.
    @inline(__always)
    private func made(of parts: Parts) -> Serialized<Value> {
        let start = SystemClock.shared.now
        do {
            return Serialized(.success(try serialize(parts)), since: start)
        } catch {
            return Serialized(error, since: start)
        }
    }

    private func settle(_ parts: Parts, _ made: Serialized<Value>) async -> ResponseStep.StepResult {
        guard case .failure(let error) = made.result else { return .deliver(respond(parts, made)) }
        // As in Alamofire, monitors receive every result of a serializer, and not the decision of the retriers.
        report(response(parts, made))
        switch await request.retryVerdict(dueTo: error) {
        case .retry(let delay): return .retry(after: delay)
        case .doNotRetry: return .deliver(prepare(response(parts, made)))
        case .doNotRetryWithError(let retryError):
            return .deliver(prepare(response(parts, made.failing(with: retryError))))
        }
    }
}
