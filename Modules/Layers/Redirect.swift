internal import AirframeTransport
internal import HTTPTypes

/// A redirect response and the request that it asks for.
struct Redirect {
    /// The response.
    let response: HTTPResponse
    /// The request that would follow it. If ``location`` is not a URL, the request has no scheme, authority and path.
    let next: HTTPRequest

    private let location: String
    private let keepsBody: Bool

    /// Reads a response; `nil` if it is not a redirect: another status, or no `Location`.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - head: The request that it answers.
    ///   - upgraded: Returns a head as it will be sent: a layer beneath may upgrade it to `https`.
    ///   - rules: The rules that name the fields to remove when the origin changes.
    init?(
        _ response: HTTPResponse,
        answering head: HTTPRequest,
        upgraded: (HTTPRequest) -> HTTPRequest = { $0 },
        by rules: () -> RedirectRules
    ) {
        let code = response.status.code
        guard code == 301 || code == 302 || code == 303 || code == 307 || code == 308 else { return nil }
        let locations = response.headerFields[values: .location]
        guard let location = locations.first else { return nil }
        self.response = response
        let becomesGet =
            (code == 303 && head.method != .head) || ((code == 301 || code == 302) && head.method == .post)
        keepsBody = !becomesGet

        var next = head
        if becomesGet {
            next.method = .get
            next.removeContentFields()
        }
        // Two different locations count as none: an attacker who can inject a field must not choose the target
        // (RFC 9110 §5.3).
        let isAmbiguous = locations.contains { $0 != location }
        let target = isAmbiguous ? nil : RedirectTarget(location, from: head)
        self.location = isAmbiguous ? locations.joined(separator: ", ") : location
        next.scheme = target?.scheme
        next.authority = target?.authority
        next.path = target?.path
        next = upgraded(next)
        if Origin(next) != Origin(head) {
            next.leaveOrigin(secrets: rules().secrets)
        }
        self.next = next
    }

    /// Returns `request` as it follows the redirect to `chosen`, which is ``next`` or the result of the request's
    /// ``RedirectDecision``.
    ///
    /// - Throws: ``TransportError/Code/invalidRedirect`` if `chosen` is not an HTTP URL,
    ///   ``TransportError/Code/redirectRefused`` if `rules` refuse it, ``TransportError/Code/bodyNotReplayable`` if the
    ///   body must be sent again and cannot be.
    func request(
        following request: TransportRequest,
        with chosen: RedirectedRequest,
        by rules: RedirectRules
    ) throws(TransportError) -> TransportRequest {
        let next = chosen.head
        guard let origin = Origin(next), origin.scheme == "http" || origin.scheme == "https" else {
            throw invalid(for: request)
        }
        let first = Origin(request.head)
        guard rules.allowScheme(from: first, to: origin) else {
            throw refused("leaves TLS (RedirectRules.downgrades)", from: request.head, to: next, urlErrorCode: -1022)
        }
        var following = request
        following.head = next
        if let body = chosen.body {
            following.body = body
        } else if !keepsBody || (next.method != request.head.method && (next.method == .get || next.method == .head)) {
            if !request.body.isNone { following.head.removeContentFields() }
            following.body = .none
        }
        if chosen.body == nil, !following.body.isNone, !rules.allowContent(from: first, to: origin) {
            throw refused(
                "would send the content to another origin (RedirectRules.contentToOtherOrigins)",
                from: request.head,
                to: next
            )
        }
        if following.body.replay == .oneShot {
            throw TransportError(
                .bodyNotReplayable,
                phase: .layer,
                processing: .unknown,
                message:
                    "a redirect to \(Redaction.url(next.path ?? "/")) asks for the body again, and it can be read only once",
                origin: Origin(request.head)
            )
        }
        if origin != first {
            if request.head.headerFields.has(.authorization) || request[RequestCredential.self] != nil {
                // The credential is dropped, and no other user's credential may replace it.
                following[OwnCredentialOnly.self] = true
            }
            // An identity belongs to the origin that it was set for. The request's security may have one for the next.
            following.identity = nil
        }
        return following
    }

    private func refused(
        _ reason: String,
        from first: HTTPRequest,
        to next: HTTPRequest,
        urlErrorCode: Int? = nil
    ) -> TransportError {
        TransportError(
            .redirectRefused,
            phase: .layer,
            processing: .unknown,
            message: "the redirect from \(first.shownURL) to \(next.shownURL) \(reason)",
            origin: Origin(first),
            urlErrorCode: urlErrorCode
        )
    }

    private func invalid(for request: TransportRequest) -> TransportError {
        // The server's text may be long, or contain terminal commands.
        let words = Redaction.invalidURL(location)
        let scalars = words.unicodeScalars
        let shown = scalars.count > 200 ? "\(String(scalars.prefix(200)))…" : words
        return TransportError(
            .invalidRedirect,
            phase: .layer,
            processing: .unknown,
            message: "the redirect's location \(shown.debugDescription) is not a valid http or https URL",
            origin: Origin(request.head)
        )
    }
}

extension HTTPRequest {
    /// The URL for an error message, without secrets.
    var shownURL: String { Redaction.url("\(scheme ?? "")://\(authority ?? "")\(path ?? "/")") }

    /// Removes the fields that are meant for one origin only (RFC 9110 §15.4, and §10.1.3 for `Referer`). `Host` is
    /// derived from the new authority.
    fileprivate mutating func leaveOrigin(secrets: RedactionPolicy) {
        let fields = headerFields.filter { secrets.isSecret($0) || Self.originFields.contains($0.name) }
        for name in Set(fields.map(\.name)) { headerFields[name] = nil }
    }

    /// The fields that are removed under every redaction policy.
    private static let originFields: Set<HTTPField.Name> = Set(
        [.authorization, .cookie, .proxyAuthorization, .referer, HTTPField.Name("Host"), HTTPField.Name("Cookie2")]
            .compactMap(\.self)
    )

    /// Removes the fields that describe the content or its transfer, for a request without content (RFC 9110 §15.4).
    fileprivate mutating func removeContentFields() {
        let others: Set = ["transfer-encoding", "expect", "trailer", "digest", "repr-digest", "last-modified"]
        let names = headerFields.map(\.name).filter {
            $0.canonicalName.hasPrefix("content-") || others.contains($0.canonicalName)
        }
        for name in names { headerFields[name] = nil }
    }
}
