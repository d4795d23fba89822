internal import AirframeTransport
public import Foundation

/// What a task took: its transactions with the instants of their phases.
public final class URLSessionTaskMetrics: Sendable {
    /// Where a response comes from.
    public enum ResourceFetchType: Int, Sendable, Hashable {
        /// Nobody knows: nothing came, or the transport does not say.
        case unknown = 0
        /// The network.
        case networkLoad = 1
        /// A server's push. No transport takes pushes.
        case serverPush = 2
        /// A cache.
        case localCache = 3
    }

    private let events: MetricsFold
    private let calendar: MetricsCalendar

    init(of events: consuming MetricsFold, _ calendar: MetricsCalendar) {
        self.events = events
        self.calendar = calendar
    }

    /// The number of redirects that were followed.
    public var redirectCount: Int { events.redirectCount }

    /// The time from the first event to the last.
    public var taskInterval: DateInterval {
        DateInterval(start: calendar.date, duration: max(0, calendar.instant.duration(to: events.end).seconds))
    }

    /// The transactions in order: one for each redirect or answered challenge, and the last one.
    public var transactionMetrics: [URLSessionTaskTransactionMetrics] {
        events.transactions.map { URLSessionTaskTransactionMetrics(record: $0, calendar: calendar) }
    }
}

extension URLSessionTaskMetrics: CustomStringConvertible, CustomDebugStringConvertible {
    /// Duration, redirects and a line a transaction.
    public var description: String {
        let head = "\(Self.milliseconds(taskInterval.duration)) in all, \(redirectCount) redirects"
        return ([head] + transactionMetrics.map { "    \($0)" }).joined(separator: "\n")
    }

    /// The same as ``description``.
    public var debugDescription: String { description }

    static func milliseconds(_ seconds: TimeInterval) -> String { String(format: "%.3f ms", seconds * 1000) }
}

/// An instant and its date, from which the dates of all other instants follow.
struct MetricsCalendar: Sendable {
    let instant: MonotonicInstant
    let date: Date

    func date(at other: MonotonicInstant) -> Date { date + instant.duration(to: other).seconds }
}
