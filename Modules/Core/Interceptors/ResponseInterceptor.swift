public import AirframeTransport
public import Foundation
internal import HTTPTypes
internal import Synchronization

/// Sees each response before the request receives its body, and may change or replace it: unwrap an envelope,
/// translate a format, change the status.
///
/// The response has passed all layers: redirects have been followed and content has been decoded. Validation and
/// serialization see the interceptor's result. If the interceptor throws, the request fails with the error, and its
/// retriers are called.
///
/// ```swift
/// struct Unwrapping: ResponseInterceptor {
///     func intercept(_ response: TransportResponse, to request: Request) async throws -> TransportResponse {
///         let data = try await response.body.collect(upTo: 1 << 20)
///         return response.replacingContent(with: try unwrap(data))
///     }
/// }
/// configuration.responseInterceptors = [Unwrapping()]
/// ```
public protocol ResponseInterceptor: Sendable {
    /// Returns the response for the request.
    ///
    /// - Parameters:
    ///   - response: The response; its body has not been read.
    ///   - request: The request, for its tags and values, and for the `URLRequest`.
    /// - Returns: The response for the next interceptor or the request.
    /// - Throws: Any error. The request fails with it, unless a retrier repeats it.
    func intercept(_ response: TransportResponse, to request: Request) async throws -> TransportResponse
}

/// A response interceptor that calls a closure.
public struct ClosureResponseInterceptor: ResponseInterceptor {
    /// Returns the response for a request.
    public typealias Body = @Sendable (TransportResponse, Request) async throws -> TransportResponse

    private let body: Body

    /// Creates an interceptor that calls `body`.
    public init(_ body: @escaping Body) { self.body = body }

    /// Calls the closure.
    ///
    /// - Throws: The error of the closure.
    public func intercept(_ response: TransportResponse, to request: Request) async throws -> TransportResponse {
        try await body(response, request)
    }
}

extension Request {
    /// Adds a response interceptor after the session's interceptors and those that the request has.
    @discardableResult
    public func responseInterceptor(_ interceptor: any ResponseInterceptor) -> Self {
        mutable.withLock { $0.withHandlers { $0.responseInterceptors.append(interceptor) } }
        return self
    }

    /// Adds a closure that may change each response: see ``ResponseInterceptor``.
    @discardableResult
    public func interceptResponse(_ body: @escaping ClosureResponseInterceptor.Body) -> Self {
        responseInterceptor(ClosureResponseInterceptor(body))
    }

    /// Passes `response` through the interceptors of the session and of the request.
    func intercepted(_ response: TransportResponse) async throws -> TransportResponse {
        var response = response
        for interceptor in context.responseInterceptors + ownResponseInterceptors {
            response = try await interceptor.intercept(response, to: self)
        }
        return response
    }

    /// Whether there are response interceptors.
    var interceptsResponses: Bool {
        !context.responseInterceptors.isEmpty || (hasHandlers && !ownResponseInterceptors.isEmpty)
    }

    private var ownResponseInterceptors: [any ResponseInterceptor] {
        mutable.withLock { $0.handlers?.responseInterceptors ?? [] }
    }
}

extension TransportResponse {
    /// Returns this response with other content. `Content-Length` is set to the length of the new content; the head as
    /// it was received is kept in ``receivedHead``.
    ///
    /// - Parameters:
    ///   - data: The content.
    ///   - contentType: The content's media type; `nil` keeps the field.
    public func replacingContent(with data: Data, contentType: String? = nil) -> TransportResponse {
        var response = self
        response.receivedHead = receivedHead ?? head
        response.head.headerFields[.contentLength] = "\(data.count)"
        if let contentType { response.head.headerFields[.contentType] = contentType }
        response.body = ResponseBody(data, trailers: body.trailers)
        return response
    }
}
