public import AirframeCore
public import AirframeHAR
public import AirframeTransport
public import Dispatch
public import Foundation
internal import Synchronization

/// Writes what a session does to an HTTP archive (HAR 1.2), which browsers' tools, proxies and `HARTransport` read.
///
/// ```swift
/// let recorder = try HARRecorder(file: URL(filePath: "session.har"))
/// let session = Session(eventMonitors: [recorder])
/// …
/// try await recorder.close()
/// ```
///
/// Every attempt, redirect, answered challenge and retry is an entry of its own, with all phases, the sizes on the wire
/// and decoded, and the connection; a request that fails or is cancelled is one with the status 0. Secrets are hidden
/// by a policy before they reach the file.
///
/// An entry is in the file as soon as its exchange is over, and the file is a whole archive then: memory does not grow
/// with the session, and a crash loses no finished entry. Of bodies the first bytes are kept, by
/// ``HAR/RecordingOptions``. Not recorded are bodies that go to a file, bodies of responses that a redirect or another
/// attempt took the place of, and bodies that are uploaded from a stream; the archive says so.
///
/// Writing never holds a request up: what waits for a slow disk is in memory meanwhile. When the disk fails, recording
/// ends, and ``close()`` says why.
public final class HARRecorder: EventMonitor {
    private static let page = "page_1"

    private struct State {
        var conversations: [UUID: Conversation] = [:]
        var requests: [ObjectIdentifier: UUID] = [:]
        var isClosed = false
        var failure: HAR.WritingError?
    }

    /// One request, from its first attempt to its end.
    private struct Conversation {
        var sequence: HAR.ExchangeSequence
        var clock: any TransportClock
        /// Held, so that no other gets its identity.
        var task: URLSessionTask?
    }

    /// Where events are taken and written.
    public let queue = DispatchQueue(label: "airframe.har")

    /// What an archive is made of.
    public var monitoredEvents: MonitoredEvents {
        options.webSocketMessageLimit > 0
            ? [.requests, .bodies, .transport, .messages] : [.requests, .bodies, .transport]
    }

    /// What is kept, and what hidden.
    public let options: HAR.RecordingOptions

    private let writer: HAR.Writer
    // Guards the requests that are under way. The file is written without it.
    private let state = Mutex(State())

    /// Makes a recorder and its file; what was there is lost. Only the file's owner can read it.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - redaction: What is a secret.
    ///   - title: What the archive calls the session.
    /// - Throws: ``HAR/WritingError`` when the file cannot be made.
    public convenience init(
        file: URL,
        redaction: RedactionPolicy = .standard,
        title: String = "Airframe"
    ) throws(HAR.WritingError) {
        try self.init(file: file, options: HAR.RecordingOptions(redaction: redaction), title: title)
    }

    /// Makes a recorder and its file; what was there is lost. Only the file's owner can read it.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - options: What to keep, and what to hide.
    ///   - title: What the archive calls the session.
    /// - Throws: ``HAR/WritingError`` when the file cannot be made.
    public init(file: URL, options: HAR.RecordingOptions, title: String = "Airframe") throws(HAR.WritingError) {
        self.options = options
        let page = HAR.Page(startedDateTime: Date(), id: Self.page, title: title)
        writer = try HAR.Writer(file: file, log: HAR.Log(pages: [page]))
    }

    /// The file.
    public var file: URL { writer.file }

    /// Why recording ended early: the file could not be written.
    public var failure: HAR.WritingError? { state.withLock { $0.failure } }

    /// Returns when everything that happened until now is in the file.
    public func flush() async {
        await withUnsafeContinuation { continuation in queue.async { continuation.resume() } }
    }

    /// Writes what is under way as far as it came, and closes the file. What happens later is not recorded.
    ///
    /// - Throws: ``HAR/WritingError`` when not everything could be written.
    public func close() async throws(HAR.WritingError) {
        // On the queue of the events: an event that is being written there must not find the file closed.
        await withUnsafeContinuation { continuation in
            queue.async {
                self.closeFile()
                continuation.resume()
            }
        }
        if let failure { throw failure }
    }

    private func closeFile() {
        let unfinished = state.withLock { state -> [UUID: Conversation] in
            state.isClosed = true
            state.requests = [:]
            defer { state.conversations = [:] }
            return state.conversations
        }
        for var conversation in unfinished.values {
            conversation.sequence.change { $0.remarks.append("the recording ended while the request was under way") }
            write(conversation.sequence.finish(), conversation.clock)
        }
        do throws(HAR.WritingError) {
            try writer.close()
        } catch {
            note(error)
        }
    }

    // MARK: Writing

    private func write(_ record: HAR.ExchangeRecord?, _ clock: any TransportClock) {
        guard let record, failure == nil else { return }
        do throws(HAR.WritingError) {
            try writer.append(record.entry(options, clock: clock, page: Self.page))
        } catch {
            note(error)
        }
    }

