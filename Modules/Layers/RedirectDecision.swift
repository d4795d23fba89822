public import AirframeTransport
public import HTTPTypes

/// The key of a request's decision on its redirects.
///
/// The closure receives the redirect response and the head of the request that would follow it. It returns the request
/// to send, with that head or another, or `nil` to return the response to the caller. Without a closure, every redirect
/// that the ``RedirectRules`` allow is followed.
///
/// The proposed request may not be an HTTP request: it can have the scheme of an app, or, if the location is not a URL,
/// no scheme, authority and path. Returning such a request fails with ``TransportError/Code/invalidRedirect``. The
/// returned request is sent unchanged: no further field is removed from it.
public enum RedirectDecision: TransportRequestKey {
    /// Decides on one redirect.
    public typealias Value = (@Sendable (HTTPResponse, HTTPRequest) async -> RedirectedRequest?)?
    /// No closure: every redirect that the ``RedirectRules`` allow is followed.
    public static var defaultValue: Value { nil }
}

/// The request that follows a redirect: a head and, optionally, a replacement for the body.
public struct RedirectedRequest: Sendable {
    /// Method, URL and fields.
    public var head: HTTPRequest
    /// The body to send; `nil` for the request's own body, if the redirect keeps it.
    public var body: RequestBody?

    /// Creates the request that follows a redirect.
    ///
    /// - Parameters:
    ///   - head: Method, URL and fields.
    ///   - body: The body to send; `nil` for the request's own body, if the redirect keeps it.
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
