internal import HTTPTypes

// The types of swift-http-types write out what is in them, with every secret of a URL. What is interpolated into a log is
// our own, and hides them.

extension HTTPRequest {
    /// Method and URL, as far as there is one, without secrets.
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
    /// What happened, without secrets, and when.
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
        default: nameWithValue(of: self)
        }
    }

    /// The same as ``description``.
    public var debugDescription: String { description }
}

extension TransportDecision: CustomStringConvertible, CustomDebugStringConvertible {
    /// What was decided, without secrets, and why.
    public var description: String { "\(kind): \(RedactionPolicy.standard.sentence(reason))" }

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
        case .waitsForConnectivity: "waitsForConnectivity"
        case .connectivityReturned: "connectivityReturned"
        case .upgradedToHTTPS(let next): "upgradedToHTTPS(\(next.redactedDescription))"
        default: nameWithValue(of: self)
        }
    }

    /// The same as ``description``.
    public var debugDescription: String { description }
}

/// The name of a case and the value that belongs to it, as an enumeration without a description of its own shows them.
private func nameWithValue(of value: Any) -> String {
    guard let child = Mirror(reflecting: value).children.first, let name = child.label else { return "unknown" }
    let text = "\(child.value)"
    return text.hasPrefix("(") ? name + text : "\(name)(\(text))"
}
