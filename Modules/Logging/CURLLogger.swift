public import AirframeCore
public import AirframeTransport
public import Logging
internal import Synchronization

/// Writes each request as an equivalent curl command, to repeat it in a shell or to share it.
///
/// ```swift
/// let session = Session(eventMonitors: [CURLLogger()])
/// // curl -X GET -H 'Authorization: Bearer •••' 'https://api.test/users?token=•••'
/// ```
///
/// A command is written when its `URLRequest` is created; that of a retry only if it differs. It is one line, unless
/// the request's content has several. Secrets are redacted, so that such a command sends none; with
/// `RedactionPolicy.none` it is complete and must be kept private.
public final class CURLLogger: EventMonitor {
    let redaction: RedactionPolicy
    private let output: OutputQueue<String>

    /// Creates a monitor that writes to a sink.
    ///
    /// - Parameters:
    ///   - redaction: The secrets to redact.
    ///   - sink: The sink for lines.
    ///   - capacity: The maximum number of lines that wait for the sink. More are dropped.
    public init(
        redaction: RedactionPolicy = .standard,
        to sink: LineSink = .standardError,
        capacity: Int = 1000
    ) {
        self.redaction = redaction
        output = OutputQueue(
            label: "airframe.curlLogger",
            capacity: capacity,
            write: { sink($0) },
            noteDropped: { count, _ in sink("# \(count) commands were dropped: the sink is too slow") }
        )
    }

    /// Creates a monitor that writes to swift-log.
    ///
    /// - Parameters:
    ///   - logger: The logger.
    ///   - level: The level of the lines.
    ///   - redaction: The secrets to redact.
    ///   - capacity: The maximum number of lines that wait for the logger's handler. More are dropped.
    public convenience init(
        _ logger: Logger,
        level: Logger.Level = .debug,
        redaction: RedactionPolicy = .standard,
        capacity: Int = 1000
    ) {
        let sink = LineSink { line in logger.log(level: level, "\(line)", source: "AirframeLogging") }
        self.init(redaction: redaction, to: sink, capacity: capacity)
    }

    /// Returns once all earlier lines have been written.
    public func flush() async { await output.flush() }

    /// `true`: lines are created where events happen, and written elsewhere.
    public var isCalledSynchronously: Bool { true }
    /// No events: each request has its own monitor.
    public var monitoredEvents: MonitoredEvents { [] }

    /// Returns a monitor for the request, which stores its last command.
    public func monitoring(_ request: Request) -> RequestMonitoring { .own(CURLRequest(owner: self)) }

    fileprivate func write(_ line: String) { output.add(line) }
}

/// The monitor of one request of a ``CURLLogger``.
private final class CURLRequest: EventMonitor {
    let isCalledSynchronously = true
    let monitoredEvents = MonitoredEvents.preparation

    private let owner: CURLLogger
    // Guards the last written command.
    private let last = Mutex<String?>(nil)

    init(owner: CURLLogger) { self.owner = owner }

    func request(_ request: Request, didCreateURLRequest urlRequest: URLRequest) {
        guard let command = request.cURLCommand(redaction: owner.redaction) else { return }
        let isNew = last.withLock { last in
            defer { last = command }
            return last != command
        }
        if isNew { owner.write(command) }
    }
}
