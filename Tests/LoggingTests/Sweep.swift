import AirframeCore
import AirframeLogging
import AirframeMetrics
import AirframeSerialization
import AirframeTracing
import AirframeTransport
import Foundation
import HTTPTypes
import InMemoryTracing
import Logging
import MetricsTestKit
import Synchronization
import Tracing

/// Runs requests with secrets in them, and collects all that could show one: the output of every logger, and each value
/// that a request makes, in every way in which a value turns into text.
final class Sweep: Sendable {
    /// The part that all secrets of a run have.
    @TaskLocal static var secret = "s3cret"

    /// The secret as HTTP and archives encode it (RFC 7617 §2): in Base64 at any offset.
    private let coded: [String]
    let logs = LogCollector()
    let console = LineCollector()
    let commands = LineCollector()
    let session: Session
    private let logger: RequestLogger
    private let consoleLogger: ConsoleLogger
    private let curlLogger: CURLLogger
    private let events = EventCollector()
    private let notifications = NotificationCollector()
    private let metrics = TestMetrics()
    private let tracer = InMemoryTracer()
    private let archive: HARRecorder?
    private let archiveFile = FileManager.default.temporaryDirectory
        .appendingPathComponent("airframe-sweep-\(UUID().uuidString).har")

    init(over transport: any Transport, interceptor: Interceptor? = nil, options: TransportOptions = TransportOptions())
    {
        let secret = Self.secret
        let offsets = ["", "a", "ab", "pilot:"].map { Data(($0 + secret).utf8).base64EncodedString() }
        // Without the characters that depend on what is around the secret.
        coded = [secret] + offsets.map { String($0.dropFirst(4).prefix(while: { $0 != "=" }).dropLast(2)) }
        logger = RequestLogger(logs.logger(.trace), bodies: .upTo(bytes: 10_000))
        consoleLogger = ConsoleLogger(.verbose, style: .plain, to: console.sink)
        curlLogger = CURLLogger(to: commands.sink)
        archive = try? HARRecorder(file: archiveFile)
        let configuration = URLSessionConfiguration.af.default
        configuration.transportOptions = options
        configuration.headers.add(name: "X-Vault-Token", value: secret)
        session = Session(
            composed: transport,
            configuration: configuration,
            interceptor: interceptor,
            eventMonitors: [
                logger, consoleLogger, curlLogger, events, MetricsMonitor(factory: metrics),
                TracingMonitor(tracer: tracer), AlamofireNotifications(),
            ] + (archive.map { [$0] } ?? [])
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
        var leaks = self.leaks("log", logs.entries.map(\.text))
        leaks += self.leaks("console", console.lines)
        leaks += self.leaks("cURL", commands.lines + [request.cURLDescription(), request.cURLCommand() ?? ""])
        // The value is what the caller asked for, and no description of it.
        leaks += self.leaks(in: [("response", response), ("body's response", body)])
        try? await archive?.close()
        let archived = try? String(contentsOf: archiveFile, encoding: .utf8)
        if !hasPlainText { leaks += self.leaks("archive", [archived ?? "no archive: \(Self.secret)"]) }
        // Notifications are posted on the main queue.
        await MainActor.run {}
        leaks += self.leaks("labels of metrics", series)
        leaks += self.leaks(
            in: tracer.finishedSpans.flatMap { span -> [(String, Any?)] in
                [("span", span), ("span's name", span.operationName), ("span's attributes", span.attributes)]
                    + span.errors.map { ("span's error", $0.error) } + span.events.map { ("span's event", $0) }
            })
        leaks += self.leaks(
            in: notifications.of(request).flatMap { notification -> [(String, Any?)] in
                [("notification", notification), ("user information", notification.userInfo)]
                    + (notification.userInfo ?? [:]).map { ("user information of \($0.key)", $0.value) }
            })
        var values: [(String, Any?)] = [
            ("request", request), ("request as a string", request.description), ("URL request", request.request),
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
        return leaks + self.leaks(in: values)
    }

    /// The names and labels of all series of metrics.
    private var series: [String] {
        let all =
            metrics.counters.map { ($0.label, $0.dimensions) } + metrics.timers.map { ($0.label, $0.dimensions) }
            + metrics.recorders.map { ($0.label, $0.dimensions) } + metrics.meters.map { ($0.label, $0.dimensions) }
        return all.map { "\($0) \($1)" }
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

    private func leaks(in values: [(String, Any?)]) -> [String] {
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

    private func leaks(_ name: String, _ texts: [String]) -> [String] {
        texts.filter { text in coded.contains { text.contains($0) } }.map { "\(name): \($0)" }
    }
}

/// Keeps the events of all requests.
private final class EventCollector: EventMonitor {
    let isCalledSynchronously = true
    let monitoredEvents = MonitoredEvents.transport
    // Guards the events so far.
    private let collected = Mutex<[TransportEvent]>([])

    var all: [TransportEvent] { collected.withLock { $0 } }

    func request(_ request: Request, didReceive event: TransportEvent) { collected.withLock { $0.append(event) } }
}
