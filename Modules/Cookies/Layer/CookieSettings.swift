public import AirframeTransport
public import HTTPTypes

/// How one request treats cookies, where it differs from its session.
///
/// ```swift
/// import Airframe
///
/// func login(of user: CookieJar) async throws -> String {
///     try await AF.request("https://api.test/login", requestModifier: { $0[CookieSettings.self].jar = user })
///         .serializingString().value
/// }
/// ```
public struct CookieSettings: TransportRequestKey, Sendable {
    /// The jar of this request, in place of the session's.
    public var jar: CookieJar?
    /// Which cookies of responses are stored, in place of the session's policy.
    public var acceptPolicy: HTTPCookie.AcceptPolicy?
    /// The document that the request belongs to; `nil` leaves it to the request's `mainDocumentURL`.
    public var siteForCookies: Origin?
    /// Whether the request navigates to a new document, so that `SameSite=Lax` cookies are sent from other sites too.
    public var isTopLevelNavigation = false
    /// Asked about each cookie before it is sent or stored, with the request's head; `nil` allows all that the rules
    /// and the policy allow. It runs on the request's task, and must not block.
    public var filter: (@Sendable (HTTPCookie, CookieUse, HTTPRequest) -> Bool)?

    /// Settings that change nothing.
    public init() {}

    /// Settings that change nothing.
    public static let defaultValue = CookieSettings()
}

/// What is about to happen with a cookie.
public enum CookieUse: Sendable, Hashable {
    /// It is sent with a request.
    case send
    /// It came with a response, and is stored.
    case store
}
