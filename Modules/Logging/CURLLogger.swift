public import AirframeCore
public import AirframeTransport
public import Logging
internal import Synchronization

/// Writes each request as a call of the program curl that sends the same: to try it in a shell, or to show it to somebody.
///
/// ```swift
/// let session = Session(eventMonitors: [CURLLogger()])
/// // curl -X GET -H 'Authorization: Bearer •••' 'https://api.test/users?token=•••'
/// ```
///
/// A command is written when its `URLRequest` is made; that of a retry only if it is another one. It is one line, unless there
/// are lines in the request's content. Secrets are hidden, and such a command sends no secret: with `RedactionPolicy.none` it is
/// complete, and to be kept to oneself.
public final class CURLLogger: EventMonitor {
    let redaction: RedactionPolicy
    private let output: OutputQueue<String>

    /// Makes a monitor that writes to a sink.
    ///
    /// - Parameters:
    ///   - redaction: What is a secret.
    ///   - sink: Where lines go.
    ///   - capacity: How many lines may wait for the sink before more are dropped.
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

    /// Makes a monitor that writes to swift-log.
    ///
    /// - Parameters:
    ///   - logger: The logger.
    ///   - level: The level of the lines.
    ///   - redaction: What is a secret.
    ///   - capacity: How many lines may wait for the logger's handler before more are dropped.
    public convenience init(
        _ logger: Logger,
        level: Logger.Level = .debug,
        redaction: RedactionPolicy = .standard,
        capacity: Int = 1000
    ) {
        let sink = LineSink { line in logger.log(level: level, "\(line)", source: "AirframeLogging") }
        self.init(redaction: redaction, to: sink, capacity: capacity)
    }

    /// Returns once everything that was written before has gone to the sink.
    public func flush() async { await output.flush() }

    /// `true`: lines are made where things happen, and written elsewhere.
    public var isToldInPlace: Bool { true }
    /// Nothing: each request has a monitor of its own.
    public var monitoredEvents: MonitoredEvents { [] }

    /// A monitor for the request, which remembers its last command.
    public func monitoring(_ request: Request) -> RequestMonitoring { .own(CURLRequest(owner: self)) }

    fileprivate func write(_ line: String) { output.add(line) }
}

/// One request as a ``CURLLogger`` hears of it.
private final class CURLRequest: EventMonitor {
    let isToldInPlace = true
    let monitoredEvents = MonitoredEvents.preparation

    private let owner: CURLLogger
    // Guards the command that was written last.
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
