internal import AirframeTransport
internal import Synchronization

/// One lookup of a name, in its own task.
///
/// A class, because the loop cancels the lookup that it started.
final class NameLookup: Sendable {
    private enum LookupState {
        case new
        case running(Task<Void, Never>)
        case cancelled
    }

    let host: String
    // Guards the task.
    private let state = Mutex(LookupState.new)

    init(host: String) { self.host = host }

    /// Starts the lookup by `resolver`, which reports its answer to `loop`.
    func start(_ resolver: any NameResolver, _ loop: EventLoop) {
        state.withLock { state in
            guard case .new = state else { return }
            state = .running(
                Task {
                    let answer: Result<[String], any Error>
                    do {
                        answer = .success(try await resolver.addresses(of: self.host))
                    } catch {
                        answer = .failure(error)
                    }
                    loop.submit(.nameAnswered(self, answer))
                }
            )
        }
    }

    /// Cancels the task: no transfer waits for the name.
    func cancel() {
        let task = state.withLock { state -> Task<Void, Never>? in
            defer { state = .cancelled }
            if case .running(let task) = state { return task }
            return nil
        }
        task?.cancel()
    }
}
