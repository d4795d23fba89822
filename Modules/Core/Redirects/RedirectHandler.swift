public import AirframeLayers

/// Decides on redirects.
public protocol RedirectHandler: Sendable {
    /// The rules for the redirects of its requests; `nil`, the default, for those of the session's configuration.
    var redirectRules: RedirectRules? { get }

    /// Decides on a redirect.
    ///
    /// - Parameters:
    ///   - task: The task whose response redirects.
    ///   - request: The request that would follow.
    ///   - response: The response that redirects.
    ///   - completion: Receives the request to send, or `nil` to end with the redirect's response.
    func task(
        _ task: URLSessionTask,
        willBeRedirectedTo request: URLRequest,
        for response: HTTPURLResponse,
        completion: @escaping (URLRequest?) -> Void
    )
}

extension RedirectHandler {
    /// The session's rules.
    public var redirectRules: RedirectRules? { nil }
}
