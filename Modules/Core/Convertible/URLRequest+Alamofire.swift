extension URLRequest {
    /// Makes a request.
    ///
    /// - Parameters:
    ///   - url: Where it goes.
    ///   - method: Its method.
    ///   - headers: Its header fields; `nil` for none.
    /// - Throws: What ``URLConvertible/asURL()`` throws.
    public init(url: any URLConvertible, method: HTTPMethod, headers: HTTPHeaders? = nil) throws {
        let url = try url.asURL()
        self.init(url: url)
        self.method = method
        if let headers { self.headers = headers }
    }

    /// The method, typed.
    public var method: HTTPMethod? {
        get { httpMethod.map(HTTPMethod.init(rawValue:)) }
        set { httpMethod = newValue?.rawValue }
    }

    /// Refuses what URLSession refuses: a `GET` with a body.
    ///
    /// - Throws: ``AFError/urlRequestValidationFailed(reason:)``.
    public func validate() throws {
        guard method == .get, let httpBody else { return }
        throw AFError.urlRequestValidationFailed(reason: .bodyDataInGETRequest(httpBody))
    }
}
