package import Foundation
internal import Synchronization

/// What a handler does with a finished request: it serializes, and hands over a call that delivers the result.
///
/// Results are delivered when all handlers have theirs, so that a handler that asks for a retry is heard before any
/// result goes out.
package struct ResponseStep: Sendable {
    /// What became of a step.
    package enum Outcome: Sendable {
        /// The result is ready; the closure delivers it.
        case deliver(@Sendable () -> Void)
        /// The request is to be tried again, after a number of seconds.
        case retry(after: TimeInterval?)
    }

    /// How far a step comes without waiting: most come to their end, and need no asynchronous function.
    package enum Start: Sendable {
        /// It is over.
        case over(Outcome)
        /// The rest has to be waited for.
        case rest(@Sendable () async -> Outcome)
    }

    let start: @Sendable () -> Start

    package init(start: @escaping @Sendable () -> Start) { self.start = start }

    /// Runs the step to its end.
    @inline(__always)
    func run() async -> Outcome {
        switch start() {
        case .over(let outcome): outcome
        case .rest(let rest): await rest()
        }
    }
}

extension Request {
    /// Adds a handler. It starts the request if the request starts by itself.
    ///
    /// - Parameters:
    ///   - step: What the handler does.
    ///   - start: Where the request begins to run if this starts it.
    package func append(_ step: ResponseStep, _ start: PipelineStart) {
        let (effects, mayResume) = mutable.withLock { state in
            state.responseSteps.append(step)
            let effects = state.lifecycle.addHandler()
            return (effects, state.state.canTransitionTo(.resumed))
        }
        if let entry = effects.begins { run(from: entry, .detached) }
        let startsByItself = shouldAutomaticallyResume ?? context.startRequestsImmediately
        if mayResume, startsByItself { _ = resume(start) }
    }
}
