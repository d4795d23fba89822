internal import AirframeTransport
internal import Foundation
internal import HTTPTypes
internal import Synchronization

/// One attempt of a request on its session's transport.
///
/// `@unchecked Sendable` because the class has subclasses: its properties are immutable or behind the lock.
public class URLSessionTask: @unchecked Sendable {
    /// The state of a task.
    public enum State: Int, Sendable, Hashable {
        /// Under way.
        case running
        /// Suspended.
        case suspended
        /// Cancelled, and not completed yet.
        case canceling
        /// Completed.
        case completed
    }

    private struct MutableState {
        var state = State.suspended
        var redirected: RedirectTrace?
        var redirects: [HTTPURLResponse] = []
        var response: HTTPURLResponse?
        /// The error of the exchange, as monitors receive it.
        var failure: AFError?
        var sent: Int64 = 0
        var expectedToSend: Int64 = 0
        var received: Int64 = 0
        var expectedToReceive: Int64 = 0
        var description: String?
        var isWaiting = false
        /// The request, until the task is completed. A strong reference makes no cycle that lasts: the run of a request
        /// retains it until then.
        var request: Request?
    }

    private static let counter = Atomic<Int>(0)

    /// A number that is unique in the process.
    public let taskIdentifier: Int
    /// The request of the first hop.
    public let originalRequest: URLRequest?
    // Guards the state that changes while the attempt runs.
    private let mutable: Mutex<MutableState>

    init(request: Request, original: URLRequest) {
        taskIdentifier = Self.counter.wrappingAdd(1, ordering: .relaxed).newValue
        originalRequest = original
        mutable = Mutex(MutableState(request: request))
    }

    /// The request of the last hop: the original one, or the one that the last redirect led to.
    public var currentRequest: URLRequest? {
        guard let trace = mutable.withLock({ $0.redirected }), let originalRequest else { return originalRequest }
        return trace.request(from: originalRequest)
    }

    /// The redirect responses that were followed, in order.
    public var redirects: [HTTPURLResponse] { mutable.withLock { $0.redirects } }

    /// The head of the response, once it has arrived.
    public var response: HTTPURLResponse? { mutable.withLock { $0.response } }
    /// Whether the response has a status code from 200 to 299.
    var hasSuccessfulResponse: Bool {
        mutable.withLock { state in state.response.map { (200..<300).contains($0.statusCode) } ?? false }
    }
    /// The state of the task.
    public var state: State { mutable.withLock { $0.state } }
    /// The error, if the task failed. For a cancelled task, a `URLError` with the code `cancelled`. A task is also
    /// cancelled if an evaluator rejects its server; the request's error has the reason.
    ///
    /// Errors that occur after the exchange, such as a failed validation or a downloaded file that cannot be moved, are
    /// errors of the request only.
    public var error: (any Error)? {
        guard let failure = mutable.withLock({ $0.failure }) else { return nil }
        return failure.underlyingError ?? failure
    }
    /// The number of bytes of the request's body that were sent.
    public var countOfBytesSent: Int64 { mutable.withLock { $0.sent } }
    /// The length of the request's body, or -1 if it is unknown.
    public var countOfBytesExpectedToSend: Int64 { mutable.withLock { $0.expectedToSend } }
    /// The number of bytes of the response's body that were received.
    public var countOfBytesReceived: Int64 { mutable.withLock { $0.received } }
    /// The length of the response's body, or -1 if it is unknown.
    public var countOfBytesExpectedToReceive: Int64 { mutable.withLock { $0.expectedToReceive } }

    /// Whether the task waits because there is no route to its server.
    public var isWaitingForConnectivity: Bool { mutable.withLock { $0.isWaiting } }

    /// A description that the user sets.
    public var taskDescription: String? {
        get { mutable.withLock { $0.description } }
        set { mutable.withLock { $0.description = newValue } }
    }

    /// Resumes the task. The state of the request does not change. A completed task does nothing.
    public func resume() { openRequest?.hold(self, false) }
    /// Suspends the task: nothing is sent or received until the task or a suspended request is resumed. The state of
    /// the request does not change, and monitors are not notified. A completed task does nothing.
    public func suspend() { openRequest?.hold(self, true) }
    /// Cancels the task. A completed task does nothing.
    ///
    /// The request is not cancelled: it fails with `URLError.cancelled`, unless a retrier asks for another attempt.
    /// ``Request/cancel()`` cancels the request.
    public func cancel() { openRequest?.interrupt(self) }

