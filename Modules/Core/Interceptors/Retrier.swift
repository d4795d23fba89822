/// A retrier that calls a closure. As an interceptor it does not change requests.
///
/// `@unchecked Sendable` because the class is open: its own property is immutable, and subclasses are responsible for
/// the properties that they add.
open class Retrier: RequestInterceptor, @unchecked Sendable {
    private let retryHandler: RetryHandler

    /// Creates a retrier that calls `retryHandler`.
    public init(_ retryHandler: @escaping RetryHandler) { self.retryHandler = retryHandler }

    /// Calls the closure.
    open func retry(
        _ request: Request,
        for session: Session,
        dueTo error: any Error,
        completion: @escaping @Sendable (RetryResult) -> Void
    ) {
        retryHandler(request, session, error, completion)
    }
}

extension RequestRetrier where Self == Retrier {
    /// Returns a retrier that calls `closure`.
    public static func retrier(using closure: @escaping RetryHandler) -> Retrier { Retrier(closure) }
}
