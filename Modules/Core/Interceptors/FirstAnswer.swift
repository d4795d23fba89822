internal import Synchronization

/// The first answer of a callback. Later answers are dropped, and a cancelled task does not wait for one: user code
/// that calls a completion twice, or never, must neither trap nor hang.
final class FirstAnswer<Answer: Sendable>: Sendable {
    private enum State {
        case open
        case awaited(CheckedContinuation<Answer, any Error>)
        case answered(Result<Answer, any Error>)
        case delivered
    }

    // Guards which of answer, cancellation and continuation came first.
    private let state = Mutex(State.open)

    private init() {}

    /// Calls `body` and returns the first answer that it gives, synchronously or later.
    ///
    /// - Throws: The failure that was given, or `CancellationError` if the task is cancelled first.
    static func wait(_ body: (FirstAnswer) -> Void) async throws -> Answer {
        let answer = FirstAnswer()
        body(answer)
        // Most adapters answer before they return.
        if let result = answer.takeAnswer() { return try result.get() }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { answer.deliver(to: $0) }
        } onCancel: {
            answer.give(.failure(CancellationError()))
        }
    }

    func give(_ result: Result<Answer, any Error>) {
        let continuation = state.withLock { state -> CheckedContinuation<Answer, any Error>? in
            switch state {
            case .open:
                state = .answered(result)
                return nil
            case .awaited(let continuation):
                state = .delivered
                return continuation
            case .answered, .delivered: return nil
            }
        }
        continuation?.resume(with: result)
    }

    /// Whether an answer would still be accepted.
    var isOpen: Bool {
        state.withLock { state in
            switch state {
            case .open, .awaited: true
            case .answered, .delivered: false
            }
        }
    }

    private func takeAnswer() -> Result<Answer, any Error>? {
        state.withLock { state in
            guard case .answered(let result) = state else { return nil }
            state = .delivered
            return result
        }
    }

    private func deliver(to continuation: CheckedContinuation<Answer, any Error>) {
        let result = state.withLock { state -> Result<Answer, any Error>? in
            if case .answered(let result) = state {
                state = .delivered
                return result
            }
            state = .awaited(continuation)
            return nil
        }
        if let result { continuation.resume(with: result) }
    }
}
