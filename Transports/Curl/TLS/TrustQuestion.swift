internal import AirframeTransport
internal import Synchronization

/// The trust evaluation of one handshake, in its own task.
final class TrustQuestion: Sendable {
    private enum EvaluationState {
        case waiting
        case running(Task<Void, Never>)
        case cancelled
    }

    let evaluation: any TrustEvaluation
    let presentation: ServerPresentation
    let exchange: ExchangeID
    let handshake: UInt64
    private let state = Mutex(EvaluationState.waiting)

    init(
        _ evaluation: any TrustEvaluation,
        _ presentation: ServerPresentation,
        exchange: ExchangeID,
        handshake: UInt64
    ) {
        self.evaluation = evaluation
        self.presentation = presentation
        self.exchange = exchange
        self.handshake = handshake
    }

    /// Starts the evaluation, which reports its answer to the loop.
    func ask(_ loop: EventLoop) {
        state.withLock { state in
            guard case .waiting = state else { return }
            state = .running(
                // The task is created on the loop's thread, which has no task's priority.
                Task(priority: .exchange) {
                    let refusal = await self.evaluate()
                    loop.submit(.trustAnswered(exchange, handshake: handshake, refusal: refusal))
                }
            )
        }
    }

    /// Cancels the evaluation: its exchange has ended.
    func cancel() {
        let task = state.withLock { state -> Task<Void, Never>? in
            defer { state = .cancelled }
            if case .running(let task) = state { return task }
            return nil
        }
        task?.cancel()
    }

    private func evaluate() async -> (any Error)? {
        do {
            try await evaluation.evaluate(presentation)
            return nil
        } catch {
            return error
        }
    }
}
