import Foundation
import HTTPClient

/// Counts what sessions do: a monitor with URLSession's events.
public final class RequestCounter: EventMonitor, @unchecked Sendable {
    // `@unchecked` because the queue guards the counts.

    /// The counter that services share.
    public static let shared = RequestCounter()

    /// Where events arrive, which guards the counts.
    public let queue = DispatchQueue(label: "people.counter")
    private var tasks = 0
    private var bytes = 0

    /// How many tasks ended, and how many bytes they brought.
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