    private func note(_ error: HAR.WritingError) {
        state.withLock { $0.failure = $0.failure ?? error }
    }

    /// Changes what is known of a request, and writes the exchange that is over by that.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - isBeginning: Whether it may be new.
    ///   - body: Makes the change, and returns the exchange that is over.
    private func change(
        _ request: Request,
        isBeginning: Bool = false,
        _ body: (inout Conversation) -> HAR.ExchangeRecord?
    ) {
        let clock = request.context.clock
        let record = state.withLock { state -> HAR.ExchangeRecord? in
            // What comes after the end would otherwise be kept for ever.
            guard !state.isClosed, isBeginning || state.conversations[request.id] != nil else { return nil }
            let new = Conversation(sequence: HAR.ExchangeSequence(options), clock: clock)
            return body(&state.conversations[request.id, default: new])
        }
        write(record, clock)
    }
}

// MARK: Events

extension HARRecorder {
    /// Keeps the beginning of what is uploaded.
    public func request(_ request: UploadRequest, didCreateUploadable uploadable: UploadRequest.Uploadable) {
        guard let sample = HAR.BodySample(of: uploadable, limit: options.requestBodyLimit) else { return }
        change(request, isBeginning: true) { conversation in
            conversation.sequence.requestBody = sample
            return nil
        }
    }

    /// Begins an attempt.
    public func request(_ request: Request, didCreateTask task: URLSessionTask) {
        // A retry that a serializer asks for comes after the request has finished: its number is to be had of the
        // request.
        let attempt = (request.tasks.firstIndex { $0 === task } ?? 0) + 1
        state.withLock { state in
            if !state.isClosed { state.requests[ObjectIdentifier(task)] = request.id }
        }
        change(request, isBeginning: true) { conversation in
            conversation.task = task
            conversation.sequence.custom["_request"] = .string(request.id.uuidString)
            conversation.sequence.begin(attempt: attempt)
            if let body = task.originalRequest?.httpBody {
                var sample = HAR.BodySample(limit: options.requestBodyLimit)
                sample.append(body)
                conversation.sequence.requestBody = sample
            }
            return nil
        }
    }

    /// Folds an event into the exchange that is under way; writes the one that it puts an end to.
    public func request(_ request: Request, didReceive event: TransportEvent) {
        change(request) { $0.sequence.receive(event) }
    }

    /// Keeps a message of a WebSocket.
    public func request(_ request: WebSocketRequest, didTransfer traffic: WebSocketTraffic) {
        guard traffic.kind == .text || traffic.kind == .binary else { return }
        change(request) { conversation in
            let message = HAR.ExchangeRecord.WebSocketMessage(
                isSent: traffic.direction == .sent,
                isText: traffic.kind == .text,
                date: conversation.clock.date(at: traffic.instant),
                length: traffic.length,
                content: traffic.content
            )
            conversation.sequence.change { $0.take(message, options) }
            return nil
        }
    }

    /// Keeps the beginning of a response's body.
    public func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        state.withLock { state in
            guard let id = state.requests[ObjectIdentifier(dataTask)] else { return }
            state.conversations[id]?.sequence.take(data)
        }
    }

    /// Writes the last exchange of an attempt.
    public func request(_ request: Request, didCompleteTask task: URLSessionTask, with error: AFError?) {
        state.withLock { $0.requests[ObjectIdentifier(task)] = nil }
        change(request) { conversation in
            conversation.task = nil
            conversation.sequence.change { record in
                guard !record.isReleased, record.failure == nil, let error else { return }
                record.failure = error.transportError ?? error.endOfExchange
            }
            return conversation.sequence.finish()
        }
    }

    /// Forgets a request that is over.
    public func requestDidFinish(_ request: Request) {
        let rest = state.withLock { $0.conversations.removeValue(forKey: request.id) }
        guard var rest else { return }
        write(rest.sequence.finish(), rest.clock)
    }
}

extension AFError {
    /// What ended an exchange that was still under way.
    var endOfExchange: TransportError {
        if isExplicitlyCancelledError { return .cancelled(in: .responseBody, processing: .unknown) }
        return TransportError(.cancelled, phase: .layer, processing: .unknown, message: localizedDescription)
    }
}

extension HAR.BodySample {
    /// The beginning of what is uploaded; `nil` for a stream, which only the exchange may read.
    init?(of uploadable: UploadRequest.Uploadable, limit: Int) {
        switch uploadable {
        case .data(let data):
            self.init(limit: limit)
            append(data)
        case .file(let url, _): self.init(of: FileRegion(path: url.path, length: .max), limit: limit)
        case .body(let body): self.init(of: body, limit: limit)
        case .stream: return nil
        }
    }
}
