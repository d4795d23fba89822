internal import Dispatch
internal import Foundation

/// The progress of a request's transfers in bytes.
///
/// `Progress` objects are created when the user first asks for one: a small request would spend more on two of them
/// than on the rest of its state.
struct ProgressState {
    /// The progress in one direction.
    struct Direction {
        var completed: Int64 = 0
        /// -1 while it is unknown, as in `URLSession`.
        var total: Int64 = 0
        var handler: (handler: Request.ProgressHandler, queue: DispatchQueue)?
        var observers: [Request.ProgressHandler] = []
        private var shared: Progress?

        /// Returns the object that users observe.
        mutating func object() -> Progress {
            if let shared { return shared }
            let made = Progress(totalUnitCount: total)
            made.completedUnitCount = completed
            shared = made
            return made
        }

        /// Updates the object. Returns the call of the user's handler, if there is one.
        mutating func advance(to completed: Int64, of total: Int64) -> (@Sendable () -> Void)? {
            self.completed = completed
            self.total = total
            guard shared != nil || handler != nil || !observers.isEmpty else { return nil }
            let progress = object()
            // Set the total first, and never back to zero: `Progress` on Linux divides by it.
            if total != 0 { progress.totalUnitCount = total }
            progress.completedUnitCount = completed
            if handler == nil, observers.isEmpty { return nil }
            let call = ProgressCall(handler: handler, observers: observers, progress: progress)
            return { call() }
        }

        /// Resets the progress for another attempt, to 0 of 0. An object that the user has keeps its total, by
        /// which `Progress` on Linux divides.
        mutating func reset() {
            completed = 0
            total = 0
            shared?.completedUnitCount = 0
        }
    }

    var upload = Direction()
    var download = Direction()

    mutating func reset() {
        upload.reset()
        download.reset()
    }
}

/// The handlers and the progress to call them with.
private struct ProgressCall: Sendable {
    let handler: (handler: Request.ProgressHandler, queue: DispatchQueue)?
    let observers: [Request.ProgressHandler]
    let progress: Progress

    func callAsFunction() {
        handler?.queue.async { handler?.handler(progress) }
        for observe in observers { observe(progress) }
    }
}
