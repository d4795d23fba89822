extension URLRequest {
    /// Creates a request.
    ///
    /// - Parameters:
    ///   - url: The URL.
    ///   - method: Its method.
    ///   - headers: Its header fields; `nil` for none.
    /// - Throws: The error of ``URLConvertible/asURL()``.
    public init(url: any URLConvertible, method: HTTPMethod, headers: HTTPHeaders? = nil) throws {
        self = try Self.make(url, method, headers)
    }

    /// Creates a request. Not an initializer, which takes ownership of its arguments, so that its caller copies them.
    static func make(_ url: any URLConvertible, _ method: HTTPMethod, _ headers: HTTPHeaders?) throws -> URLRequest {
        var request: URLRequest
        if let text = url as? String {
            guard let known = KnownURL.find(text) else { throw AFError.invalidURL(url: text) }
            request = URLRequest(known)
        } else {
            request = URLRequest(url: try url.asURL())
        }
        if method != .get { request.method = method }
        if let headers { request.headers = headers }
        return request
    }

    /// The method as an ``HTTPMethod``.
    public var method: HTTPMethod? {
        get { httpMethod.map(HTTPMethod.init(rawValue:)) }
        set { httpMethod = newValue?.rawValue }
    }

    /// Validates the request as `URLSession` does: rejects a `GET` with a body.
    ///
    /// - Throws: ``AFError/urlRequestValidationFailed(reason:)``.
    public func validate() throws {
        guard let httpBody, method == .get else { return }
        throw AFError.urlRequestValidationFailed(reason: .bodyDataInGETRequest(httpBody))
    }
}
