public import AirframeCore
public import AirframeTransport
internal import Foundation
public import Logging

/// Logs requests to swift-log: one line for each request, and at lower levels phases, decisions, heads and bodies.
///
/// ```swift
/// let session = Session(eventMonitors: [RequestLogger(Logger(label: "api"))])
/// // info: GET https://api.test/users?token=••• 200 in 12.3 ms, 4.2 kB
/// ```
///
/// - **Lines** depend on the logger's level when the request is created: see ``Levels``. The keys of the metadata are
///   in ``LogKey``.
/// - **Secrets** are redacted by a `RedactionPolicy`.
/// - **Requests never wait** for the logger's handler, which is called on its own queue. A bounded number of
///   lines waits for a slow handler. More are dropped, and a line reports their number.
///
/// A request that logs nothing costs 640 instructions more than one without the logger (`bench-logging`).
public final class RequestLogger: EventMonitor {
    let levels: Levels
    let bodies: BodyLogging
    let redaction: RedactionPolicy

    private let logger: Logger?
    /// Above this level no request's line is written.
    private let highestLevel: Logger.Level
    private let output: OutputQueue<LogLine>

    /// Creates a monitor that writes to `logger`.
    ///
    /// - Parameters:
    ///   - logger: The logger; without one each request uses the logger of the task that created it
    ///     (`Logger.current`), with its metadata.
    ///   - levels: The level of each kind of line.
    ///   - bodies: Whether bodies are written, and up to which length; off by default.
    ///   - redaction: The secrets to redact.
    ///   - capacity: The maximum number of lines that wait for the logger's handler. More are dropped.
    public init(
        _ logger: Logger? = nil,
        levels: Levels = Levels(),
        bodies: BodyLogging = .none,
        redaction: RedactionPolicy = .standard,
        capacity: Int = 1000
    ) {
        self.logger = logger
        self.levels = levels
        highestLevel = levels.highestOfRequests
        self.bodies = bodies
        self.redaction = redaction
        output = OutputQueue(
            label: "airframe.requestLogger",
            capacity: capacity,
            write: { $0.write() },
            noteDropped: { count, last in last.writeDropped(count) }
        )
    }

    /// Returns once all earlier lines have been passed to the logger's handler.
    public func flush() async { await output.flush() }

    // MARK: EventMonitor

    /// `true`: lines are created where events happen, and written elsewhere.
    public var isCalledSynchronously: Bool { true }

    /// The end of each request if one logger serves all; ``monitoring(_:)`` selects more.
    public var monitoredEvents: MonitoredEvents { logger == nil ? [] : [.ends, .results] }

    /// Takes the request's logger, and selects the request's events by its level.
    public func monitoring(_ request: Request) -> RequestMonitoring {
        // This runs in the task that creates the request: any other thread would have another logger.
        let current = logger ?? .current
        let level = current.logLevel
        guard level <= highestLevel else { return .ignored }
        let detail = LoggedRequest.Detail(level: level, levels: levels, bodies: bodies)
        let provider = current.metadataProvider
        if logger != nil, detail.isEmpty, provider == nil { return .shared }
        // The provider would not find this task's metadata where the line is written.
        return .own(LoggedRequest(logger: current, context: provider?.get() ?? [:], detail: detail, owner: self))
    }

    /// Writes the line of a request.
    public func requestDidFinish(_ request: Request) {
        guard let logger else { return }
        logEnd(of: request, to: logger, [:])
    }

    /// Writes that a response could not be serialized.
    public func request<Value: Sendable>(
        _ request: DataRequest,
        didParseResponse response: DataResponse<Value, AFError>
    ) {
        if let logger, let error = response.error { logResult(of: request, error, to: logger, [:]) }
    }

    /// Writes that a download could not be serialized.
    public func request<Value: Sendable>(
        _ request: DownloadRequest,
        didParseResponse response: DownloadResponse<Value, AFError>
    ) {
        if let logger, let error = response.error { logResult(of: request, error, to: logger, [:]) }
    }

    // MARK: Lines

    func logEnd(of request: Request, to logger: Logger, _ context: Logger.Metadata) {
        let outcome = RequestOutcome(of: request)
        let level = levels[outcome]
        guard level >= logger.logLevel else { return }
        let summary = RequestSummary(of: request, outcome, redaction)
        log(level, summary.message, summary.metadata, of: request, to: logger, context)
    }

    func logResult(of request: Request, _ error: AFError, to logger: Logger, _ context: Logger.Metadata) {
        // The request's line already has its error.
        guard request.error == nil, levels.failure >= logger.logLevel else { return }
        let summary = RequestSummary(of: request, .failed(error), redaction)
        log(levels.failure, summary.message, summary.metadata, of: request, to: logger, context)
    }

    func log(
        _ level: Logger.Level,
        _ message: String,
        _ metadata: Logger.Metadata,
        of request: Request,
        to logger: Logger,
        _ context: Logger.Metadata
    ) {
        var metadata = context.isEmpty ? metadata : metadata.merging(context) { own, _ in own }
        metadata[LogKey.requestID] = .string(request.id.uuidString)
        output.add(LogLine(logger: logger, level: level, message: message.printable, metadata: metadata))
    }
}

/// A line and its logger.
struct LogLine: Sendable {
    let logger: Logger
    let level: Logger.Level
    let message: String
    let metadata: Logger.Metadata

    private static let source = "AirframeLogging"

    func write() {
        logger.log(level: level, "\(message)", metadata: metadata, source: Self.source)
    }

    func writeDropped(_ count: Int) {
        logger.warning("\(count) lines about requests were dropped: the log handler is too slow", source: Self.source)
    }
}
