/// A request's settings for any cookie layer.
///
/// A request carries them under the type itself: `request[CookieContext.self]`. The cookie layer of AirframeCookies has
/// further settings.
public struct CookieContext: TransportRequestKey, Sendable, Hashable {
    /// Whether stored cookies are added to the request and the response's cookies are stored.
    public var isHandled: Bool

    /// The origin of the document that the request belongs to: the "site for cookies" (RFC 6265bis §5.2). `nil` for a
    /// request that belongs to no document, which is same-site with every server.
    public var firstParty: Origin?

    /// Describes how a request treats cookies.
    ///
    /// - Parameters:
    ///   - isHandled: Whether stored cookies are added and the response's cookies are stored.
    ///   - firstParty: The origin of the document that the request belongs to.
    public init(isHandled: Bool = true, firstParty: Origin? = nil) {
        self.isHandled = isHandled
        self.firstParty = firstParty
    }

    /// Cookies are handled, and the request belongs to no document.
    public static let defaultValue = CookieContext()
}
