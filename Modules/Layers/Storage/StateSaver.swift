internal import Synchronization

/// Saves state a short time after it changed, once for all changes in between.
package final class StateSaver: Sendable {
    package let file: LockedFile

    // Whether a save is scheduled. It includes all changes until it begins.
    private let isScheduled = Atomic(false)
    private let delay: Duration
    // Serializes saves, so that an older state does not overwrite a newer one. Held during file input and output.
    private let turn = Mutex(())

    package init(_ file: LockedFile, delay: Duration = .milliseconds(200)) {
        self.file = file
        self.delay = delay
    }

    /// Runs `save` while no other save runs.
    package func alone(_ save: () throws -> Void) throws {
        try turn.withLock { _ in try save() }
    }

    /// Schedules `save` after the delay, unless it is scheduled already. A failed save is retried with the next change.
    package func schedule(_ save: @escaping @Sendable () throws -> Void) {
        guard !isScheduled.exchange(true, ordering: .acquiringAndReleasing) else { return }
        Task.detached(priority: .utility) { [self] in
            try? await Task.sleep(for: delay)
            isScheduled.store(false, ordering: .releasing)
            try? save()
        }
    }
}
