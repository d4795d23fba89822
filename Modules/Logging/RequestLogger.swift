public import AirframeCore
public import AirframeTransport
internal import Foundation
public import Logging

/// Writes what requests do to swift-log: one line a request, and on lower levels phases, decisions, heads and bodies.
///
/// ```swift
/// let session = Session(eventMonitors: [RequestLogger(Logger(label: "api"))])
/// // info: GET https://api.test/users?token=••• 200 in 12.3 ms, 4.2 kB
/// ```
///
/// - **What is written** depends on the logger's level when the request is made: see ``Levels``. The keys of the metadata are
///   in ``LogKey``.
/// - **Secrets** are hidden by a `RedactionPolicy`.
/// - **Requests never wait** for the logger's handler: it is called on a queue of the logger's own. Lines that come faster than
///   it takes them wait; beyond a number of them they are dropped, and a line says how many were.
///
/// A request that logs nothing costs about as much as asking the logger for its level.
public final class RequestLogger: EventMonitor {
    let levels: Levels
    let bodies: BodyLogging
    let redaction: RedactionPolicy

    private let logger: Logger?
    /// A logger above this level writes the line of no request.
    private let highestLevel: Logger.Level
    private let output: OutputQueue<LogLine>

    /// Makes a monitor that writes to `logger`.
    ///
    /// - Parameters:
    ///   - logger: The logger; without one each request is written to the one that is local to the task that made it
    ///     (`Logger.current`), with the metadata that was collected there.
    ///   - levels: The level of each kind of line.
    ///   - bodies: Whether bodies are written, and how much of them; not unless it says so.
    ///   - redaction: What is a secret.
    ///   - capacity: How many lines may wait for the logger's handler before more are dropped.
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

    /// Returns once everything that was logged before has been handed to the logger's handler.
    public func flush() async { await output.flush() }

    // MARK: Being told

    /// `true`: lines are made where things happen, and written elsewhere.
    public var isToldInPlace: Bool { true }

    /// The end of each request, if there is one logger for all; more where ``monitoring(_:)`` says so.
    public var monitoredEvents: MonitoredEvents { logger == nil ? [] : [.ends, .results] }

    /// Takes the request's logger, and decides by its level what to hear of the request.
    public func monitoring(_ request: Request) -> RequestMonitoring {
        // In the task that makes the request: on any other thread it would be another logger.
        let current = logger ?? .current
        let level = current.logLevel
        guard level <= highestLevel else { return .ignored }
        let detail = LoggedRequest.Detail(level: level, levels: levels, bodies: bodies)
        let provider = current.metadataProvider
        if logger != nil, detail.isEmpty, provider == nil { return .shared }
        // What a provider finds in this task it will not find where the line is written.
        return .own(LoggedRequest(logger: current, context: provider?.get() ?? [:], detail: detail, owner: self))
    }

    /// Writes the line of a request.
    public func requestDidFinish(_ request: Request) {
        guard let logger else { return }
        logEnd(of: request, to: logger, [:])
    }

    /// Writes that a response could not be made into a value.
    public func request<Value: Sendable>(
        _ request: DataRequest,
        didParseResponse response: DataResponse<Value, AFError>
    ) {
        if let logger, let error = response.error { logResult(of: request, error, to: logger, [:]) }
    }

    /// Writes that a download could not be made into a value.
    public func request<Value: Sendable>(
        _ request: DownloadRequest,
        didParseResponse response: DownloadResponse<Value, AFError>
    ) {
        if let logger, let error = response.error { logResult(of: request, error, to: logger, [:]) }
    }

    // MARK: Lines

    func logEnd(of request: Request, to logger: Logger, _ context: Logger.Metadata) {
        let outcome = Outcome(of: request)
        let level = levels[outcome]
        guard level >= logger.logLevel else { return }
        let summary = RequestSummary(of: request, outcome, redaction)
        log(level, summary.message, summary.metadata, of: request, to: logger, context)
    }

    func logResult(of request: Request, _ error: AFError, to logger: Logger, _ context: Logger.Metadata) {
        // What the request failed with is on its line already.
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

/// A line on its way to its logger.
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
