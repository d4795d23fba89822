internal import AirframeCore
internal import AirframeTransport
internal import Foundation

/// What a serializer made, and how long it took in seconds.
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
        // By nanoseconds: taking a `Duration` apart costs as much as serializing a little data.
        duration = Double(SystemClock.shared.now.nanoseconds &- start.nanoseconds) / 1e9
    }

    private init(result: AFResult<Value>, duration: TimeInterval) {
        self.result = result
        self.duration = duration
    }

    /// The same with another failure.
    func failing(with error: AFError) -> Serialized {
        Serialized(result: .failure(error), duration: duration)
    }
}

extension Request {
    /// A handler's part: serializes on the queue that the user named or right here, asks the retriers about a failure, and
    /// responds otherwise. It waits only where there is something to wait for.
    ///
    /// - Parameters:
    ///   - serialize: Makes the value.
    ///   - respond: Makes the response from the final result, and returns a closure that delivers it.
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

    /// Runs `serialize` on the queue that the user named, or right here.
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
