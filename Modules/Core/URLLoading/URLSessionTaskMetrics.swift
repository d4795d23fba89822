public import AirframeTransport
public import Foundation
internal import Synchronization

/// The metrics of a task: its transactions with the times of their phases.
public final class URLSessionTaskMetrics: Sendable {
    /// The source of a response.
    public enum ResourceFetchType: Int, Sendable, Hashable {
        /// Unknown: no response arrived, or the transport does not report it.
        case unknown = 0
        /// The network.
        case networkLoad = 1
        /// A server push. No transport accepts pushes.
        case serverPush = 2
        /// A cache.
        case localCache = 3
    }

    /// The recorder that engine and layers write to while the attempt is under way.
    package let recorder = TimelineRecorder()
    // Guards the calendar, which is set when the attempt has ended.
    private let calendar = Mutex<MetricsCalendar?>(nil)

    /// Creates the metrics of an attempt that has not begun.
    package init() {}

    /// Ends the attempt. Later records are not part of its metrics.
    ///
    /// - Parameter clock: The clock of the timelines' instants.
    package func finish(clock: any TransportClock) {
        let instant = recorder.close()
        calendar.withLock { $0 = $0 ?? MetricsCalendar(instant: instant, date: clock.date(at: instant)) }
    }

    /// The timelines of the attempt's exchanges, in the order in which they began.
    public var timelines: [ExchangeTimeline] { recorder.timelines }

    /// The number of redirects that were followed.
    public var redirectCount: Int { timelines.reduce(0) { $0 + $1.followedRedirects } }

    /// The time from the first event to the last.
    public var taskInterval: DateInterval {
        guard let calendar = calendar.withLock({ $0 }) else { return DateInterval() }
        let end = timelines.map(\.last).max() ?? calendar.instant
        return DateInterval(start: calendar.date, duration: max(0, calendar.instant.duration(to: end).seconds))
    }

    /// The transactions in order: one for each redirect or answered challenge, and the last one.
    public var transactionMetrics: [URLSessionTaskTransactionMetrics] {
        guard let calendar = calendar.withLock({ $0 }) else { return [] }
        return timelines.map { URLSessionTaskTransactionMetrics(timeline: $0, calendar: calendar) }
    }
}

extension ExchangeTimeline {
    fileprivate var followedRedirects: Int {
        decisions.count { if case .followedRedirect = $0.decision.kind { true } else { false } }
    }
}

extension URLSessionTaskMetrics: CustomStringConvertible, CustomDebugStringConvertible {
    /// The duration, the redirects, and a line for each transaction.
    public var description: String {
        let head = "\(Self.milliseconds(taskInterval.duration)) in all, \(redirectCount) redirects"
        return ([head] + transactionMetrics.map { "    \($0)" }).joined(separator: "\n")
    }

    /// The same as ``description``.
    public var debugDescription: String { description }

    static func milliseconds(_ seconds: TimeInterval) -> String { String(format: "%.3f ms", seconds * 1000) }
}

/// An instant and its date, from which the dates of other instants are computed.
struct MetricsCalendar: Sendable {
    let instant: MonotonicInstant
    let date: Date

    func date(at other: MonotonicInstant) -> Date { date + instant.duration(to: other).seconds }
}
