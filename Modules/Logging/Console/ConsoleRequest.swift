internal import AirframeCore
internal import AirframeTransport
internal import Foundation
internal import HTTPTypes

/// The monitor of one request of a ``ConsoleLogger``.
final class ConsoleRequest: EventMonitor {
    let isCalledSynchronously = true
    let monitoredEvents: MonitoredEvents

    private let owner: ConsoleLogger

    init(owner: ConsoleLogger) {
        self.owner = owner
        var events: MonitoredEvents = [.ends]
        if owner.detail.contains(.decisions) { events.formUnion([.attempts, .transport]) }
        if owner.detail.contains(.heads) { events.insert(.transport) }
        monitoredEvents = events
    }

    private var style: ConsoleStyle { owner.style }

    // MARK: Progress

    func request(_ request: Request, didReceive event: TransportEvent) {
        switch event.kind {
        case .decided(let decision): write(decision)
        case .started(let head): write(head)
        case .connectionAcquired(let connection): write(connection)
        case .informationalResponse(let head), .responseHead(let head, _): write(head)
        case .trailers(let fields): write(fields, "<", .dim)
        default: break
        }
    }

    func request(_ request: Request, didCompleteTask task: URLSessionTask, with error: AFError?) {
        if let error, !error.isCancellation { note(error.logSentence(owner.redaction)) }
    }

    /// The task of a server that is not trusted ends as cancelled, so that its end has no reason.
    func request(_ request: Request, didFailTask task: URLSessionTask, earlyWithError error: AFError) {
        note(error.logSentence(owner.redaction))
    }

    func requestIsRetrying(_ request: Request) { note("trying again") }

    private func write(_ decision: TransportDecision) {
        guard owner.detail.contains(.decisions) else { return }
        switch decision.kind {
        case .retried: break  // noted by `requestIsRetrying(_:)`
        case .waitsForConnectivity, .connectivityReturned: note(decision.reason)
        default: note(decision.words(owner.redaction))
        }
    }

    private func write(_ connection: TransportConnection) {
        guard owner.detail.contains(.decisions) else { return }
        let address = connection.remoteAddress.map { " to \($0)" } ?? ""
        let tls = connection.tls.map { ", \($0.version)" } ?? ""
        let kind = connection.isReused ? "kept" : "new"
        note("\(kind) connection\(address), \(connection.versionAndStream)\(tls)")
    }

    private func note(_ words: String) { owner.write(style.paint("* \(words.printable)", .dim)) }

    // MARK: Heads

    private func write(_ head: HTTPRequest) {
        guard owner.detail.contains(.heads) else { return }
        let url = owner.redaction.url(head.urlText)
        owner.write(style.paint("> \(head.method.rawValue) \(url)".printable, .bold))
        write(head.headerFields, ">", .cyan)
    }

    private func write(_ head: HTTPResponse) {
        guard owner.detail.contains(.heads) else { return }
        owner.write(style.paint("< \(head.status.words)".printable, .bold))
        write(head.headerFields, "<", .blue)
    }

    private func write(_ fields: HTTPFields, _ mark: String, _ colour: ConsoleStyle.Colour) {
        guard owner.detail.contains(.heads) else { return }
        for field in owner.redaction.redacted(fields) {
            let name = style.paint(field.name.rawName, colour)
            owner.write("\(mark) \(name): \(field.value.printable)")
        }
    }

    // MARK: Completion

    func requestDidFinish(_ request: Request) {
        let outcome = RequestOutcome(of: request)
        if owner.detail.contains(.requests) {
            let summary = RequestSummary(of: request, outcome, owner.redaction).message.printable
            let (mark, ascii, colour) = outcome.look
            owner.write("\(style.paint(style.usesUnicode ? mark : ascii, colour)) \(summary)")
        }
        guard owner.detail.contains(.phases) else { return }
        let transactions = request.allMetrics.flatMap(\.transactionMetrics)
        for transaction in transactions {
            // With several exchanges, each line names its own.
            let subject = transactions.count > 1 ? words(for: transaction).printable : ""
            for line in PhaseBar(transaction).lines(style, subject: subject) { owner.write("  \(line)") }
        }
    }

    private func words(for transaction: URLSessionTaskTransactionMetrics) -> String {
        let status = transaction.response.map { "\($0.statusCode) " } ?? ""
        let url = (transaction.request?.url?.absoluteString).map(owner.redaction.url) ?? "no request"
        return " (\(status)\(url))"
    }
}

extension RequestOutcome {
    /// Returns the mark of the outcome in Unicode and ASCII, and its colour.
    fileprivate var look: (mark: String, ascii: String, colour: ConsoleStyle.Colour) {
        switch self {
        case .succeeded: ("✔", "+", .green)
        case .rejected: ("✘", "!", .yellow)
        case .failed: ("✘", "!", .red)
        case .cancelled: ("◌", "-", .dim)
        }
    }
}
