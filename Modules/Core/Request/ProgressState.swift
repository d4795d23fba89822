internal import Dispatch
internal import Foundation

/// How far a request has come, in bytes.
///
/// `Progress` objects are made only for those who ask: two of them cost more than the rest of a small request's state.
struct ProgressState {
    /// One direction.
    struct Direction {
        var completed: Int64 = 0
        /// -1 while it is not known, as `URLSession` has it.
        var total: Int64 = 0
        var handler: (handler: Request.ProgressHandler, queue: DispatchQueue)?
        var observers: [Request.ProgressHandler] = []
        private var shared: Progress?

        /// The object that users look at.
        mutating func object() -> Progress {
            if let shared { return shared }
            let made = Progress(totalUnitCount: total)
            made.completedUnitCount = completed
            shared = made
            return made
        }

        /// Brings the object up to date and returns what the handler is to be called with.
        mutating func advance(to completed: Int64, of total: Int64) -> (@Sendable () -> Void)? {
            self.completed = completed
            self.total = total
            guard shared != nil || handler != nil || !observers.isEmpty else { return nil }
            let progress = object()
            // The total first, and never back to nothing: `Progress` on Linux divides by it.
            if total != 0 { progress.totalUnitCount = total }
            progress.completedUnitCount = completed
            if handler == nil, observers.isEmpty { return nil }
            let call = ProgressCall(handler: handler, observers: observers, progress: progress)
            return { call() }
        }

        /// Starts over, for another attempt.
        mutating func reset() {
            completed = 0
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

/// Handlers and the progress to call them with.
private struct ProgressCall: Sendable {
    let handler: (handler: Request.ProgressHandler, queue: DispatchQueue)?
    let observers: [Request.ProgressHandler]
    let progress: Progress

    func callAsFunction() {
        handler?.queue.async { handler?.handler(progress) }
        for observe in observers { observe(progress) }
    }
}
