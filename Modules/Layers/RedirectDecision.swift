public import AirframeTransport
public import HTTPTypes

/// A request's own word on its redirects.
///
/// The value takes the response that asks for a redirect and the request that would follow it; it returns that request,
/// another one, or `nil` to hand out the response as it is. Without a value every redirect is followed.
///
/// The proposed request may lead where HTTP does not go: with the scheme of an app, or without scheme, authority and
/// path where the location is no URL. Returning such a request fails with ``TransportError/Code/invalidRedirect``. What
/// is returned is sent as it stands: no field is removed from it once more.
public enum RedirectDecision: TransportRequestKey {
    /// Decides on one redirect.
    public typealias Value = (@Sendable (HTTPResponse, HTTPRequest) async -> HTTPRequest?)?
    /// No word: follow.
    public static var defaultValue: Value { nil }
}
