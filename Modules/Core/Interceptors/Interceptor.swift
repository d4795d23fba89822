/// A list of adapters and a list of retriers.
///
/// Each adapter receives the request that the previous one returned; the first error ends the list. The retriers are
/// called in order until one returns something other than ``RetryResult/doNotRetry``.
///
/// `@unchecked Sendable` because the class is open: its own properties are immutable, and subclasses are responsible
/// for the properties that they add.
open class Interceptor: RequestInterceptor, @unchecked Sendable {
    /// The adapters, in the order in which they are called.
    public let adapters: [any RequestAdapter]
    /// The retriers, in the order in which they are called.
    public let retriers: [any RequestRetrier]

    /// Creates an interceptor of an adapter's and a retrier's closure.
    public init(adaptHandler: @escaping AdaptHandler, retryHandler: @escaping RetryHandler) {
        adapters = [Adapter(adaptHandler)]
        retriers = [Retrier(retryHandler)]
    }

    /// Creates an interceptor of an adapter and a retrier.
    public init(adapter: any RequestAdapter, retrier: any RequestRetrier) {
        adapters = [adapter]
        retriers = [retrier]
    }

    /// Creates an interceptor of lists.
    ///
    /// - Parameters:
    ///   - adapters: The adapters, in the order in which they are called.
    ///   - retriers: The retriers, in the order in which they are called.
    ///   - interceptors: Interceptors that follow the adapters and the retriers.
    public init(
        adapters: [any RequestAdapter] = [],
        retriers: [any RequestRetrier] = [],
        interceptors: [any RequestInterceptor] = []
    ) {
        self.adapters = adapters + interceptors
        self.retriers = retriers + interceptors
    }

    /// Passes the request through the adapters.
    open func adapt(
        _ urlRequest: URLRequest,
        for session: Session,
        completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void
    ) {
        Self.adapt(urlRequest, through: adapters[...], completion: completion) { adapter, urlRequest, completion in
            adapter.adapt(urlRequest, for: session, completion: completion)
        }
    }

    /// Passes the request through the adapters.
    open func adapt(
        _ urlRequest: URLRequest,
        using state: RequestAdapterState,
        completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void
    ) {
        Self.adapt(urlRequest, through: adapters[...], completion: completion) { adapter, urlRequest, completion in
            adapter.adapt(urlRequest, using: state, completion: completion)
        }
    }

    private typealias Step =
        @Sendable (
            any RequestAdapter, URLRequest, @escaping @Sendable (Result<URLRequest, any Error>) -> Void
        ) -> Void

    private static func adapt(
        _ urlRequest: URLRequest,
        through adapters: ArraySlice<any RequestAdapter>,
        completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void,
        step: @escaping Step
    ) {
        guard let adapter = adapters.first else { return completion(.success(urlRequest)) }
        step(adapter, urlRequest) { result in
            switch result {
            case .success(let adapted):
                adapt(adapted, through: adapters.dropFirst(), completion: completion, step: step)
            case .failure: completion(result)
            }
        }
    }

    /// Asks the retriers.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - session: Its session.
    ///   - error: The error that it failed with.
    ///   - completion: Receives the first decision that is not ``RetryResult/doNotRetry``, or else that one.
    open func retry(
        _ request: Request,
        for session: Session,
        dueTo error: any Error,
        completion: @escaping @Sendable (RetryResult) -> Void
    ) {
        Self.ask(retriers[...], about: request, for: session, dueTo: error, completion: completion)
    }

    private static func ask(
        _ retriers: ArraySlice<any RequestRetrier>,
        about request: Request,
        for session: Session,
        dueTo error: any Error,
        completion: @escaping @Sendable (RetryResult) -> Void
    ) {
        guard let retrier = retriers.first else { return completion(.doNotRetry) }
        retrier.retry(request, for: session, dueTo: error) { result in
            guard result.leavesItToOthers else { return completion(result) }
            ask(retriers.dropFirst(), about: request, for: session, dueTo: error, completion: completion)
        }
    }
}

extension RequestInterceptor where Self == Interceptor {
    /// Returns an interceptor of an adapter's and a retrier's closure.
    public static func interceptor(
        adapter: @escaping AdaptHandler,
        retrier: @escaping RetryHandler
    ) -> Interceptor {
        Interceptor(adaptHandler: adapter, retryHandler: retrier)
    }

    /// Returns an interceptor of an adapter and a retrier.
    public static func interceptor(adapter: any RequestAdapter, retrier: any RequestRetrier) -> Interceptor {
        Interceptor(adapter: adapter, retrier: retrier)
    }

    /// Returns an interceptor of lists of adapters and retriers.
    ///
    /// - Parameters:
    ///   - adapters: The adapters, in the order in which they are called.
    ///   - retriers: The retriers, in the order in which they are called.
    ///   - interceptors: Interceptors that follow the adapters and the retriers.
    public static func interceptor(
        adapters: [any RequestAdapter] = [],
        retriers: [any RequestRetrier] = [],
        interceptors: [any RequestInterceptor] = []
    ) -> Interceptor {
        Interceptor(adapters: adapters, retriers: retriers, interceptors: interceptors)
    }
}
