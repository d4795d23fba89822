public import AirframeTransport
public import HTTPTypes

/// A request's own word on its redirects.
///
/// The value takes the response that asks for a redirect and the head of the request that would follow it; it returns
/// what is to follow, with that head or another, or `nil` to hand out the response as it is. Without a value every
/// redirect is followed.
///
/// The proposed request may lead where HTTP does not go: with the scheme of an app, or without scheme, authority and
/// path where the location is no URL. Returning such a request fails with ``TransportError/Code/invalidRedirect``. What
/// is returned is sent as it stands: no field is removed from it once more.
public enum RedirectDecision: TransportRequestKey {
    /// Decides on one redirect.
    public typealias Value = (@Sendable (HTTPResponse, HTTPRequest) async -> RedirectedRequest?)?
    /// No word: follow.
    public static var defaultValue: Value { nil }
}

/// What follows a redirect: a head and, where the redirect's own is not meant, a body.
public struct RedirectedRequest: Sendable {
    /// Method, URL and fields.
    public var head: HTTPRequest
    /// The body to send; `nil` for what the redirect leaves of the request's own.
    public var body: RequestBody?

    /// Makes what follows a redirect.
    ///
    /// - Parameters:
    ///   - head: Method, URL and fields.
    ///   - body: The body to send; `nil` for what the redirect leaves of the request's own.
    public init(_ head: HTTPRequest, body: RequestBody? = nil) {
        self.head = head
        self.body = body
    }
}

extension RedirectedRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Method and URL, without secrets.
    public var description: String { head.redactedDescription }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// Method and URL, so that `dump` shows no secret either.
    public var customMirror: Mirror { Mirror(self, children: ["head": description]) }
}
