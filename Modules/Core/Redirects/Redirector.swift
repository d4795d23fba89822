public import AirframeLayers

/// The usual decisions on redirects.
public struct Redirector: Sendable {
    /// What to do.
    public enum Behavior: Sendable {
        /// Follow.
        case follow
        /// Take the response that redirects as the answer.
        case doNotFollow
        /// Send what the closure returns; `nil` takes the response that redirects as the answer.
        case modify(@Sendable (URLSessionTask, URLRequest, HTTPURLResponse) -> URLRequest?)
    }

    /// Follows every redirect.
    public static let follow = Redirector(behavior: .follow)
    /// Follows none.
    public static let doNotFollow = Redirector(behavior: .doNotFollow)

    /// What to do.
    public let behavior: Behavior

    /// What the redirects may do; `nil` for what the session's configuration says.
    public let redirectRules: RedirectRules?

    /// Makes a redirector that goes by the rules of the session's configuration.
    public init(behavior: Behavior) { self.init(behavior: behavior, rules: nil) }

    /// Makes a redirector.
    ///
    /// - Parameters:
    ///   - behavior: What to do.
    ///   - rules: What the redirects may do; `nil` for what the session's configuration says.
    public init(behavior: Behavior, rules: RedirectRules?) {
        self.behavior = behavior
        redirectRules = rules
    }
}

extension Redirector: RedirectHandler {
    /// Does as ``behavior`` says.
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
    /// Follows none.
    public static var doNotFollow: Redirector { .doNotFollow }

    /// Sends what a closure returns; `nil` takes the response that redirects as the answer.
    public static func modify(
        using closure: @escaping @Sendable (URLSessionTask, URLRequest, HTTPURLResponse) -> URLRequest?
    ) -> Redirector {
        Redirector(behavior: .modify(closure))
    }
}
