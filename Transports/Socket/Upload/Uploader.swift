internal import AirframeTransport
internal import AirframeWire
internal import FoundationEssentials
internal import Synchronization

/// Sends a request's content in a task of its own, while the exchange's task reads the response, which may come early.
///
/// What becomes of it is left here; the exchange's task is roused to look when that matters to it.
final class Uploader: Sendable {
    /// How far the upload has come.
    enum Outcome: Sendable {
        case underway
        /// All is sent, since that instant.
        case finished(at: Int64)
        /// The source failed, or a limit ran out: the exchange fails.
        case failed(TransportError)
        /// The connection broke: what the server may have said before it did counts more.
        case lost(Int32)
    }

    private struct State {
        var outcome = Outcome.underway
        var task: Task<Void, Never>?
        var isCancelled = false
    }

    private let sender: UploadSender
    private let stream: any MessageStream
    private let hasLimits: Bool
    private let go: Expectation?
    // Guards the outcome, and the task.
    private let state = Mutex(State())

    init(_ sender: UploadSender, expectation: Expectation?) {
        self.sender = sender
        stream = sender.stream
        hasLimits = sender.limits.isAny
        go = expectation
    }

    /// How far the upload has come.
    var outcome: Outcome { state.withLock { $0.outcome } }

    /// Whether all is sent.
    var isFinished: Bool {
        if case .finished = outcome { true } else { false }
    }

    /// Whether nothing but the last bytes is missing, or the note that they were sent.
    var isEnding: Bool { sender.isEnding.load(ordering: .acquiring) && !isFinished }

    /// Has an upload that is ending end. A write that waits for room is given up: the server has answered without it.
    func settle() async {
        let task = state.withLock { $0.task }
        task?.cancel()
        await task?.value
    }

    /// Begins to send.
    func start() {
        state.withLock { state in
            guard !state.isCancelled else { return }
            state.task = Task(executorPreference: sender.executor) { await self.run() }
        }
    }

    /// The server wants the content (RFC 9110 §15.2.1).
    func proceed() { go?.fulfil() }

    /// A final response came. A server that was asked, and has not said that it wants the content, does not get it.
    func noteFinalResponse() {
        if let go, !go.isFulfilled { cancel() }
    }

    /// Sends no more.
    func cancel() {
        let task = state.withLock { state in
            state.isCancelled = true
            return state.task
        }
        task?.cancel()
        sender.cancelSource()
    }

    private func run() async {
        // It may be held since the last byte was sent, or since sending failed.
        defer { sender.reporter.outlet?.release() }
        let outcome: Outcome
        do throws(UploadFailure) {
            if let go { await go.wait() }
            if Task.isCancelled { throw .cancelled }
            try await sender.sendAll()
            outcome = .finished(at: hasLimits ? Monotonic.now : 0)
        } catch {
            switch error {
            case .failed(let error): outcome = .failed(error)
            case .lost(let code): outcome = .lost(code)
            case .cancelled: return
            }
        }
        if case .finished = outcome {
            sender.reporter.report(.requestFinished, isFromHolder: true)
            // Before anybody sees that it is finished, and tells of the end: that would be held back past the answer.
            sender.reporter.outlet?.release()
        }
        state.withLock { $0.outcome = outcome }
        // The reader's limits begin to run, or it has to give up.
        if hasLimits || !isFinished { stream.rouse() }
    }
}

/// Why content was not sent whole.
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
