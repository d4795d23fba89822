public import AirframeCookies
public import AirframeCore
public import Foundation

/// What Foundation's storage has and needs Foundation, or a task.
extension HTTPCookieStorage {
    /// All cookies, sorted.
    ///
    /// - Parameter sortOrder: What to sort by, the most important first. Descriptors need a key path or a comparator:
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

    /// Stores the cookies that came in response to a task's current request, as far as the policy accepts them.
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
    ///   - completionHandler: Called at once, on the caller's thread, with the cookies in the order of the `Cookie`
    ///     field; with `nil` for a task without a request.
    public func getCookiesFor(_ task: URLSessionTask, completionHandler: @escaping @Sendable ([HTTPCookie]?) -> Void) {
        completionHandler(cookies(for: task))
    }

    /// The cookies for a task's current request, in the order of the `Cookie` field; `nil` for a task without one.
    public func cookies(for task: URLSessionTask) -> [HTTPCookie]? {
        (task.currentRequest ?? task.originalRequest)?.url.flatMap { cookies(for: $0) }
    }
}

extension HTTPCookie {
    /// `nil`: RFC 6265 took the attribute `Port` out. A cookie is for all ports of its host (RFC 6265bis §8.5).
    public var portList: [NSNumber]? { nil }
}
