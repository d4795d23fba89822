internal import AirframeTransport
internal import HTTPTypes

// The cookies and the credential that a session adds to a request from its storages, for the request's curl command.

extension Request {
    /// Returns the parts of `urlRequest` that its cookies and its credential depend on: the head, and the values for
    /// layers. Returns `nil` if it has no valid head.
    func outline(of urlRequest: URLRequest) -> TransportRequest? {
        guard var head = try? urlRequest.head() else { return nil }
        head.headerFields = context.fields(with: head.headerFields, sendsAccept: sendsAccept)
        var outline = TransportRequest(head)
        if let context = urlRequest.cookieContext { outline[CookieContext.self] = context }
        if let values = urlRequest.layerValues { outline.adopt(values) }
        return outline
    }

    /// Returns the cookies that a layer of the session adds to a request, each as in a `Cookie` field.
    func storedCookies(for outline: TransportRequest) -> [String] {
        for layer in sequence(first: context.transport, next: { $0.asLayer?.base }) {
            if let source = layer as? any StoredCookieSource { return source.storedCookies(for: outline) }
        }
        return []
    }

    /// Returns the credential of the session's storage with which a layer answers challenges to a request without a
    /// credential.
    func storedCredential(for outline: TransportRequest) -> URLCredential? {
        guard context.answersChallenges, !outline.head.headerFields.has(.authorization),
            let origin = Origin(outline.head)
        else { return nil }
        return context.credentialStorage?.credential(for: origin)
    }
}
