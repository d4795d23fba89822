/// A closure as a retrier. As an interceptor it leaves requests as they are.
///
/// `@unchecked Sendable` because the class is open: its own property is immutable, and a subclass answers for what it
/// adds.
open class Retrier: RequestInterceptor, @unchecked Sendable {
    private let retryHandler: RetryHandler

    /// Wraps `retryHandler`.
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
    /// A retrier of a closure.
    public static func retrier(using closure: @escaping RetryHandler) -> Retrier { Retrier(closure) }
}
