internal import Synchronization

/// The first answer that a callback gives; later ones are dropped.
///
/// A task that waits for one resumes when it is cancelled, too: a completion that user code calls twice must not trap,
/// and one that it never calls must not hang the request.
package final class FirstAnswer<Answer: Sendable>: Sendable {
    private enum AnswerState {
        case open
        case awaited(CheckedContinuation<Answer, any Error>)
        case answered(Result<Answer, any Error>)
        case delivered
    }

    // Orders the answer, the cancellation and the continuation.
    private let state = Mutex(AnswerState.open)

    private init() {}

    /// Runs `body` immediately and returns the first answer that it gives, before it returns or later.
    ///
    /// - Parameters:
    ///   - body: Starts the work and passes the answer on.
    ///   - onCancel: Called when the task is cancelled, after `body`. The answer counts no longer then.
    /// - Throws: The failure that was given, or `CancellationError` if the task is cancelled first.
    package static func wait(
        _ body: (FirstAnswer) -> Void,
        onCancel: @Sendable (FirstAnswer) -> Void = { _ in }
    ) async throws -> Answer {
        let answer = FirstAnswer()
        body(answer)
        // Most adapters answer before they return. Then the task need not suspend.
        if let result = answer.takeAnswer() { return try result.get() }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { answer.deliver(to: $0) }
        } onCancel: {
            answer.give(.failure(CancellationError()))
            onCancel(answer)
        }
    }

    /// Resumes the waiting task with `result`, unless an answer was given before.
    package func give(_ result: Result<Answer, any Error>) {
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

    /// Whether an answer would still count.
    package var isOpen: Bool {
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
