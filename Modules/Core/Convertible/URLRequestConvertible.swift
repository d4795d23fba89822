/// What can be made into a request.
public protocol URLRequestConvertible: Sendable {
    /// The request.
    ///
    /// - Throws: Any error; the request that was to be made fails with it.
    func asURLRequest() throws -> URLRequest
}

extension URLRequestConvertible {
    /// The request, or `nil` when it cannot be made.
    public var urlRequest: URLRequest? { try? asURLRequest() }
}

extension URLRequest: URLRequestConvertible {
    /// The request itself.
    public func asURLRequest() throws -> URLRequest { self }
}
