internal import HTTPTypes

// The descriptions of swift-http-types include the secrets of URLs. The descriptions of these types, which may be
// interpolated into logs, hide them.

extension HTTPRequest {
    /// Method and URL, without secrets. Missing parts of the URL are left out.
    package var redactedDescription: String {
        let origin = scheme.map { "\($0)://" } ?? ""
        return "\(method.rawValue) \(Redaction.url(origin + (authority ?? "") + (path ?? "")))"
    }
}

extension TransportRequest: CustomStringConvertible, CustomDebugStringConvertible {
    /// Method and URL, without secrets.
    public var description: String { head.redactedDescription }

    /// The same as ``description``.
    public var debugDescription: String { description }
}

extension TransportResponse: CustomStringConvertible, CustomDebugStringConvertible {
    /// The status, and the request that it answers, without secrets.
    public var description: String { "\(head.status.code) to \(request.redactedDescription)" }

    /// The same as ``description``.
    public var debugDescription: String { description }
}

extension TransportEvent: CustomStringConvertible, CustomDebugStringConvertible {
    /// The kind, without secrets, and the instant.
    public var description: String { "\(kind) at \(instant.nanoseconds) ns" }

    /// The same as ``description``.
    public var debugDescription: String { description }
}

extension TransportEvent.Kind: CustomStringConvertible, CustomDebugStringConvertible {
    /// The kind's name and what belongs to it, without secrets.
    public var description: String {
        switch self {
        case .started(let head): "started(\(head.redactedDescription))"
        case .tlsStarted: "tlsStarted"
        case .requestFinished: "requestFinished"
        case .trailers(let fields): "trailers(\(fields.count))"
        case .resolveStarted(let host): "resolveStarted(host: \(host.debugDescription))"
        case .resolveFinished(let addresses): "resolveFinished(addresses: \(addresses))"
        case .connectStarted(let address): "connectStarted(\(address))"
        case .connectFinished(let address): "connectFinished(\(address))"
        case .connectFailed(let address, let error): "connectFailed(\(address), \(error))"
        case .proxyStarted(let address): "proxyStarted(\(address))"
        case .proxyFinished(let status): "proxyFinished(status: \(text(status)))"
        case .tlsFinished(let description): "tlsFinished(\(description))"
        case .connectionAcquired(let connection): "connectionAcquired(\(connection))"
        case .requestHeadSent(let count): "requestHeadSent(byteCount: \(text(count)))"
        case .requestBodySent(let count, let total): "requestBodySent(byteCount: \(count), total: \(total))"
        case .informationalResponse(let head): "informationalResponse(\(head.status.code))"
        case .responseHead(let head, let count): "responseHead(\(head.status.code), byteCount: \(text(count)))"
        case .responseBodyReceived(let count, let total): "responseBodyReceived(byteCount: \(count), total: \(total))"
        case .responseBodyDecoded(let count, let total): "responseBodyDecoded(byteCount: \(count), total: \(total))"
        case .released(let fate): "released(\(fate))"
        case .failed(let error): "failed(\(error))"
        case .decided(let decision): "decided(\(decision))"
        }
    }

    /// The same as ``description``.
    public var debugDescription: String { description }
}

extension TransportDecision: CustomStringConvertible, CustomDebugStringConvertible {
    /// The decision, without secrets, and its reason.
    public var description: String { "\(kind): \(RedactionPolicy.standard.sentence(reason))".printable }

    /// The same as ``description``.
    public var debugDescription: String { description }
}

extension TransportDecision.Kind: CustomStringConvertible, CustomDebugStringConvertible {
    /// The kind's name and what belongs to it, without secrets.
    public var description: String {
        switch self {
        case .followedRedirect(let response, let next):
            "followedRedirect(\(response.status.code), next: \(next.redactedDescription))"
        case .refused: "refused"
        case .servedFromCache: "servedFromCache"
        case .cacheMiss: "cacheMiss"
        case .storedInCache: "storedInCache"
        case .notStoredInCache: "notStoredInCache"
        case .invalidatedInCache: "invalidatedInCache"
        case .cacheFailed: "cacheFailed"
        case .waitsForConnectivity: "waitsForConnectivity"
        case .connectivityReturned: "connectivityReturned"
        case .retried(let attempt): "retried(attempt: \(attempt))"
        case .refusedRedirect(let response): "refusedRedirect(\(response.status.code))"
        case .answeredChallenge(let scheme, let realm): "answeredChallenge(\(Self.words(scheme, realm)))"
        case .refusedChallenge(let scheme, let realm): "refusedChallenge(\(Self.words(scheme, realm)))"
        case .unansweredChallenge(let scheme, let realm): "unansweredChallenge(\(Self.words(scheme, realm)))"
        case .reusedConnection(let id): "reusedConnection(id: \(id))"
        case .routed(let engine): "routed(to: \(engine.debugDescription))"
        case .sentCookies(let names): "sentCookies(names: \(names))"
        case .storedCookie(let name, let domain):
            "storedCookie(name: \(name.debugDescription), domain: \(domain.debugDescription))"
        case .rejectedCookie(let name, let domain):
            "rejectedCookie(name: \(name.debugDescription), domain: \(domain.debugDescription))"
        case .upgradedToHTTPS(let next): "upgradedToHTTPS(\(next.redactedDescription))"
        case .hedged(let attempt): "hedged(attempt: \(attempt))"
        case .circuitOpened: "circuitOpened"
        case .circuitHalfOpened: "circuitHalfOpened"
        case .circuitClosed: "circuitClosed"
        }
    }

    /// The same as ``description``.
    public var debugDescription: String { description }
}

extension TransportDecision.Kind {
    private static func words(_ scheme: String, _ realm: String?) -> String {
        "scheme: \(scheme.debugDescription), realm: \(realm.map(\.debugDescription) ?? "nil")"
    }
}

private func text(_ number: Int?) -> String { number.map(String.init) ?? "nil" }
