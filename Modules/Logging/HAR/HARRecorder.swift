public import AirframeCore
public import AirframeHAR
public import AirframeTransport
public import Dispatch
public import Foundation
internal import Synchronization

/// Records a session as an HTTP archive (HAR 1.2), which browsers' tools, proxies and `HARTransport` read.
///
/// ```swift
/// let recorder = try HARRecorder(file: URL(filePath: "session.har"))
/// let session = Session(eventMonitors: [recorder])
/// …
/// try await recorder.close()
/// ```
///
/// Every attempt, redirect, answered challenge and retry is an entry, with all phases, the sizes on the wire and
/// decoded, and the connection. A request that fails or is cancelled has an entry with status 0. A policy redacts
/// secrets before they reach the file.
///
/// An entry is written when its exchange ends, and the file is a complete archive at that time. Memory does not grow
/// with the session, and a crash loses no completed entry. Bodies are recorded up to the limits of
/// ``HAR/RecordingOptions``. Bodies that go to a file, bodies of responses that a redirect or another attempt
/// replaced, and bodies that are uploaded from a stream are not recorded; the archive says so.
///
/// No request waits for the file: entries for a slow disk are queued in memory. If the disk fails, recording ends, and
/// ``close()`` throws the error.
public final class HARRecorder: EventMonitor {
    private static let page = "page_1"

    private struct RecorderState {
        var conversations: [UUID: Conversation] = [:]
        var requests: [ObjectIdentifier: UUID] = [:]
        var isClosed = false
        var failure: HAR.WritingError?
    }

    /// One request, from its first attempt to its end.
    private struct Conversation {
        var sequence: HAR.ExchangeSequence
        var clock: any TransportClock
        /// A strong reference, so that no other request gets the same identity.
        var task: URLSessionTask?
    }

    /// The queue on which events are processed and written.
    public let queue = DispatchQueue(label: "airframe.har")

    /// The sources of an entry.
    public var monitoredEvents: MonitoredEvents {
        options.webSocketMessageLimit > 0
            ? [.requests, .bodies, .transport, .messages] : [.requests, .bodies, .transport]
    }

    /// The limits and the redaction.
    public let options: HAR.RecordingOptions

    private let writer: HAR.Writer
    // Guards the open requests. The file is written without this lock.
    private let state = Mutex(RecorderState())

    /// Creates a recorder and its file, readable by its owner only. An existing file is replaced.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - redaction: The secrets to redact.
    ///   - title: The name of the session in the archive.
    /// - Throws: ``HAR/WritingError`` if the file cannot be created.
    public convenience init(
        file: URL,
        redaction: RedactionPolicy = .standard,
        title: String = "Airframe"
    ) throws(HAR.WritingError) {
        try self.init(file: file, options: HAR.RecordingOptions(redaction: redaction), title: title)
    }

    /// Creates a recorder and its file, readable by its owner only. An existing file is replaced.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - options: The limits and the redaction.
    ///   - title: The name of the session in the archive.
    /// - Throws: ``HAR/WritingError`` if the file cannot be created.
    public init(file: URL, options: HAR.RecordingOptions, title: String = "Airframe") throws(HAR.WritingError) {
        self.options = options
        let page = HAR.Page(startedDateTime: Date(), id: Self.page, title: title)
        writer = try HAR.Writer(file: file, log: HAR.Log(pages: [page]))
    }

    /// The file.
    public var file: URL { writer.file }

    /// The error that ended the recording early; `nil` without one.
    public var failure: HAR.WritingError? { state.withLock { $0.failure } }

    /// Returns once all earlier events are in the file.
    public func flush() async {
        await withUnsafeContinuation { continuation in queue.async { continuation.resume() } }
    }

