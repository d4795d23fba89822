public import AirframeLayers

/// A handler with the common decisions on redirects.
public struct Redirector: Sendable {
    /// The decision.
    public enum Behavior: Sendable {
        /// Follows the redirect.
        case follow
        /// Ends with the redirect's response.
        case doNotFollow
        /// Sends the closure's request, or ends with the redirect's response if it returns `nil`.
        case modify(@Sendable (URLSessionTask, URLRequest, HTTPURLResponse) -> URLRequest?)
    }

    /// Follows every redirect that the ``RedirectRules`` allow.
    public static let follow = Redirector(behavior: .follow)
    /// Follows no redirect.
    public static let doNotFollow = Redirector(behavior: .doNotFollow)

    /// The decision.
    public let behavior: Behavior

    /// The rules for the redirects; `nil` for those of the session's configuration.
    public let redirectRules: RedirectRules?

    /// Creates a redirector with the rules of the session's configuration.
    public init(behavior: Behavior) { self.init(behavior: behavior, rules: nil) }

    /// Creates a redirector.
    ///
    /// - Parameters:
    ///   - behavior: The decision.
    ///   - rules: The rules for the redirects; `nil` for those of the session's configuration.
    public init(behavior: Behavior, rules: RedirectRules?) {
        self.behavior = behavior
        redirectRules = rules
    }
}

extension Redirector: RedirectHandler {
    /// Decides according to ``behavior``.
    ///
    /// - Parameters:
    ///   - task: The task whose response redirects.
    ///   - request: The request that would follow.
    ///   - response: The response that redirects.
    ///   - completion: Receives the request to send, or `nil` to end with the redirect's response.
    public func task(
        _ task: URLSessionTask,
        willBeRedirectedTo request: URLRequest,
        for response: HTTPURLResponse,
        completion: @escaping (URLRequest?) -> Void
    ) {
        switch behavior {
        case .follow: completion(request)
        case .doNotFollow: completion(nil)
        case .modify(let closure): completion(closure(task, request, response))
        }
    }
}

extension RedirectHandler where Self == Redirector {
    /// Follows every redirect.
    public static var follow: Redirector { .follow }
    /// Follows no redirect.
    public static var doNotFollow: Redirector { .doNotFollow }

    /// Sends the request that a closure returns, or ends with the redirect's response if it returns `nil`.
    public static func modify(
        using closure: @escaping @Sendable (URLSessionTask, URLRequest, HTTPURLResponse) -> URLRequest?
    ) -> Redirector {
        Redirector(behavior: .modify(closure))
    }
}
