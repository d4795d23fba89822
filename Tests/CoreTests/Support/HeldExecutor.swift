import Dispatch
import Synchronization

/// A task executor that keeps jobs back while it is held.
final class HeldExecutor: TaskExecutor {
    private struct ExecutorState {
        var isHeld = false
        var jobs: [UnownedJob] = []
    }

    private let queue = DispatchQueue(label: "held")
    private let state = Mutex(ExecutorState())

    func enqueue(_ job: consuming ExecutorJob) {
        let unowned = UnownedJob(job)
        let isHeld = state.withLock { state in
            if state.isHeld { state.jobs.append(unowned) }
            return state.isHeld
        }
        if !isHeld { run(unowned) }
    }

    func hold() { state.withLock { $0.isHeld = true } }

    func release() {
        let jobs = state.withLock { state in
            state.isHeld = false
            defer { state.jobs = [] }
            return state.jobs
        }
        for job in jobs { run(job) }
    }

    private func run(_ job: UnownedJob) { queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) } }
}
