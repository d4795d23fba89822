public import AirframeLayers

/// Decides on redirects.
public protocol RedirectHandler: Sendable {
    /// What the redirects of its requests may do; `nil`, by default, for what the session's configuration says.
    var redirectRules: RedirectRules? { get }

    /// Decides on one.
    ///
    /// - Parameters:
    ///   - task: The task whose response redirects.
    ///   - request: The request that would follow.
    ///   - response: The response that redirects.
    ///   - completion: Takes the request to send, or `nil` to take the response as it is.
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
