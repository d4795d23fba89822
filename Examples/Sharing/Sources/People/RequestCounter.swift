import Foundation
import HTTPClient

/// A monitor that counts the tasks and bytes of sessions.
public final class RequestCounter: EventMonitor, @unchecked Sendable {
    // `@unchecked` because the queue guards the counts.

    /// The counter that services share.
    public static let shared = RequestCounter()

    /// The queue of the monitor's events, which guards the counts.
    public let queue = DispatchQueue(label: "people.counter")
    private var tasks = 0
    private var bytes = 0

    /// The number of completed tasks, and of the bytes that they received.
    public var counts: (tasks: Int, bytes: Int) { queue.sync { (tasks, bytes) } }

    /// Counts a task.
    public func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        tasks += 1
    }

    /// Counts bytes.
    public func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        bytes += data.count
    }
}
