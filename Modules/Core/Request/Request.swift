internal import AirframeTransport
public import Dispatch
public import Foundation
internal import HTTPTypes
internal import Synchronization

/// One request of a session: its parameters, its results and the functions that suspend, resume and cancel it.
///
/// A request may take several attempts, one ``URLSessionTask`` each. `runPipeline(from:)` in `Pipeline.swift` is the
/// whole course of a request, from making its `URLRequest` to calling its handlers.
///
/// `@unchecked Sendable` because the class has subclasses: every stored property is immutable or behind a lock.
public class Request: @unchecked Sendable {
    package let context: SessionContext
    /// The session, until it is released.
    package var session: Session? { context.session }
    let mutable: Mutex<MutableState>
    /// The request's index in its session's ``ActiveRequests``.
    let place = Atomic(Request.noPlace)
    private let number: UInt64

    /// Whether the request starts when its first handler is added; `nil` to use the session's setting.
    public let shouldAutomaticallyResume: Bool?

    static let noPlace = -1

    init(session: Session, interceptor: (any RequestInterceptor)?, shouldAutomaticallyResume: Bool?) {
        context = session.context
        self.shouldAutomaticallyResume = shouldAutomaticallyResume
        number = RequestIdentifier.next()
        mutable = Mutex(MutableState(monitor: session.context.monitor))
        // Set only if there is one: passing an optional existential copies it, 80 instructions.
        if let interceptor { mutable.withLock { $0.interceptor = interceptor } }
    }

    // MARK: Overridden by subclasses

    /// Creates the URL request before adaptation.
    func makeURLRequest() throws -> URLRequest { throw AFError.explicitlyCancelled }

    /// Creates the content to upload, after the `URLRequest` has been made and adapted.
    func makeContent() throws(AFError) {}

    /// Returns the content to send with `urlRequest`.
    func makeBody(for urlRequest: URLRequest, of task: URLSessionTask) throws -> RequestBody {
        .forHTTPBody(of: urlRequest)
    }

    /// Whether the content is that of the `URLRequest`.
    var sendsHTTPBody: Bool { true }

    /// Whether ``adjust(_:)`` changes heads.
    var adjustsHead: Bool { false }

    /// Whether a head without an `Accept` field gets `*/*`.
    var sendsAccept: Bool { true }

    /// Changes the head of the request to send, before anything is derived from it.
    func adjust(_ head: inout HTTPRequest) throws {}

    /// Changes the request before the transport receives it.
    func prepare(_ request: inout TransportRequest) throws {}

    /// Creates the task of the next attempt.
    func makeTask(for urlRequest: URLRequest) -> URLSessionTask {
        URLSessionDataTask(request: self, original: urlRequest)
    }

    /// Whether the attempt continues an earlier one, so that its response must be checked first.
    var isResuming: Bool { false }

    /// Checks that a response continues an earlier one. Sends another request if it does not.
    func resuming(
        _ response: TransportResponse,
        to request: TransportRequest
    ) async throws(TransportError) -> TransportResponse { response }

    /// Takes the part of the response's body that the engine has buffered, without waiting.
    ///
    /// - Returns: Whether that was the whole body.
    func takeBufferedBody(of response: TransportResponse, for task: URLSessionTask) -> Bool { false }

    /// Receives the response's body, or the part of it that ``takeBufferedBody(of:for:)`` left.
    func receiveBody(of response: TransportResponse, for task: URLSessionTask) async throws(AFError) {}

    /// Whether ``receiveBody(of:for:)`` has opened a connection, with which the attempt ends.
    var hasConnection: Bool { false }

    /// Calls `resume` once, when the connection has ended or ``interruptConnection()`` was called.
    func whenConnectionEnds(_ resume: @escaping @Sendable () -> Void) {}

    /// Ends the connection because the request was ended.
    func interruptConnection() {}

    /// Releases the connection after its end.
    ///
    /// - Throws: The reason for which the attempt failed.
    func finishConnection(of task: URLSessionTask) async throws(AFError) {}

    /// Runs the validations of an attempt.
    func validate(by validators: Series<Validator>) {
        for validator in validators { run(validator) }
    }

