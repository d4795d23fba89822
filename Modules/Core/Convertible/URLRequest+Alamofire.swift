extension URLRequest {
    /// Creates a request.
    ///
    /// - Parameters:
    ///   - url: The URL.
    ///   - method: Its method.
    ///   - headers: Its header fields; `nil` for none.
    /// - Throws: The error of ``URLConvertible/asURL()``.
    public init(url: any URLConvertible, method: HTTPMethod, headers: HTTPHeaders? = nil) throws {
        if let text = url as? String {
            guard let known = KnownURL.find(text) else { throw AFError.invalidURL(url: text) }
            self.init(known)
        } else {
            self.init(url: try url.asURL())
        }
        if method != .get { self.method = method }
        if let headers { self.headers = headers }
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
