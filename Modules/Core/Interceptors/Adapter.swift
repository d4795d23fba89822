/// An adapter that calls a closure. As an interceptor it does not retry.
///
/// `@unchecked Sendable` because the class is open: its own property is immutable, and subclasses are responsible for
/// the properties that they add.
open class Adapter: RequestInterceptor, @unchecked Sendable {
    private let adaptHandler: AdaptHandler

    /// Creates an adapter that calls `adaptHandler`.
    public init(_ adaptHandler: @escaping AdaptHandler) { self.adaptHandler = adaptHandler }

    /// Calls the closure.
    open func adapt(
        _ urlRequest: URLRequest,
        for session: Session,
        completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void
    ) {
        adaptHandler(urlRequest, session, completion)
    }

    /// Calls the closure.
    open func adapt(
        _ urlRequest: URLRequest,
        using state: RequestAdapterState,
        completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void
    ) {
        adaptHandler(urlRequest, state.session, completion)
    }
}

extension RequestAdapter where Self == Adapter {
    /// Returns an adapter that calls `closure`.
    public static func adapter(using closure: @escaping AdaptHandler) -> Adapter { Adapter(closure) }
}
