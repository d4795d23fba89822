public import AirframeCookies
public import AirframeCore

extension URLSessionConfiguration {
    /// The storage of the session's cookies; `nil` for a session that neither sends nor stores any.
    ///
    /// Default configurations share ``HTTPCookieStorage/shared``, as on Apple's platforms; ephemeral ones have a
    /// storage of their own, in memory. A server that acts for several users needs a storage for each, or none.
    public var httpCookieStorage: HTTPCookieStorage? {
        get {
            switch cookieStorageState {
            case .shared: .shared
            case .own: ownCookieStorage(orElse: HTTPCookieStorage()) as? HTTPCookieStorage
            case .none: nil
            case .object(let storage): storage as? HTTPCookieStorage
            }
        }
        set { cookieStorageState = newValue.map { .object($0) } ?? .none }
    }

    /// The policy on storing cookies. The ``httpCookieStorage`` has its own policy; the stricter of the two applies. By
    /// default, cookies of the domain of a request's `mainDocumentURL`, and all cookies if a request has no such URL.
    public var httpCookieAcceptPolicy: HTTPCookie.AcceptPolicy {
        get { cookieAcceptPolicyValue.flatMap(HTTPCookie.AcceptPolicy.init) ?? .onlyFromMainDocumentDomain }
        set { cookieAcceptPolicyValue = newValue.rawValue }
    }
}
