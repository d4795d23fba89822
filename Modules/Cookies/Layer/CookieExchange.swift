internal import AirframeTransport
internal import HTTPTypes

/// The cookie settings of one exchange, combined from the layer, the session and the request.
struct CookieExchange {
    let jar: CookieJar
    /// Whether cookies are sent and stored at all.
    let isHandled: Bool
    /// Whether the policies accept cookies of the response.
    let isAccepted: Bool
    let filter: (@Sendable (HTTPCookie, CookieUse, HTTPRequest) -> Bool)?
    /// The properties that cookies depend on; `nil` for a request without a valid target.
    let request: CookieRequest?

    init(_ layer: CookieLayer, _ sent: TransportRequest) {
        let settings = sent[CookieSettings.self]
        let context = sent[CookieContext.self]
        jar = settings.jar ?? layer.storage.jar
        isHandled = context.isHandled
        filter = settings.filter
        var request = CookieRequest(sent.head)
        request?.firstParty = settings.siteForCookies ?? context.firstParty
        request?.isTopLevelNavigation = settings.isTopLevelNavigation
        self.request = request
        switch settings.acceptPolicy ?? layer.acceptPolicy.stricter(layer.storage.cookieAcceptPolicy) {
        case .always: isAccepted = true
        case .never: isAccepted = false
        case .onlyFromMainDocumentDomain: isAccepted = request?.isOfFirstPartyDomain ?? false
        }
    }
}
