package import AirframeTransport
public import Foundation
internal import Synchronization

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

    private struct State {
        var events = MetricsFold()
        /// Set when the attempt has ended: what comes then is not among its metrics.
        var calendar: MetricsCalendar?
    }

    // Guards the fold over the events, which is made where it is read: it is too large to be moved for each request.
    private let state = Mutex(State())

    /// Metrics of an attempt of which nothing was heard yet.
    package init() {}

    /// Takes the next event of the attempt.
    package func receive(_ event: TransportEvent) {
        state.withLock { if $0.calendar == nil { $0.events.receive(event) } }
    }

    /// Ends the attempt.
    ///
    /// - Parameter clock: The clock that the events' instants are on.
    package func finish(clock: any TransportClock) {
        let instant = state.withLock { $0.events.start }
        let calendar = MetricsCalendar(instant: instant, date: clock.date(at: instant))
        state.withLock { $0.calendar = $0.calendar ?? calendar }
    }

    /// The number of redirects that were followed.
    public var redirectCount: Int { state.withLock { $0.events.redirectCount } }

    /// The time from the first event to the last.
    public var taskInterval: DateInterval {
        let (calendar, end) = state.withLock { ($0.calendar, $0.events.end) }
        guard let calendar else { return DateInterval() }
        return DateInterval(start: calendar.date, duration: max(0, calendar.instant.duration(to: end).seconds))
    }

    /// The transactions in order: one for each redirect or answered challenge, and the last one.
    public var transactionMetrics: [URLSessionTaskTransactionMetrics] {
        let (calendar, transactions) = state.withLock { ($0.calendar, $0.events.transactions) }
        guard let calendar else { return [] }
        return transactions.map { URLSessionTaskTransactionMetrics(record: $0, calendar: calendar) }
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
