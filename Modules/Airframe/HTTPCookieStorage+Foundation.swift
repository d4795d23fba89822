public import AirframeCookies
public import AirframeCore
public import Foundation

/// The members of Foundation's storage that need Foundation or a task.
extension HTTPCookieStorage {
    /// Returns all cookies, sorted.
    ///
    /// - Parameter sortOrder: The sort descriptors, the most important first. They need a key path or a comparator:
    ///   Linux has no lookup of properties by name.
    public func sortedCookies(using sortOrder: [NSSortDescriptor]) -> [HTTPCookie] {
        (cookies ?? []).sorted { left, right in
            for descriptor in sortOrder {
                switch descriptor.compare(left, to: right) {
                case .orderedAscending: return true
                case .orderedDescending: return false
                case .orderedSame: continue
                }
            }
            return false
        }
    }

    /// Stores the cookies of the response to a task's current request that the policy accepts.
    ///
    /// - Parameters:
    ///   - cookies: The cookies.
    ///   - task: The task. Nothing is stored for one without a request.
    public func storeCookies(_ cookies: [HTTPCookie], for task: URLSessionTask) {
        guard let request = task.currentRequest ?? task.originalRequest, let url = request.url else { return }
        setCookies(cookies, for: url, mainDocumentURL: request.mainDocumentURL)
    }

    /// Finds the cookies for a task's current request.
    ///
    /// - Parameters:
    ///   - task: The task.
    ///   - completionHandler: Called immediately, on the caller's thread, with the cookies in the order of the `Cookie`
    ///     field; with `nil` for a task without a request.
    public func getCookiesFor(_ task: URLSessionTask, completionHandler: @escaping @Sendable ([HTTPCookie]?) -> Void) {
        completionHandler(cookies(for: task))
    }

    /// Returns the cookies for a task's current request, in the order of the `Cookie` field; `nil` for a task without a
    /// request.
    public func cookies(for task: URLSessionTask) -> [HTTPCookie]? {
        (task.currentRequest ?? task.originalRequest)?.url.flatMap { cookies(for: $0) }
    }
}

extension HTTPCookie {
    /// `nil`: RFC 6265 removed the attribute `Port`. A cookie applies to all ports of its host (RFC 6265bis §8.5).
    public var portList: [NSNumber]? { nil }
}
