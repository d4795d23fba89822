package import Foundation
internal import Synchronization

/// The step of a handler at the end of a request: it serializes the response and returns a call that delivers the
/// result.
///
/// Results are delivered when all handlers have one, so that any handler can request a retry before a result is
/// delivered.
package struct ResponseStep: Sendable {
    /// The result of a step.
    package enum StepResult: Sendable {
        /// The result is ready; the closure delivers it.
        case deliver(@Sendable () -> Void)
        /// The handler requests a retry after a number of seconds.
        case retry(after: TimeInterval?)
    }

    /// The progress of a step without waiting. Most steps complete, and need no asynchronous function.
    package enum Start: Sendable {
        /// The step is complete.
        case over(StepResult)
        /// The rest is asynchronous.
        case rest(@Sendable () async -> StepResult)
    }

    let start: @Sendable () -> Start

    package init(start: @escaping @Sendable () -> Start) { self.start = start }

    /// Runs the step to its end.
    @inline(__always)
    func run() async -> StepResult {
        switch start() {
        case .over(let result): result
        case .rest(let rest): await rest()
        }
    }
}

extension Request {
    /// Adds a handler, which starts the request if the request starts automatically.
    ///
    /// - Parameters:
    ///   - step: The step of the handler.
    ///   - start: The thread on which the request begins to run if this call starts it.
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
