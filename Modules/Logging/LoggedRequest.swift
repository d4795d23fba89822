internal import AirframeCore
internal import AirframeTransport
internal import Foundation
internal import HTTPTypes
internal import Logging
internal import Synchronization

/// The monitor of one request of a ``RequestLogger``, with the logger of the task that created the request and the
/// state between events.
final class LoggedRequest: EventMonitor {
    /// The kinds of lines to write besides the line of the request.
    struct Detail: OptionSet, Sendable {
        let rawValue: UInt8

        static let phases = Detail(rawValue: 1 << 0)
        static let decisions = Detail(rawValue: 1 << 1)
        static let heads = Detail(rawValue: 1 << 2)
        static let bodies = Detail(rawValue: 1 << 3)
        static let messages = Detail(rawValue: 1 << 4)
    }

    private struct Memory {
        var words = EventWords()
        var responseBody = BodyExcerpt()
        /// The identifier of the task that received `responseBody`.
        var responseTask: Int?
    }

    let isCalledSynchronously = true
    let monitoredEvents: MonitoredEvents

    private let logger: Logger
    /// The metadata that the logger's provider found in the task that created the request.
    private let context: Logger.Metadata
    private let detail: Detail
    private let owner: RequestLogger
    // Guards the state of the exchange. Nothing is called while the lock is held.
    private let memory = Mutex(Memory())

    init(logger: Logger, context: Logger.Metadata, detail: Detail, owner: RequestLogger) {
        self.logger = logger
        self.context = context
        self.detail = detail
        self.owner = owner
        var events: MonitoredEvents = [.ends, .results]
        if !detail.isDisjoint(with: [.phases, .decisions, .heads]) { events.insert(.transport) }
        if detail.contains(.bodies) { events.insert(.bodies) }
        if detail.contains(.messages) { events.insert(.messages) }
        monitoredEvents = events
    }

    func requestDidFinish(_ request: Request) {
        if detail.contains(.bodies) { logBodies(of: request) }
        owner.logEnd(of: request, to: logger, context)
    }

    func request<Value: Sendable>(
        _ request: DataRequest,
        didParseResponse response: DataResponse<Value, AFError>
    ) {
        if let error = response.error { owner.logResult(of: request, error, to: logger, context) }
    }

    func request<Value: Sendable>(
        _ request: DownloadRequest,
        didParseResponse response: DownloadResponse<Value, AFError>
    ) {
        if let error = response.error { owner.logResult(of: request, error, to: logger, context) }
    }

    /// Writes kind and length only, because content may be secret.
    func request(_ request: WebSocketRequest, didTransfer traffic: WebSocketTraffic) {
        guard detail.contains(.messages) else { return }
        let words = "WebSocket: \(traffic)"
        owner.log(
            owner.levels.messages, words, [LogKey.webSocketMessage: .string("\(traffic)")], of: request, to: logger,
            context)
    }

    // MARK: The exchange

    func request(_ request: Request, didReceive event: TransportEvent) {
        switch event.kind {
        case .decided(let decision):
            guard detail.contains(.decisions) else { return }
            let words = decision.words(owner.redaction)
            owner.log(
                owner.levels.decisions, words, [LogKey.decision: .string(words.printable)], of: request, to: logger,
                context)
            return
        case .started(let head): logHead(head, of: request)
        case .responseHead(let head, _), .informationalResponse(let head): logHead(head, of: request)
        case .trailers(let fields): logHead("trailers", LogKey.responseHeader, fields, [:], of: request)
        default: break
        }
        guard detail.contains(.phases), let phase = memory.withLock({ $0.words.phase(event) }) else { return }
        var metadata: Logger.Metadata = [LogKey.phase: .string(phase.name.rawValue)]
        var words = "\(phase.name): \(owner.redaction.sentence(phase.words))"
        if let duration = phase.duration {
            metadata[LogKey.phaseDuration] = .string(duration.millisecondsText)
            words += " (\(duration.durationText))"
        }
        owner.log(owner.levels.phases, words, metadata, of: request, to: logger, context)
    }

