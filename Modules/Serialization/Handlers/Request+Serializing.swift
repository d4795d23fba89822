internal import AirframeCore
internal import Foundation

/// What a serializer made, and how long it took in seconds.
struct Serialized<Value: Sendable>: Sendable {
    let result: AFResult<Value>
    let duration: TimeInterval

    init(by serialize: () throws -> Value) {
        let start = ContinuousClock.now
        do {
            result = .success(try serialize())
        } catch {
            let failure = AFError.responseSerializationFailed(reason: .customSerializationFailed(error: error))
            result = .failure(error.asAFError(or: failure))
        }
        duration = seconds(since: start)
    }
}

extension Request {
    /// Runs `serialize` on the queue that the user named, or right here.
    func serialized<Value: Sendable>(_ serialize: @escaping @Sendable () throws -> Value) async -> Serialized<Value> {
        guard let queue = namedSerializationQueue else { return Serialized(by: serialize) }
        return await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: Serialized(by: serialize)) }
        }
    }

    /// Asks the retriers about a failure, and otherwise completes the step.
    ///
    /// - Parameters:
    ///   - result: What the serializer made.
    ///   - respond: Makes the response from the final result, and returns a closure that delivers it.
    func settle<Value: Sendable>(
        _ result: AFResult<Value>,
        _ respond: @Sendable (AFResult<Value>) -> @Sendable () -> Void
    ) async -> ResponseStep.Outcome {
        guard case .failure(let error) = result else { return .deliver(respond(result)) }
        switch await retryVerdict(dueTo: error) {
        case .retry(let delay): return .retry(after: delay)
        case .doNotRetry: return .deliver(respond(result))
        case .doNotRetryWithError(let retryError): return .deliver(respond(.failure(retryError)))
        }
    }
}

/// The seconds that have gone by since `start`.
private func seconds(since start: ContinuousClock.Instant) -> TimeInterval {
    let (seconds, attoseconds) = (ContinuousClock.now - start).components
    return Double(seconds) + Double(attoseconds) * 1e-18
}
