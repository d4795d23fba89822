internal import AirframeCore
internal import AirframeTransport
internal import Foundation

/// The result of a serializer and the time that it took, in seconds.
struct Serialized<Value: Sendable>: Sendable {
    let result: AFResult<Value>
    let duration: TimeInterval

    init(by serialize: () throws -> Value) {
        let start = SystemClock.shared.now
        do {
            result = .success(try serialize())
        } catch {
            let failure = AFError.responseSerializationFailed(reason: .customSerializationFailed(error: error))
            result = .failure(error.asAFError(or: failure))
        }
        // The plain clock in nanoseconds: converting a `Duration` costs as much as serializing a few bytes.
        duration = Double(SystemClock.shared.now.nanoseconds &- start.nanoseconds) / 1e9
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
    /// Serializes for one handler: on the user's queue, or on the current thread without one. A failure goes to the
    /// retriers; other results become the response. Suspends only for a queue or a retrier.
    ///
    /// - Parameters:
    ///   - serialize: A closure that makes the value.
    ///   - respond: A closure that makes the response from the final result, and returns a closure that delivers it.
    @inline(__always)
    func step<Value: Sendable>(
        _ serialize: @escaping @Sendable () throws -> Value,
        respond: @escaping @Sendable (Serialized<Value>) -> @Sendable () -> Void
    ) -> ResponseStep {
        ResponseStep { [self] in
            guard namedSerializationQueue == nil else {
                return .rest { [self] in await settle(await serialized(serialize), respond) }
            }
            let made = Serialized(by: serialize)
            guard case .failure = made.result else { return .over(.deliver(respond(made))) }
            return .rest { [self] in await settle(made, respond) }
        }
    }

    /// Runs `serialize` on the user's queue, or on the current thread without one.
    func serialized<Value: Sendable>(_ serialize: @escaping @Sendable () throws -> Value) async -> Serialized<Value> {
        guard let queue = namedSerializationQueue else { return Serialized(by: serialize) }
        return await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: Serialized(by: serialize)) }
        }
    }

    private func settle<Value: Sendable>(
        _ made: Serialized<Value>,
        _ respond: @Sendable (Serialized<Value>) -> @Sendable () -> Void
    ) async -> ResponseStep.Outcome {
        guard case .failure(let error) = made.result else { return .deliver(respond(made)) }
        switch await retryVerdict(dueTo: error) {
        case .retry(let delay): return .retry(after: delay)
        case .doNotRetry: return .deliver(respond(made))
        case .doNotRetryWithError(let retryError): return .deliver(respond(made.failing(with: retryError)))
        }
    }
}