    /// Writes the open exchanges as they are, and closes the file. Later events are not recorded.
    ///
    /// - Throws: ``HAR/WritingError`` if an entry could not be written.
    public func close() async throws(HAR.WritingError) {
        // Runs on the queue of the events, so that no event is being written while the file is closed.
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
            for var record in conversation.sequence.finishAll() {
                record.remarks.append("the recording ended while the request was under way")
                write(record, conversation.clock)
            }
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

    /// Changes the record of a request, and writes the exchange that ends with the change.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - isBeginning: Whether the request may be new.
    ///   - body: Applies the change, and returns the exchange that ended.
    private func change(
        _ request: Request,
        isBeginning: Bool = false,
        _ body: (inout Conversation) -> HAR.ExchangeRecord?
    ) {
        let clock = request.context.clock
        let record = state.withLock { state -> HAR.ExchangeRecord? in
            // An event after the end would keep the request forever.
            guard !state.isClosed, isBeginning || state.conversations[request.id] != nil else { return nil }
            let new = Conversation(sequence: HAR.ExchangeSequence(options), clock: clock)
            return body(&state.conversations[request.id, default: new])
        }
        write(record, clock)
    }
}

// MARK: Events

extension HARRecorder {
    /// Records the beginning of the upload.
    public func request(_ request: UploadRequest, didCreateUploadable uploadable: UploadRequest.Uploadable) {
        guard let sample = HAR.BodySample(of: uploadable, limit: options.requestBodyLimit) else { return }
        change(request, isBeginning: true) { conversation in
            conversation.sequence.requestBody = sample
            return nil
        }
    }

    /// Begins an attempt.
    public func request(_ request: Request, didCreateTask task: URLSessionTask) {
        // A retry for a serializer comes after the request has finished, so its number is read from the request.
        let attempt = (request.tasks.firstIndex { $0 === task } ?? 0) + 1
        state.withLock { state in
            if !state.isClosed { state.requests[ObjectIdentifier(task)] = request.id }
        }
        change(request, isBeginning: true) { conversation in
            conversation.task = task
            conversation.sequence.custom["_request"] = .string(request.id.uuidString)
            conversation.sequence.begin(attempt: attempt)
            if let sample = HAR.BodySample(of: task, in: request, limit: options.requestBodyLimit) {
                conversation.sequence.requestBody = sample
            }
            return nil
        }
    }

    /// Adds an event to the current exchange, and writes the exchange that ends with it.
    public func request(_ request: Request, didReceive event: TransportEvent) {
        change(request) { $0.sequence.receive(event) }
    }

    /// Records a message of a WebSocket.
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

    /// Records the beginning of a response's body.
    ///
    /// - Parameters:
    ///   - session: The handle of the session.
    ///   - dataTask: The task.
    ///   - data: A chunk of the body.
    public func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        state.withLock { state in
            guard let id = state.requests[ObjectIdentifier(dataTask)] else { return }
            state.conversations[id]?.sequence.take(data)
        }
    }

    /// Writes the last exchange of an attempt.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - task: The task of the attempt.
    ///   - error: The error of the attempt; `nil` if it succeeded.
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

    /// Removes a request that has ended.
    public func requestDidFinish(_ request: Request) {
        let rest = state.withLock { $0.conversations.removeValue(forKey: request.id) }
        guard var rest else { return }
        for var record in rest.sequence.finishAll() {
            if record.timeline.ended == nil { record.remarks.append("the request ended before the exchange") }
            write(record, rest.clock)
        }
    }
}

extension AFError {
    /// Returns the error that ended an open exchange.
    var endOfExchange: TransportError {
        if isExplicitlyCancelledError { return .cancelled(in: .responseBody, processing: .unknown) }
        return TransportError(.cancelled, phase: .layer, processing: .unknown, message: localizedDescription)
    }
}

extension HAR.BodySample {
    /// The beginning of the content of a task's `URLRequest`, if it is in memory.
    init?(of task: URLSessionTask, in request: Request, limit: Int) {
        guard let original = task.originalRequest, let body = original.httpBody else { return nil }
        self.init(limit: limit)
        append(body)
        isUntyped = request.assumesForm(original)
    }

    /// The beginning of the upload; `nil` for a stream, which only the exchange may read. A body that the session
    /// wrapped in a stream is recorded if it is in memory or in a file.
    init?(of uploadable: UploadRequest.Uploadable, limit: Int) {
        switch uploadable {
        case .data(let data):
            self.init(limit: limit)
            append(data)
        case .file(let url, _): self.init(of: FileRegion(path: url.path, length: .max), limit: limit)
        case .stream(let stream):
            guard let wrapper = stream as? BodyInputStream else { return nil }
            self.init(of: wrapper.body, limit: limit)
        }
    }
}
