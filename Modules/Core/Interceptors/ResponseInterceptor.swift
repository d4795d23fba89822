public import AirframeTransport
public import Foundation
internal import HTTPTypes
internal import Synchronization

/// Looks at each response before the request takes its body, and may change it or put another in its place: unwrap an
/// envelope, translate a format, turn a status of the server's into another.
///
/// A response has passed all layers: redirects are followed, content is decoded. It is validated and serialized as the
/// interceptor leaves it. What the interceptor throws fails the request, and retriers are asked about it.
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
    /// Returns the response that the request is to have.
    ///
    /// - Parameters:
    ///   - response: The response; its body has not been read.
    ///   - request: The request, for its tags and values, and for the `URLRequest`.
    func intercept(_ response: TransportResponse, to request: Request) async throws -> TransportResponse
}

/// A closure that intercepts responses.
public struct ClosureResponseInterceptor: ResponseInterceptor {
    /// Returns the response that a request is to have.
    public typealias Body = @Sendable (TransportResponse, Request) async throws -> TransportResponse

    private let body: Body

    /// Wraps `body`.
    public init(_ body: @escaping Body) { self.body = body }

    /// Calls the closure.
    public func intercept(_ response: TransportResponse, to request: Request) async throws -> TransportResponse {
        try await body(response, request)
    }
}

extension Request {
    /// Adds an interceptor of responses, which follows the session's and those that the request has.
    @discardableResult
    public func responseInterceptor(_ interceptor: any ResponseInterceptor) -> Self {
        mutable.withLock { $0.withHandlers { $0.responseInterceptors.append(interceptor) } }
        return self
    }

    /// Adds a closure that looks at each response and may change it: see ``ResponseInterceptor``.
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

    /// Whether anybody intercepts responses.
    var interceptsResponses: Bool {
        !context.responseInterceptors.isEmpty || (hasHandlers && !ownResponseInterceptors.isEmpty)
    }

    private var ownResponseInterceptors: [any ResponseInterceptor] {
        mutable.withLock { $0.handlers?.responseInterceptors ?? [] }
    }
}

extension TransportResponse {
    /// This response with other content. `Content-Length` is that of the new content; the head as it was received is
    /// kept in ``receivedHead``.
    ///
    /// - Parameters:
    ///   - data: The content.
    ///   - contentType: Its media type; `nil` leaves the field as it is.
    public func replacingContent(with data: Data, contentType: String? = nil) -> TransportResponse {
        var response = self
        response.receivedHead = receivedHead ?? head
        response.head.headerFields[.contentLength] = "\(data.count)"
        if let contentType { response.head.headerFields[.contentType] = contentType }
        response.body = ResponseBody(data, trailers: body.trailers)
        return response
    }
}
