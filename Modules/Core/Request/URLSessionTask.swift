internal import AirframeTransport
internal import Foundation
internal import HTTPTypes
internal import Synchronization

/// One attempt of a request on its session's transport.
///
/// `@unchecked Sendable` because the class has subclasses: its properties are immutable, or behind the lock.
public class URLSessionTask: @unchecked Sendable {
    /// Where a task stands.
    public enum State: Int, Sendable, Hashable {
        /// Under way.
        case running
        /// Held.
        case suspended
        /// Told to end.
        case canceling
        /// Ended.
        case completed
    }

    private struct MutableState {
        var state = State.suspended
        var redirected: RedirectTrace?
        var redirects: [HTTPURLResponse] = []
        var response: HTTPURLResponse?
        var error: (any Error)?
        var sent: Int64 = 0
        var expectedToSend: Int64 = 0
        var received: Int64 = 0
        var expectedToReceive: Int64 = 0
        var description: String?
        var isWaiting = false
        /// Whose attempt it is, until it is completed. A weak reference would make every other one to the request slow, and a
        /// request that is under way is held anyway.
        var request: Request?
    }

    private static let counter = Atomic<Int>(0)

    /// A number that no other task of the process has.
    public let taskIdentifier: Int
    /// The request as it was first sent.
    public let originalRequest: URLRequest?
    // Guards what changes while the attempt runs.
    private let mutable: Mutex<MutableState>

    init(request: Request, original: URLRequest) {
        taskIdentifier = Self.counter.wrappingAdd(1, ordering: .relaxed).newValue
        originalRequest = original
        mutable = Mutex(MutableState(request: request))
    }

    /// The request as it is now: after a redirect, the one that followed it.
    public var currentRequest: URLRequest? {
        guard let trace = mutable.withLock({ $0.redirected }), let originalRequest else { return originalRequest }
        return trace.request(from: originalRequest)
    }

    /// The responses whose redirects were followed, in order: how the task came to ``currentRequest``.
    public var redirects: [HTTPURLResponse] { mutable.withLock { $0.redirects } }

    /// The head of the response, once it came.
    public var response: HTTPURLResponse? { mutable.withLock { $0.response } }
    /// Where the task stands.
    public var state: State { mutable.withLock { $0.state } }
    /// Why the task failed.
    public var error: (any Error)? { mutable.withLock { $0.error } }
    /// Bytes of the request's body that were sent.
    public var countOfBytesSent: Int64 { mutable.withLock { $0.sent } }
    /// The length of the request's body, or -1.
    public var countOfBytesExpectedToSend: Int64 { mutable.withLock { $0.expectedToSend } }
    /// Bytes of the response's body that came.
    public var countOfBytesReceived: Int64 { mutable.withLock { $0.received } }
    /// The length of the response's body, or -1.
    public var countOfBytesExpectedToReceive: Int64 { mutable.withLock { $0.expectedToReceive } }

    /// Whether the task waits for a way to its server, which there was none of.
    public var isWaitingForConnectivity: Bool { mutable.withLock { $0.isWaiting } }

    /// A text of the user's own.
    public var taskDescription: String? {
        get { mutable.withLock { $0.description } }
        set { mutable.withLock { $0.description = newValue } }
    }

    /// Resumes the request. A completed task does nothing.
    public func resume() { openRequest?.resume() }
    /// Suspends the request. A completed task does nothing.
    public func suspend() { openRequest?.suspend() }
    /// Cancels the request. A completed task does nothing.
    public func cancel() { openRequest?.cancel() }

    private var openRequest: Request? { mutable.withLock { $0.request } }

    // MARK: What the pipeline notes

    func noteResumed() { change { if $0.state == .suspended { $0.state = .running } } }
    func noteSuspended() { change { if $0.state == .running { $0.state = .suspended } } }
    func noteCancelled() { change { if $0.state != .completed { $0.state = .canceling } } }

    func noteCompleted(with error: AFError?) {
        change {
            $0.state = .completed
            $0.request = nil
            $0.isWaiting = false
            guard let error else { return }
            $0.error = error.underlyingError ?? error
        }
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

    func didReceive(_ response: TransportResponse, answering sent: HTTPRequest) {
        let isRedirected =
            response.request.path != sent.path || response.request.authority != sent.authority
            || response.request.scheme != sent.scheme
        let url = isRedirected ? url(of: response.request) : originalRequest?.url
        let received = HTTPURLResponse(
            url: url,
            head: response.head,
            httpVersion: response.connection?.httpVersion,
            receivedHead: response.receivedHead
        )
        change { $0.response = received }
    }

    /// The URL of what was sent last: with the fragment of the redirects that led there, where the layers told of them.
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

/// An attempt whose response is taken as data.
///
/// `@unchecked Sendable` as URLSessionTask is: nothing is added to what its lock guards.
public class URLSessionDataTask: URLSessionTask, @unchecked Sendable {}

/// An attempt that sends content.
///
/// `@unchecked Sendable` as URLSessionTask is: nothing is added to what its lock guards.
public final class URLSessionUploadTask: URLSessionDataTask, @unchecked Sendable {}

/// An attempt whose response goes to a file.
///
/// `@unchecked Sendable` as URLSessionTask is: nothing is added to what its lock guards.
public final class URLSessionDownloadTask: URLSessionTask, @unchecked Sendable {}
