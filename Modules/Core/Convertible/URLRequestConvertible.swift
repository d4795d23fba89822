/// A type that can be converted to a `URLRequest`.
public protocol URLRequestConvertible: Sendable {
    /// Returns the request.
    ///
    /// - Throws: Any error; the request fails with it.
    func asURLRequest() throws -> URLRequest
}

extension URLRequestConvertible {
    /// The request, or `nil` if it cannot be made.
    public var urlRequest: URLRequest? { try? asURLRequest() }
}

extension URLRequest: URLRequestConvertible {
    /// Returns the request itself.
    public func asURLRequest() throws -> URLRequest { self }
}
