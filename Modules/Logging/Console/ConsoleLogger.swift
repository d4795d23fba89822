public import AirframeCore
public import AirframeTransport
internal import Foundation

/// Writes the course of requests for a person: a line for each request, a bar of its phases, and optionally more.
///
/// ```swift
/// let session = Session(eventMonitors: [ConsoleLogger()])
/// // ✔ GET https://api.test/users 200 in 12.3 ms, 4.2 kB
/// //   ░░▒▒▒▓▓▓▓▓▓──────────────────────────█ 12.3 ms: ░ resolve 0.51 ms, ▒ connect 1.20 ms, …
/// ```
///
/// Lines go to standard error unless another sink is given. Colours and Unicode are used if the sink supports them:
/// see ``ConsoleStyle/automatic(for:environment:)``. Secrets are redacted by a `RedactionPolicy`, control characters
/// are escaped, and no request waits for the sink.
public final class ConsoleLogger: EventMonitor {
    /// The kinds of lines to write.
    public struct Detail: OptionSet, Sendable, Hashable {
        /// One bit for each kind of line.
        public let rawValue: UInt8

        /// Creates a set from its bits.
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// A line for each completed request.
        public static let requests = Detail(rawValue: 1 << 0)
        /// The duration of the phases, for each exchange of the request.
        public static let phases = Detail(rawValue: 1 << 1)
        /// Decisions and connections: redirects, challenges, retries, waiting for a network.
        public static let decisions = Detail(rawValue: 1 << 2)
        /// The heads of requests and responses.
        public static let heads = Detail(rawValue: 1 << 3)

        /// A line with a bar for each request.
        public static let standard: Detail = [.requests, .phases]
        /// All kinds.
        public static let verbose: Detail = [.requests, .phases, .decisions, .heads]
    }

    let detail: Detail
    let style: ConsoleStyle
    let redaction: RedactionPolicy
    private let output: OutputQueue<String>

    /// Creates a monitor.
    ///
    /// - Parameters:
    ///   - detail: The kinds of lines to write.
    ///   - style: Colours and characters; `nil` for the style that suits the sink.
    ///   - redaction: The secrets to redact.
    ///   - sink: The sink for lines.
    ///   - capacity: The maximum number of lines that wait for the sink. More are dropped.
    public init(
        _ detail: Detail = .standard,
        style: ConsoleStyle? = nil,
        redaction: RedactionPolicy = .standard,
        to sink: LineSink = .standardError,
        capacity: Int = 10_000
    ) {
        self.detail = detail
        self.style = style ?? .automatic(for: sink)
        self.redaction = redaction
        output = OutputQueue(
            label: "airframe.consoleLogger",
            capacity: capacity,
            write: { sink($0) },
            noteDropped: { count, _ in sink("(\(count) lines were dropped: the sink is too slow)") }
        )
    }

    /// Returns once all earlier lines have been written.
    public func flush() async { await output.flush() }

    /// `true`: lines are created where events happen, and written elsewhere.
    public var isCalledSynchronously: Bool { true }
    /// No events: each request has its own monitor.
    public var monitoredEvents: MonitoredEvents { [] }

    /// Returns a monitor for the request, with its state.
    public func monitoring(_ request: Request) -> RequestMonitoring {
        detail.isEmpty ? .ignored : .own(ConsoleRequest(owner: self))
    }

    func write(_ line: String) { output.add(line) }
}
