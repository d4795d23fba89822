public import AirframeCore
public import Foundation

/// Inspects and changes a `URLRequest` before it is sent, as in Alamofire 4.
@available(*, deprecated, message: "use Airframe's RequestAdapter, which has a completion")
public protocol RequestAdapter {
    /// The request to send in place of `urlRequest`.
    ///
    /// - Throws: Any error; the request fails with it.
    func adapt(_ urlRequest: URLRequest) throws -> URLRequest
}

/// Receives whether to retry, and after how many seconds.
@available(*, deprecated, message: "use RetryResult")
public typealias RequestRetryCompletion = (_ shouldRetry: Bool, _ timeDelay: TimeInterval) -> Void

/// Decides whether a failed request is retried, as in Alamofire 4.
@available(*, deprecated, message: "use Airframe's RequestRetrier, which answers with a RetryResult")
public protocol RequestRetrier {
    /// Decides on one failure.
    ///
    /// - Parameters:
    ///   - manager: The manager of the request.
    ///   - request: The request that failed.
    ///   - error: Why.
    ///   - completion: Receives whether to retry, and after how many seconds.
    func should(
        _ manager: SessionManager,
        retry request: Request,
        with error: any Error,
        completion: @escaping RequestRetryCompletion
    )
}

/// What a URL is made of, as in Alamofire 3.
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
