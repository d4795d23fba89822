internal import Airframe
public import AirframeCore
public import AirframeEncoding
internal import Dispatch
public import Foundation
internal import Synchronization

/// The session manager of Alamofire 4, over a ``Session``.
///
/// A request starts with its first handler, or without one after 20 ms: the calls that follow in its chain apply by
/// then. A request that is suspended or cancelled in the meantime does not start.
///
/// `@unchecked Sendable` because the class is open: its own properties are immutable, atomic, or guarded by a lock.
@available(*, deprecated, renamed: "Session")
open class SessionManager: @unchecked Sendable {
    /// The manager that `Alamofire.request(…)` uses.
    public static let `default` = SessionManager()
    /// The default manager under Alamofire 3's name.
    public static var sharedInstance: SessionManager { .default }
    /// The header fields of the default configuration.
    public static var defaultHTTPHeaders: [String: String] { HTTPHeaders.default.dictionary }

    /// The session that makes the requests.
    public let session: Session
    private let interceptor: LegacyInterceptor
    private let startsRequests = Atomic(true)
    /// The time for the rest of a chain of calls: validations and credentials that follow the start may come too late.
    private static let startDelay: DispatchTimeInterval = .milliseconds(20)

    /// Creates a manager.
    ///
    /// - Parameters:
    ///   - configuration: Headers, timeouts and options.
    ///   - delegate: The delegate. The functions that a subclass overrides are called for the events of tasks.
    ///   - serverTrustPolicyManager: The evaluators of servers' certificates by host.
    public init(
        configuration: URLSessionConfiguration = .af.default,
        delegate: SessionDelegate = SessionDelegate(),
        serverTrustPolicyManager: ServerTrustManager? = nil
    ) {
        interceptor = LegacyInterceptor()
        session = Session(
            configuration: configuration,
            delegate: delegate,
            interceptor: interceptor,
            serverTrustManager: serverTrustPolicyManager
        )
        interceptor.adopt(self)
    }

    /// The adapter of requests before they are sent.
    open var adapter: (any RequestAdapter)? {
        get { interceptor.adapter }
        set { interceptor.adapter = newValue }
    }

    /// The retrier of failed requests.
    open var retrier: (any RequestRetrier)? {
        get { interceptor.retrier }
        set { interceptor.retrier = newValue }
    }

    /// Whether requests start by themselves; `true` by default. Otherwise `resume()` starts a request, with handlers or
    /// without. Requests that exist keep the value with which they were made.
    open var startRequestsImmediately: Bool {
        get { startsRequests.load(ordering: .relaxed) }
        set { startsRequests.store(newValue, ordering: .relaxed) }
    }

    /// Creates a request, which starts by itself if requests do.
    ///
    /// - Parameter make: Creates the request. Takes whether the first handler starts it; `nil` for the session's rule.
    private func starting<Made: Request>(_ make: (Bool?) -> Made) -> Made {
        guard startRequestsImmediately else { return make(false) }
        let request = make(nil)
        let started: Request = request
        session.rootQueue.asyncAfter(deadline: .now() + Self.startDelay) { started.start() }
        return request
    }

    /// Creates a request for data.
    @discardableResult
    open func request(
        _ url: any URLConvertible,
        method: HTTPMethod = .get,
        parameters: [String: Any]? = nil,
        encoding: any ParameterEncoding = URLEncoding.default,
        headers: HTTPHeaders? = nil
    ) -> DataRequest {
        starting {
            session.request(
                url,
                method: method,
                parameters: parameters?.sendable,
                encoding: encoding,
                headers: headers,
                shouldAutomaticallyResume: $0
            )
        }
    }

    /// Creates a request for data.
    @discardableResult
    open func request(_ urlRequest: any URLRequestConvertible) -> DataRequest {
        starting { session.request(urlRequest, shouldAutomaticallyResume: $0) }
    }

    /// Downloads to a file.
    @discardableResult
    open func download(
        _ url: any URLConvertible,
        method: HTTPMethod = .get,
        parameters: [String: Any]? = nil,
        encoding: any ParameterEncoding = URLEncoding.default,
        headers: HTTPHeaders? = nil,
        to destination: DownloadRequest.Destination? = nil
    ) -> DownloadRequest {
        starting {
            session.download(
                url,
                method: method,
                parameters: parameters?.sendable,
                encoding: encoding,
                headers: headers,
                shouldAutomaticallyResume: $0,
                to: destination
            )
        }
    }

    /// Downloads to a file.
    @discardableResult
    open func download(
        _ urlRequest: any URLRequestConvertible,
        to destination: DownloadRequest.Destination? = nil
    ) -> DownloadRequest {
        starting { session.download(urlRequest, shouldAutomaticallyResume: $0, to: destination) }
    }

    /// Resumes a download.
    @discardableResult
    open func download(
        resumingWith data: Data,
        to destination: DownloadRequest.Destination? = nil
    ) -> DownloadRequest {
        starting { session.download(resumingWith: data, shouldAutomaticallyResume: $0, to: destination) }
    }

