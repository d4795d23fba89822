internal import AirframeTransport
public import Dispatch
public import Foundation
internal import HTTPTypes
internal import Synchronization

/// One request of a session: what was asked, what came of it, and the means to hold, resume and end it.
///
/// A request may take several attempts, one ``URLSessionTask`` each. What a request does, from making its `URLRequest`
/// to calling its handlers, is one function: `live()` in `Pipeline.swift`.
///
/// `@unchecked Sendable` because the class has subclasses: every stored property is immutable, or a lock around what
/// changes.
public class Request: @unchecked Sendable {
    package let context: SessionContext
    /// The session, while there is one.
    package var session: Session? { context.session }
    let mutable: Mutex<MutableState>
    /// The request's place among those of its session that have not finished.
    let place = Atomic(Request.noPlace)
    private let number: UInt64

    /// Whether the request starts when its first handler is added; `nil` leaves it to the session.
    public let shouldAutomaticallyResume: Bool?

    static let noPlace = -1

    init(session: Session, interceptor: (any RequestInterceptor)?, shouldAutomaticallyResume: Bool?) {
        context = session.context
        self.shouldAutomaticallyResume = shouldAutomaticallyResume
        number = RequestIdentifier.next()
        mutable = Mutex(MutableState(interceptor: interceptor, monitor: session.context.monitor))
    }

    // MARK: What subclasses do differently

    /// The request's URL request in the making, before adaptation.
    func makeURLRequest() throws -> URLRequest { throw AFError.explicitlyCancelled }

    /// Makes content that depends on what happened while the `URLRequest` was made and adapted.
    func makeLateContent() throws(AFError) {}

    /// The content to send with `urlRequest`.
    func makeBody(for urlRequest: URLRequest, of task: URLSessionTask) throws -> RequestBody {
        .forHTTPBody(of: urlRequest)
    }

    /// Changes the head of the request to send, before anything is derived from it.
    func adjust(_ head: inout HTTPRequest) throws {}

    /// Changes the request that a transport is about to get.
    func prepare(_ request: inout TransportRequest) throws {}

    /// The task that stands for the next attempt.
    func makeTask(for urlRequest: URLRequest) -> URLSessionTask {
        URLSessionDataTask(request: self, original: urlRequest)
    }

    /// Whether the attempt asked to go on where an earlier one ended, so that its response has to be looked at first.
    var isResuming: Bool { false }

    /// Makes sure that a response is what ``isResuming`` needs, or asks for another.
    func resuming(
        _ response: TransportResponse,
        to request: TransportRequest
    ) async throws(TransportError) -> TransportResponse { response }

    /// Takes what is there of the response's body, as far as nothing has to be waited for.
    ///
    /// - Returns: Whether that was all of it.
    func receiveAtOnce(_ response: TransportResponse, for task: URLSessionTask) -> Bool { false }

    /// Takes the response's body, or the rest of it.
    func receive(_ response: TransportResponse, for task: URLSessionTask) async throws(AFError) {}

    /// Runs the validations of an attempt that has ended.
    func validate(by validators: Series<@Sendable () -> Void>) {
        for validate in validators { validate() }
    }

    /// Whether another attempt can undo what this one did.
    var mayBeRetried: Bool { true }

    /// Forgets what an attempt brought, before the next one.
    func reset() {
        mutable.withLock {
            $0.error = nil
            $0.progress.reset()
        }
    }

    /// Frees what only an unfinished request needs.
    public func cleanup() {}

    // MARK: Identity

    /// A unique identifier.
    public var id: UUID { RequestIdentifier.uuid(number) }
    /// The queue at the root of the session.
    public var underlyingQueue: DispatchQueue { context.rootQueue }
    /// The queue on which responses are serialized.
    public var serializationQueue: DispatchQueue { context.serializationQueue ?? context.rootQueue }
    /// Who is told of the request's events.
    public var eventMonitor: (any EventMonitor)? { monitors }
    /// The request's own interceptor.
    public var interceptor: (any RequestInterceptor)? { mutable.withLock { $0.interceptor } }

    var monitors: CompositeEventMonitor? { mutable.withLock { $0.monitor } }

    // MARK: What happened

    /// All URL requests of all attempts, in order.
    public var requests: [URLRequest] { Array(mutable.withLock { $0.requests }) }
    /// The first URL request, before adaptation when it was adapted.
    public var firstRequest: URLRequest? { mutable.withLock { $0.requests.first } }
    /// The last URL request.
    public var lastRequest: URLRequest? { mutable.withLock { $0.requests.last } }
    /// The current URL request: the last one.
    public var request: URLRequest? { lastRequest }
    /// The URL requests that were sent, as they were after redirects.
    public var performedRequests: [URLRequest] { tasks.compactMap(\.currentRequest) }

    /// All tasks, one an attempt.
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

    /// How often the request was retried.
    public var retryCount: Int { mutable.withLock { $0.retryCount } }

    /// Whether the request failed, which is asked more often than why.
    var hasFailed: Bool { mutable.withLock { $0.error != nil } }

    /// Why the request failed, if it did.
    public internal(set) var error: AFError? {
        // A copy of no error costs more than to see that there is none.
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
    /// Method, URL and, once it is there, status. A password in the URL is hidden.
    public var description: String {
        guard let request = performedRequests.last ?? lastRequest, let url = request.url else {
            return "No request created yet."
        }
        let line = "\(request.httpMethod ?? "GET") \(Redaction.url(url.absoluteString))"
        return response.map { "\(line) (\($0.statusCode))" } ?? line
    }
}
