public import AirframeCore
public import AirframeTransport
internal import Foundation

/// Writes what requests do for a person who watches: a line a request with a bar of its phases, and more where wanted.
///
/// ```swift
/// let session = Session(eventMonitors: [ConsoleLogger()])
/// // ✔ GET https://api.test/users 200 in 12.3 ms, 4.2 kB
/// //   ░░▒▒▒▓▓▓▓▓▓──────────────────────────█ 12.3 ms: ░ resolve 0.51 ms, ▒ connect 1.20 ms, …
/// ```
///
/// Lines go to standard error unless another sink is given. Colours and Unicode are used where they are understood:
/// see ``ConsoleStyle/automatic(for:environment:)``. Secrets are hidden by a `RedactionPolicy`, control characters are written as
/// escapes, and no request waits for the sink.
public final class ConsoleLogger: EventMonitor {
    /// What is written.
    public struct Detail: OptionSet, Sendable, Hashable {
        /// One bit a kind of line.
        public let rawValue: UInt8

        /// Makes a set of bits.
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// A line for each request that ended.
        public static let requests = Detail(rawValue: 1 << 0)
        /// Where the time went, for each exchange of the request.
        public static let phases = Detail(rawValue: 1 << 1)
        /// Decisions as they are made, and connections: redirects, challenges, retries, waiting for a network.
        public static let decisions = Detail(rawValue: 1 << 2)
        /// The heads of requests and responses.
        public static let heads = Detail(rawValue: 1 << 3)

        /// A line with a bar for each request.
        public static let standard: Detail = [.requests, .phases]
        /// Everything.
        public static let verbose: Detail = [.requests, .phases, .decisions, .heads]
    }

    let detail: Detail
    let style: ConsoleStyle
    let redaction: RedactionPolicy
    private let output: OutputQueue<String>

    /// Makes a monitor for a person.
    ///
    /// - Parameters:
    ///   - detail: What is written.
    ///   - style: Colours and characters; what suits the sink if `nil`.
    ///   - redaction: What is a secret.
    ///   - sink: Where lines go.
    ///   - capacity: How many lines may wait for the sink before more are dropped.
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

    /// Returns once everything that was written before has gone to the sink.
    public func flush() async { await output.flush() }

    /// `true`: lines are made where things happen, and written elsewhere.
    public var isToldInPlace: Bool { true }
    /// Nothing: each request has a monitor of its own.
    public var monitoredEvents: MonitoredEvents { [] }

    /// A monitor for the request, with what is to be remembered of it.
    public func monitoring(_ request: Request) -> RequestMonitoring {
        detail.isEmpty ? .ignored : .own(ConsoleRequest(owner: self))
    }

    func write(_ line: String) { output.add(line) }
}