    /// Uploads data, a file or a stream.
    @discardableResult
    open func upload(
        _ data: Data,
        to url: any URLConvertible,
        method: HTTPMethod = .post,
        headers: HTTPHeaders? = nil
    ) -> UploadRequest {
        starting {
            session.upload(data, to: url, method: method, headers: headers, shouldAutomaticallyResume: $0)
        }
    }

    /// Uploads a file.
    @discardableResult
    open func upload(
        _ fileURL: URL,
        to url: any URLConvertible,
        method: HTTPMethod = .post,
        headers: HTTPHeaders? = nil
    ) -> UploadRequest {
        starting {
            session.upload(fileURL, to: url, method: method, headers: headers, shouldAutomaticallyResume: $0)
        }
    }

    /// Uploads a stream.
    @discardableResult
    open func upload(
        _ stream: InputStream,
        to url: any URLConvertible,
        method: HTTPMethod = .post,
        headers: HTTPHeaders? = nil
    ) -> UploadRequest {
        let plain = PlainRequest(url: url, method: method, headers: headers, modifier: nil)
        return starting { session.upload(stream, with: plain, shouldAutomaticallyResume: $0) }
    }

    /// Uploads data.
    @discardableResult
    open func upload(_ data: Data, with urlRequest: any URLRequestConvertible) -> UploadRequest {
        starting { session.upload(data, with: urlRequest, shouldAutomaticallyResume: $0) }
    }

    /// Uploads a file.
    @discardableResult
    open func upload(_ fileURL: URL, with urlRequest: any URLRequestConvertible) -> UploadRequest {
        starting { session.upload(fileURL, with: urlRequest, shouldAutomaticallyResume: $0) }
    }
}

/// Alamofire 3's session manager.
@available(*, deprecated, renamed: "Session")
public typealias Manager = SessionManager

/// An interceptor that calls a manager's adapter and retrier.
///
/// `@unchecked Sendable` because Alamofire 4's protocols are not Sendable: the lock guards the references, and the
/// objects are called from the threads of requests, as in Alamofire 4.
@available(*, deprecated)
private final class LegacyInterceptor: RequestInterceptor, @unchecked Sendable {
    private struct Handlers: @unchecked Sendable {
        // `@unchecked` like the class: the lock guards the references.
        weak var manager: SessionManager?
        var adapter: (any RequestAdapter)?
        var retrier: (any RequestRetrier)?
    }

    // Guards the manager and its handlers.
    private let handlers = Mutex(Handlers())

    var adapter: (any RequestAdapter)? {
        get { read().adapter }
        set { change { $0.adapter = newValue } }
    }

    var retrier: (any RequestRetrier)? {
        get { read().retrier }
        set { change { $0.retrier = newValue } }
    }

    func adopt(_ manager: SessionManager) { change { $0.manager = manager } }

    private func read() -> Handlers { handlers.withLock { $0 } }

    private func change(_ body: (inout Handlers) -> Void) {
        // The objects that are replaced are released without the lock.
        _ = handlers.withLock { handlers in
            let replaced = handlers
            body(&handlers)
            return replaced
        }
    }

    func adapt(
        _ urlRequest: URLRequest,
        for session: Session,
        completion: @escaping (Result<URLRequest, any Error>) -> Void
    ) {
        guard let adapter else { return completion(.success(urlRequest)) }
        completion(Result { try adapter.adapt(urlRequest) })
    }

    func retry(
        _ request: Request,
        for session: Session,
        dueTo error: any Error,
        completion: @escaping (RetryResult) -> Void
    ) {
        let handlers = read()
        guard let retrier = handlers.retrier, let manager = handlers.manager else { return completion(.doNotRetry) }
        retrier.should(manager, retry: request, with: error) { shouldRetry, delay in
            completion(shouldRetry ? .retryWithDelay(delay) : .doNotRetry)
        }
    }
}

extension [String: Any] {
    /// Returns the parameters as Sendable values. A value of an unknown type becomes its description.
    var sendable: [String: any Sendable] { mapValues(Self.sendable) }

    private static func sendable(_ value: Any) -> any Sendable {
        switch value {
        case is NSNull: NSNull()
        // By its class: an NSNumber of 0 or 1 casts to Bool, and a Bool to NSNumber.
        case let number as NSNumber where type(of: value) is NSNumber.Type: number
        case let text as String: text
        case let number as Bool: number
        case let number as Int: number
        case let number as UInt: number
        case let number as Int64: number
        case let number as UInt64: number
        case let number as Float: number
        case let number as Double: number
        case let number as NSNumber: number
        case let date as Date: date
        case let data as Data: data
        case let url as URL: url
        case let list as [Any]: list.map(sendable)
        case let object as [String: Any]: object.mapValues(sendable)
        default: "\(value)"
        }
    }
}
