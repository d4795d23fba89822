public import AirframeTransport
public import HTTPTypes

/// The cookie settings of one request, if they differ from its session's.
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
    /// The cookies of responses that are stored, in place of the session's policy.
    public var acceptPolicy: HTTPCookie.AcceptPolicy?
    /// The origin of the document that the request belongs to; `nil` for that of the request's `mainDocumentURL`.
    public var siteForCookies: Origin?
    /// Whether the request navigates to a new document, so that `SameSite=Lax` cookies are sent cross-site too.
    public var isTopLevelNavigation = false
    /// Decides on each cookie before it is sent or stored, given the request's head; `nil` accepts all that the rules
    /// and the policy accept. It runs on the request's task, and must not block. It also runs where the request is
    /// described as a curl command.
    public var filter: (@Sendable (HTTPCookie, CookieUse, HTTPRequest) -> Bool)?

    /// Settings that change nothing.
    public init() {}

    /// Settings that change nothing.
    public static let defaultValue = CookieSettings()
}

/// A use of a cookie that a filter decides on.
public enum CookieUse: Sendable, Hashable {
    /// The cookie is to be sent with a request.
    case send
    /// The cookie of a response is to be stored.
    case store
}