    private var openRequest: Request? { mutable.withLock { $0.request } }

    // MARK: Changes by the pipeline

    func noteResumed() { change { if $0.state == .suspended { $0.state = .running } } }
    func noteSuspended() { change { if $0.state == .running { $0.state = .suspended } } }

    /// Marks the task as cancelled. Returns `false` if it has completed.
    @discardableResult
    func noteCancelled() -> Bool {
        mutable.withLock { state in
            guard state.state != .completed else { return false }
            state.state = .canceling
            return true
        }
    }

    /// Records the error of the exchange, unless one was recorded before. Ignores an error that arose afterwards.
    func noteFailed(with error: AFError) {
        let failure: AFError
        switch error {
        case .downloadedFileMoveFailed, .responseValidationFailed: return
        // A task whose server is not trusted is cancelled; the reason is the request's error.
        case .explicitlyCancelled, .sessionDeinitialized, .serverTrustEvaluationFailed:
            failure = .cancelledTask(url: currentRequest?.url)
        default: failure = error
        }
        change { $0.failure = $0.failure ?? failure }
    }

    /// Ends the task. Returns its error, if it failed or was cancelled.
    func noteCompleted() -> AFError? {
        let (failure, wasCancelled) = mutable.withLock { state in
            let wasCancelled = state.state == .canceling
            state.state = .completed
            state.request = nil
            state.isWaiting = false
            return (state.failure, wasCancelled)
        }
        guard failure == nil, wasCancelled else { return failure }
        // Nothing waited for the exchange when the task was cancelled.
        let cancelled = AFError.cancelledTask(url: currentRequest?.url)
        change { $0.failure = cancelled }
        return cancelled
    }

    func noteWaiting(_ isWaiting: Bool) { change { $0.isWaiting = isWaiting } }

    func didFollowRedirect(of response: HTTPResponse, to head: HTTPRequest) {
        let url = currentRequest?.url
        let redirect = HTTPURLResponse(url: url, head: response, httpVersion: nil)
        let trace = RedirectTrace(of: response, from: url, to: head)
        change {
            $0.redirects.append(redirect)
            $0.redirected = trace
        }
    }

    func didSend(_ total: Int64, of expected: Int64) {
        change {
            $0.sent = total
            $0.expectedToSend = expected
        }
    }

    func didReceive(_ total: Int64, of expected: Int64) {
        change {
            $0.received = total
            $0.expectedToReceive = expected
        }
    }

    func didReceive(_ response: TransportResponse, answering sent: SharedRequestHead) {
        let isOriginal = response.requestHead.hasTarget(of: sent)
        // Not stored in a variable, which would copy the URL, 70 instructions.
        let received = HTTPURLResponse(url: isOriginal ? originalRequest?.url : url(of: response.request), response)
        change { $0.response = received }
    }

    /// Returns the URL of the last hop, with the fragment of the redirects that led to it if the layers reported them.
    private func url(of head: HTTPRequest) -> URL? {
        guard let trace = mutable.withLock({ $0.redirected }), trace.head.path == head.path else {
            return originalRequest?.redirected(to: head).url
        }
        return originalRequest.flatMap { trace.request(from: $0).url }
    }

    private func change(_ body: (inout sending MutableState) -> Void) {
        mutable.withLock { body(&$0) }
    }
}

/// An attempt whose response is received as data.
///
/// `@unchecked Sendable`: the superclass guards the state with a lock, and this class adds none.
public class URLSessionDataTask: URLSessionTask, @unchecked Sendable {}

/// An attempt that sends content.
///
/// `@unchecked Sendable`: the superclass guards the state with a lock, and this class adds none.
public final class URLSessionUploadTask: URLSessionDataTask, @unchecked Sendable {}

/// An attempt whose response is written to a file.
///
/// `@unchecked Sendable`: the superclass guards the state with a lock, and this class adds none.
public final class URLSessionDownloadTask: URLSessionTask, @unchecked Sendable {}

extension SharedRequestHead {
    /// Whether both heads have the same target. The engine returns the head that it was given unless a layer has
    /// changed it, so most comparisons end with the first (figures: `MutableState.hasInterceptor`).
    fileprivate func hasTarget(of other: SharedRequestHead) -> Bool {
        self === other
            || head.path == other.head.path && head.authority == other.head.authority
                && head.scheme == other.head.scheme
    }
}