    /// Runs the validations that `validate()` adds.
    func validateByDefault() {}

    /// Whether the effects of the attempt can be undone for another one.
    var mayBeRetried: Bool { true }

    /// Discards the results of an attempt before the next one.
    func reset() {
        mutable.withLock {
            $0.error = nil
            $0.hasAnnouncedRequest = false
            $0.progress.reset()
        }
    }

    /// Releases the resources of a request that has finished.
    public func cleanup() {}

    // MARK: Identity

    /// A unique identifier.
    public var id: UUID { RequestIdentifier.uuid(number) }
    /// The session's root queue.
    public var underlyingQueue: DispatchQueue { context.rootQueue }
    /// The session's queue for serialization.
    public var serializationQueue: DispatchQueue {
        context.serializationQueue ?? session?.serializationQueue ?? context.rootQueue
    }
    /// The request's event monitors; `nil` if it has none. Notifications are posted without a monitor.
    public var eventMonitor: (any EventMonitor)? { monitors }
    /// The request's own interceptor.
    public var interceptor: (any RequestInterceptor)? { mutable.withLock { $0.interceptor } }

    var monitors: CompositeEventMonitor? { mutable.withLock { $0.monitor } }

    // MARK: Results

    /// The URL requests of all attempts, in order.
    public var requests: [URLRequest] { Array(mutable.withLock { $0.requests }) }
    /// The first URL request: the one before adaptation, if an adapter changed it.
    public var firstRequest: URLRequest? { mutable.withLock { $0.requests.first } }
    /// The last URL request.
    public var lastRequest: URLRequest? { mutable.withLock { $0.requests.last } }
    /// The current URL request: the last one.
    public var request: URLRequest? { lastRequest }
    /// The URL request of each attempt's last hop.
    public var performedRequests: [URLRequest] { tasks.compactMap(\.currentRequest) }

    /// The tasks of all attempts, in order.
    public var tasks: [URLSessionTask] { Array(mutable.withLock { $0.tasks }) }
    /// The task of the first attempt.
    public var firstTask: URLSessionTask? { mutable.withLock { $0.tasks.first } }
    /// The task of the last attempt.
    public var lastTask: URLSessionTask? { mutable.withLock { $0.tasks.last } }
    /// The current task: the last one.
    public var task: URLSessionTask? { lastTask }

    /// The head of the last response.
    public var response: HTTPURLResponse? { lastTask?.response }

    /// The metrics of all attempts.
    public var allMetrics: [URLSessionTaskMetrics] { Array(mutable.withLock { $0.metrics }) }
    /// The metrics of the first attempt.
    public var firstMetrics: URLSessionTaskMetrics? { mutable.withLock { $0.metrics.first } }
    /// The metrics of the last attempt.
    public var lastMetrics: URLSessionTaskMetrics? { mutable.withLock { $0.metrics.last } }
    /// The current metrics: those of the last attempt.
    public var metrics: URLSessionTaskMetrics? { lastMetrics }

    /// The number of retries.
    public var retryCount: Int { mutable.withLock { $0.retryCount } }

    /// Whether the request failed.
    var hasFailed: Bool { mutable.withLock { $0.error != nil } }

    /// The error, if the request failed.
    public internal(set) var error: AFError? {
        // Reading an optional error copies it; the check for `nil` does not.
        get { hasFailed ? mutable.withLock { $0.error } : nil }
        set { mutable.withLock { $0.error = newValue } }
    }
}

extension Request: Equatable, Hashable {
    /// Whether both are the same request.
    public static func == (lhs: Request, rhs: Request) -> Bool { lhs === rhs }

    /// Hashes the request's identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(number) }
}

extension Request: CustomStringConvertible {
    /// The method, the URL and, once it has arrived, the status. A password in the URL is redacted.
    public var description: String {
        guard let request = performedRequests.last ?? lastRequest, let url = request.url else {
            return "No request created yet."
        }
        let line = "\(request.httpMethod ?? "GET") \(Redaction.url(url.absoluteString))"
        return response.map { "\(line) (\($0.statusCode))" } ?? line
    }
}