    // MARK: Heads

    private func logHead(_ head: HTTPRequest, of request: Request) {
        guard detail.contains(.heads) else { return }
        let url = owner.redaction.url(head.urlText)
        let metadata: Logger.Metadata = [LogKey.method: .string(head.method.rawValue), LogKey.url: .string(url)]
        logHead("> \(head.method.rawValue) \(url)", LogKey.requestHeader, head.headerFields, metadata, of: request)
    }

    private func logHead(_ head: HTTPResponse, of request: Request) {
        let metadata: Logger.Metadata = [LogKey.statusCode: .stringConvertible(head.status.code)]
        logHead("< \(head.status.words)", LogKey.responseHeader, head.headerFields, metadata, of: request)
    }

    private func logHead(
        _ words: String,
        _ key: String,
        _ fields: HTTPFields,
        _ metadata: Logger.Metadata,
        of request: Request
    ) {
        guard detail.contains(.heads) else { return }
        let lines = owner.redaction.redacted(fields).map {
            Logger.MetadataValue.string("\($0.name.rawName): \($0.value)".printable)
        }
        var metadata = metadata
        metadata[key] = .array(lines)
        owner.log(owner.levels.heads, words, metadata, of: request, to: logger, context)
    }

    // MARK: Bodies

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        memory.withLock { memory in
            // Each attempt has its own task.
            if memory.responseTask != dataTask.taskIdentifier {
                memory.responseTask = dataTask.taskIdentifier
                memory.responseBody = BodyExcerpt()
            }
            memory.responseBody.take(data, limit: owner.bodies.limit)
        }
    }

    private func logBodies(of request: Request) {
        if let sent = request.bodyToSend {
            var excerpt = BodyExcerpt()
            excerpt.take(sent, limit: owner.bodies.limit)
            let type = request.lastRequest?.value(forHTTPHeaderField: "Content-Type")
            logBody(excerpt, "request", LogKey.requestBody, mediaType: type, of: request)
        }
        // The last attempt may have received no content.
        let lastTask = request.lastTask?.taskIdentifier
        let excerpt = memory.withLock { $0.responseTask == lastTask ? $0.responseBody : BodyExcerpt() }
        let type = request.response?.value(forHTTPHeaderField: "Content-Type")
        logBody(excerpt, "response", LogKey.responseBody, mediaType: type, of: request)
    }

    private func logBody(
        _ excerpt: BodyExcerpt,
        _ name: String,
        _ key: String,
        mediaType: String?,
        of request: Request
    ) {
        guard excerpt.total > 0 else { return }
        var words = "\(name) content, \(excerpt.total.byteCountText)"
        var metadata: Logger.Metadata = [:]
        if let text = excerpt.text(mediaType: mediaType) {
            metadata[key] = .string(owner.redaction.text(text, mediaType: mediaType).printable)
            if excerpt.isCutOff { words += ", cut off" }
        } else {
            words += ", binary"
        }
        owner.log(owner.levels.bodies, words, metadata, of: request, to: logger, context)
    }
}

extension LoggedRequest.Detail {
    /// Returns the kinds of lines that a logger of `level` writes besides the line of the request.
    init(level: Logger.Level, levels: RequestLogger.Levels, bodies: BodyLogging) {
        self = []
        if level <= levels.phases { insert(.phases) }
        if level <= levels.decisions { insert(.decisions) }
        if level <= levels.heads { insert(.heads) }
        if level <= levels.messages { insert(.messages) }
        if level <= levels.bodies, bodies.limit > 0 { insert(.bodies) }
    }
}

extension Request {
    /// Returns content in memory; streams and files are not read for a log.
    fileprivate var bodyToSend: Data? {
        if case .data(let data)? = (self as? UploadRequest)?.uploadable { return data }
        return lastRequest?.httpBody
    }
}
