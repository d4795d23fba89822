import AirframeCore
import AirframeLogging
import AirframeSerialization
import AirframeTransport
import Foundation
import HTTPTypes
import Logging
import Synchronization

/// Runs requests with secrets in them, and collects all that could show one: the output of every logger, and each value
/// that a request makes, in every way in which a value turns into text.
final class Sweep: Sendable {
    /// The part that all secrets of the tests have.
    static let secret = "s3cret"
    /// What a secret looks like where HTTP codes it (RFC 7617 §2).
    static let coded = [secret, Data("pilot:\(secret)".utf8).base64EncodedString(), "czNjcmV0"]

    let logs = LogCollector()
    let console = LineCollector()
    let commands = LineCollector()
    let session: Session
    private let logger: RequestLogger
    private let consoleLogger: ConsoleLogger
    private let curlLogger: CURLLogger
    private let events = EventCollector()
    private let archive: HARRecorder?
    private let archiveFile = FileManager.default.temporaryDirectory
        .appendingPathComponent("airframe-sweep-\(UUID().uuidString).har")

    init(over transport: any Transport, interceptor: Interceptor? = nil, options: TransportOptions = TransportOptions())
    {
        logger = RequestLogger(logs.logger(.trace), bodies: .upTo(bytes: 10_000))
        consoleLogger = ConsoleLogger(.verbose, style: .plain, to: console.sink)
        curlLogger = CURLLogger(to: commands.sink)
        archive = try? HARRecorder(file: archiveFile)
        let configuration = URLSessionConfiguration.af.default
        configuration.transportOptions = options
        configuration.headers.add(name: "X-Vault-Token", value: Self.secret)
        session = Session(
            composed: transport,
            configuration: configuration,
            interceptor: interceptor,
            eventMonitors: [logger, consoleLogger, curlLogger, events] + (archive.map { [$0] } ?? [])
        )
    }

    deinit { try? FileManager.default.removeItem(at: archiveFile) }

    /// Runs a request to its end.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - hasPlainText: Whether a body has text without names, which archives keep.
    /// - Returns: What shows a secret: the name of the place and the text.
    func leaks(of request: DataRequest, hasPlainText: Bool = false) async -> [String] {
        let response = await request.serializingString(emptyResponseCodes: Set(100...999)).response
        let body = await request.serializingData(emptyResponseCodes: Set(100...999)).response
        await logger.flush()
        await consoleLogger.flush()
        await curlLogger.flush()
        var leaks = Self.leaks("log", logs.entries.map(\.text))
        leaks += Self.leaks("console", console.lines)
        leaks += Self.leaks("cURL", commands.lines + [request.cURLDescription(), request.cURLCommand() ?? ""])
        // The value is what the caller asked for, and no description of it.
        leaks += Self.leaks(in: [("response", response), ("body's response", body)])
        try? await archive?.close()
        let archived = try? String(contentsOf: archiveFile, encoding: .utf8)
        if !hasPlainText { leaks += Self.leaks("archive", [archived ?? "no archive: s3cret"]) }
        var values: [(String, Any?)] = [
            ("request", request), ("request as a text", request.description), ("URL request", request.request),
            ("first URL request", request.firstRequest), ("performed requests", request.performedRequests),
            ("task", request.task), ("tasks", request.tasks), ("response head", request.response),
            ("metrics", request.metrics), ("all metrics", request.allMetrics),
            ("transactions", request.metrics?.transactionMetrics), ("error", request.error),
            ("credential", request.credential), ("interceptor", request.interceptor), ("session", session),
            ("configuration", session.sessionConfiguration),
            ("options", session.sessionConfiguration.transportOptions), ("headers", request.request?.headers),
            ("timeline", response.timeline), ("id", request.id),
        ]
        values += (request.metrics?.transactionMetrics ?? []).flatMap {
            [("transaction's request", $0.request), ("transaction's response", $0.response)] as [(String, Any?)]
        }
        values += Self.errors(beneath: request.error).map { ("error beneath", $0) }
        values += events.all.flatMap { event -> [(String, Any?)] in
            [("event", event), ("kind of event", event.kind)] + Self.payload(of: event)
        }
        return leaks + Self.leaks(in: values)
    }

    /// The errors beneath an error, as far down as they go.
    private static func errors(beneath error: (any Error)?) -> [any Error] {
        guard let error else { return [] }
        var all: [any Error] = [error]
        if let error = error as? AFError {
            all += errors(beneath: error.underlyingError) + errors(beneath: error.transportError)
        }
        if let error = error as? TransportError { all += errors(beneath: error.underlying) }
        if let error = error as? URLError {
            all += errors(beneath: error.userInfo[NSUnderlyingErrorKey] as? any Error)
        }
        return all
    }

    private static func payload(of event: TransportEvent) -> [(String, Any?)] {
        switch event.kind {
        case .decided(let decision): [("decision", decision), ("reason", decision.reason)]
        case .failed(let error): [("event's error", error)]
        case .connectionAcquired(let connection): [("connection", connection)]
        default: []
        }
    }

    private static func leaks(in values: [(String, Any?)]) -> [String] {
        values.flatMap { name, value -> [String] in
            guard let value else { return [] }
            var dumped = ""
            dump(value, to: &dumped)
            let texts = [
                dumped, "\(value)", String(describing: value), String(reflecting: value), "\([value])",
                "\(Optional(value) as Any)",
                (value as? any Error)?.localizedDescription ?? "",
            ]
            return leaks(name, Array(Set(texts)))
        }
    }

    private static func leaks(_ name: String, _ texts: [String]) -> [String] {
        texts.filter { text in coded.contains { text.contains($0) } }.map { "\(name): \($0)" }
    }
}

/// Keeps the events of all requests.
private final class EventCollector: EventMonitor {
    let isToldInPlace = true
    let monitoredEvents = MonitoredEvents.transport
    // Guards the events so far.
    private let collected = Mutex<[TransportEvent]>([])

    var all: [TransportEvent] { collected.withLock { $0 } }

    func request(_ request: Request, didReceive event: TransportEvent) { collected.withLock { $0.append(event) } }
}
