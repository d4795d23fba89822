internal import Synchronization

/// Saves state shortly after it changed, once for all changes in between.
package final class StateSaver: Sendable {
    package let file: LockedFile

    // Whether a save is on its way: changes until it begins are saved with it.
    private let isScheduled = Atomic(false)
    private let delay: Duration
    // Makes saves take turns, so that an older state is not taken in after a newer one. Held while the disk is waited
    // for.
    private let turn = Mutex(())

    package init(_ file: LockedFile, delay: Duration = .milliseconds(200)) {
        self.file = file
        self.delay = delay
    }

    /// Runs `save` when no other save runs.
    package func alone(_ save: () throws -> Void) throws {
        try turn.withLock { _ in try save() }
    }

    /// Calls `save` after the delay, unless a call is on its way. A save that fails is tried again with the next
    /// change.
    package func schedule(_ save: @escaping @Sendable () throws -> Void) {
        guard !isScheduled.exchange(true, ordering: .acquiringAndReleasing) else { return }
        Task.detached(priority: .utility) { [self] in
            try? await Task.sleep(for: delay)
            isScheduled.store(false, ordering: .releasing)
            try? save()
        }
    }
}
