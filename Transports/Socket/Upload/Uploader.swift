internal import AirframeTransport
internal import AirframeWire
internal import FoundationEssentials
internal import Synchronization

/// Sends a request's content in a task of its own, while the exchange's task reads the response, which may arrive
/// early.
///
/// The uploader stores its progress, and wakes the exchange's task if the progress affects it.
final class Uploader: Sendable {
    /// The progress of the upload.
    enum UploadProgress: Sendable {
        case underway
        /// The upload is complete since this instant.
        case finished(at: Int64)
        /// The source failed, or a limit ran out. The exchange fails.
        case failed(TransportError)
        /// The connection broke. A response that the server sent before takes precedence.
        case lost(Int32)
    }

    private struct UploadState {
        var progress = UploadProgress.underway
        var task: ThrowingTask?
        var isCancelled = false
    }

    private let sender: UploadSender
    private let stream: any MessageStream
    private let hasLimits: Bool
    private let go: Expectation?
    // Guards the progress, and the task.
    private let state = Mutex(UploadState())

    init(_ sender: UploadSender, expectation: Expectation?) {
        self.sender = sender
        stream = sender.stream
        hasLimits = sender.limits.isAny
        go = expectation
    }

    /// The progress of the upload.
    var progress: UploadProgress { state.withLock { $0.progress } }

    /// Whether the upload goes on, and enforces its own limit.
    var isUnderway: Bool {
        state.withLock { state in
            if case .underway = state.progress { !state.isCancelled } else { false }
        }
    }

    /// Whether the upload is complete.
    var isFinished: Bool {
        if case .finished = progress { true } else { false }
    }

    /// Whether only the last bytes must be sent, or only their sending must be recorded.
    var isEnding: Bool { sender.isEnding.load(ordering: .acquiring) && !isFinished }

    /// Waits for an upload that is ending. A write that waits for room is cancelled, since the server has answered
    /// without it.
    func settle() async {
        let task = state.withLock { $0.task }
        task?.cancel()
        _ = await task?.result
    }

    /// Starts the task.
    func start() {
        state.withLock { state in
            guard !state.isCancelled else { return }
            state.task = ThrowingTask.started(on: sender.executor) { await self.run() }
        }
    }

    /// Handles `100 (Continue)`: the server asks for the content (RFC 9110 §15.2.1).
    func proceed() { go?.fulfil() }

    /// Handles a final response. If the server has not sent `100 (Continue)`, the content is not sent.
    func noteFinalResponse() {
        if let go, !go.isFulfilled { cancel() }
    }

    /// Cancels the upload.
    func cancel() {
        let task = state.withLock { state in
            state.isCancelled = true
            return state.task
        }
        task?.cancel()
        sender.cancelSource()
    }

    /// Cancels the upload together with its stream.
    func abandon() {
        let mayContinue = isUnderway
        cancel()
        // A source may ignore its cancellation, and a read of a file cannot be interrupted. Until it returns, the task
        // refers to the connection, which would stay open.
        if mayContinue { stream.abandonContent() }
    }

    private func run() async {
        // The outlet may be held since the last byte was sent, or since sending failed.
        defer { sender.reporter.outlet?.release() }
        let progress: UploadProgress
        do throws(UploadFailure) {
            if let go { await go.wait() }
            if Task.isCancelled { throw .cancelled }
            try await sender.sendAll()
            progress = .finished(at: hasLimits ? Monotonic.now : 0)
        } catch {
            switch error {
            case .failed(let error): progress = .failed(error)
            case .lost(let code): progress = .lost(code)
            case .cancelled: return
            }
        }
        if case .finished = progress {
            sender.reporter.report(.requestFinished, isFromHolder: true)
            // Before the end is visible: the exchange may then report its end, which must not be queued.
            sender.reporter.outlet?.release()
        }
        state.withLock { $0.progress = progress }
        // The reader's limits start to run, or the exchange must fail.
        if hasLimits || !isFinished { stream.rouse() }
    }
}

/// Why an upload is incomplete.
enum UploadFailure: Error {
    case failed(TransportError)
    case lost(Int32)
    case cancelled

    init(_ failure: StreamFailure) {
        switch failure {
        case .lost(let code, _): self = .lost(code)
        case .failed(let error): self = .failed(error)
        }
    }
}
