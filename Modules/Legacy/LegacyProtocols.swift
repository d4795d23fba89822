public import AirframeCore
public import Foundation

/// An adapter of requests before they are sent, as in Alamofire 4.
@available(*, deprecated, message: "use Airframe's RequestAdapter, which has a completion")
public protocol RequestAdapter {
    /// Returns the request to send in place of `urlRequest`.
    ///
    /// - Throws: Any error; the request fails with it.
    func adapt(_ urlRequest: URLRequest) throws -> URLRequest
}

/// A closure that receives whether to retry, and the delay in seconds.
@available(*, deprecated, message: "use RetryResult")
public typealias RequestRetryCompletion = (_ shouldRetry: Bool, _ timeDelay: TimeInterval) -> Void

/// A retrier of failed requests, as in Alamofire 4.
@available(*, deprecated, message: "use Airframe's RequestRetrier, which completes with a RetryResult")
public protocol RequestRetrier {
    /// Decides whether to retry after a failure.
    ///
    /// - Parameters:
    ///   - manager: The manager of the request.
    ///   - request: The request that failed.
    ///   - error: The error of the request.
    ///   - completion: A closure that receives whether to retry, and the delay in seconds.
    func should(
        _ manager: SessionManager,
        retry request: Request,
        with error: any Error,
        completion: @escaping RequestRetryCompletion
    )
}

/// A type that converts to a URL, as in Alamofire 3.
@available(*, deprecated, renamed: "URLConvertible")
public protocol URLStringConvertible {
    /// The URL's text.
    var URLString: String { get }
}

@available(*, deprecated)
extension String: URLStringConvertible {
    /// The text itself.
    public var URLString: String { self }
}

@available(*, deprecated)
extension URL: URLStringConvertible {
    /// The URL's text.
    public var URLString: String { absoluteString }
}

@available(*, deprecated)
extension URLRequest: URLStringConvertible {
    /// The URL's text; empty without a URL.
    public var URLString: String { url?.absoluteString ?? "" }
    /// The URL's text; empty without a URL.
    public var urlString: String { URLString }
}
