import Airframe
import Foundation
import Synchronization

/// The error of the last exchange of a transfer, for its exit status: the errors of a queue hold its sentence alone.
final class LastExchangeError: EventMonitor {
    // Guards the error; `nil` after an exchange that succeeded.
    private let error = Mutex<AFError?>(nil)

    /// The error; `nil` if the last exchange succeeded.
    var value: AFError? { error.withLock { $0 } }

    var isCalledSynchronously: Bool { true }
    var monitoredEvents: MonitoredEvents { .attempts }

    func request(_ request: Request, didFailTask task: URLSessionTask, earlyWithError error: AFError) {
        self.error.withLock { $0 = error }
    }

    func request(_ request: Request, didCompleteTask task: URLSessionTask, with error: AFError?) {
        // A part that fails cancels the other ones, and a task whose server is not trusted ends as cancelled: the
        // reason has been reported before.
        guard (error?.underlyingError as? URLError)?.code != .cancelled else { return }
        self.error.withLock { $0 = error }
    }
}
