public import AirframeTransport
internal import HTTPTypes

/// Follows redirects (RFC 9110 §15.4) for every engine.
///
/// A `303`, and a `301` or `302` in answer to `POST`, are followed by `GET` without content; all others keep method and
/// content, which must then be replayable. Credentials and identity are removed when the origin changes. The layer
/// sends content to another origin, and follows a redirect from `https` to `http`, only if the ``RedirectRules`` allow
/// it. A request can decide which redirects are followed, and how: see ``RedirectDecision``. A request's deadline
/// applies to all its redirects together.
public struct RedirectLayer: ResponseProcessingLayer {
    /// The transport beneath.
    public let base: any Transport

    /// The maximum number of redirects to follow for one request.
    public let limit: Int

    /// The rules for redirects to another origin, for requests without rules.
    public let rules: RedirectRules

    /// Wraps `base`.
    ///
    /// - Parameters:
    ///   - base: The transport to send through.
    ///   - limit: The maximum number of redirects; one more fails with ``TransportError/Code/tooManyRedirects``.
    ///   - rules: The rules for redirects to another origin.
    public init(_ base: any Transport, limit: Int = 20, rules: RedirectRules = RedirectRules()) {
        self.base = base
        self.limit = limit
        self.rules = rules
    }

    /// Returns whether the request's deadline must be started, so that it applies to all redirects together.
    public func mustPerform(_ request: TransportRequest) -> Bool {
        request.deadline == nil && request.options.deadline != nil
    }

    /// Starts the deadline, sends `request` and follows redirects.
    ///
    /// - Throws: The errors of the transport beneath and of ``process(_:to:)``.
    public func perform(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        var request = request
        request.startDeadline(on: clock)
        return try await process(try await base.send(request), to: request)
    }

    /// Returns whether the status is that of a redirect.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - status: Its status code.
    ///   - request: The request, as it was sent.
    public func mustProcess(_ response: TransportResponse, status: Int, to request: TransportRequest) -> Bool {
        (300..<400).contains(status)
    }

    /// Follows the response if it is a redirect.
    ///
    /// - Returns: The last response of the chain.
    /// - Throws: ``TransportError/Code/tooManyRedirects``; ``TransportError/Code/invalidRedirect`` for a location that
    ///   is not an HTTP URL; ``TransportError/Code/redirectRefused`` for a redirect that the rules forbid;
    ///   ``TransportError/Code/bodyNotReplayable`` if the body must be sent again and cannot be;
    ///   ``TransportError/Code/timedOut`` if the deadline has passed; ``TransportError/Code/cancelled``; the errors of
    ///   the transport beneath.
    public func process(
        _ response: TransportResponse,
        to request: TransportRequest
    ) async throws(TransportError) -> TransportResponse {
        guard let (redirect, sent) = redirect(response, request) else { return response }
        return try await follow(redirect, response, sent)
    }

    private func follow(
        _ redirect: Redirect,
        _ response: TransportResponse,
        _ request: TransportRequest
    ) async throws(TransportError) -> TransportResponse {
        var (redirect, response, request) = (redirect, response, request)
        var followed = 0
        while true {
            guard let next = await decide(redirect, request) else {
                report(.refusedRedirect(response.head), "the request does not follow redirects", request)
                return response
            }
            guard followed < limit else { throw failed(tooMany(request), request) }
            var following: TransportRequest
            do throws(TransportError) {
                following = try redirect.request(following: request, with: next, by: rules(of: request))
            } catch {
                throw failed(error, request)
            }
            try await response.body.finish()
            try checkCancellation(of: request)
            do throws(TransportError) {
                try request.requireTime(on: clock, before: "a redirect could be followed")
            } catch {
                throw failed(error, request)
            }
            let reason = "status \(response.head.status.code)"
            report(.followedRedirect(response.head, next: following.head), reason, request)
            following.beginNewExchange()
            request = following
            followed += 1
            response = try await sendOn(request)
            guard let (next, sent) = self.redirect(response, request) else { return response }
            (redirect, request) = (next, sent)
        }
    }

    /// Returns the redirect of a response, and the request as it was sent; `nil` if it is none.
    private func redirect(
        _ response: TransportResponse,
        _ request: TransportRequest
    ) -> (Redirect, TransportRequest)? {
        // CONNECT has no resource that could have moved (RFC 9110 §9.3.6).
        if case .tunnel = request.upgrade { return nil }
        let sent = request.sent(for: response)
        let redirect = Redirect(
            response.head,
            answering: sent.head,
            upgraded: { HSTSLayer.upgraded($0, in: base) },
            by: { rules(of: request) }
        )
        return redirect.map { ($0, sent) }
    }

    private func rules(of request: TransportRequest) -> RedirectRules {
        var rules = request[RedirectRules.Key.self] ?? request.lateDecisions?.redirectRules ?? self.rules
        let names = request[OriginBoundFields.self]
        if !names.isEmpty { rules.secrets = rules.secrets.adding(fields: names) }
        return rules
    }

    private func decide(_ redirect: Redirect, _ request: TransportRequest) async -> RedirectedRequest? {
        guard let decide = request[RedirectDecision.self] ?? request.lateDecisions?.redirectDecision else {
            return RedirectedRequest(redirect.next)
        }
        guard var chosen = await decide(redirect.response, redirect.next) else { return nil }
        chosen.head = HSTSLayer.upgraded(chosen.head, in: base)
        return chosen
    }

    /// Sends a later hop. A server has answered before, so an error no longer means that the request was not processed.
    private func sendOn(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        do throws(TransportError) {
            return try await base.send(request)
        } catch {
            throw error.withUnknownProcessing()
        }
    }

    private func checkCancellation(of request: TransportRequest) throws(TransportError) {
        guard Task.isCancelled else { return }
        throw failed(.cancelled(in: .layer, processing: .unknown, origin: Origin(request.head)), request)
    }

    private func report(_ kind: TransportDecision.Kind, _ reason: String, _ request: TransportRequest) {
        request.report(kind, because: reason, on: clock)
    }

    private func failed(_ error: TransportError, _ request: TransportRequest) -> TransportError {
        request.failed(error, on: clock)
    }

    private func tooMany(_ request: TransportRequest) -> TransportError {
        TransportError(
            .tooManyRedirects,
            phase: .layer,
            processing: .unknown,
            message: "more than \(limit) redirects, the last to \(request.head.shownURL)",
            origin: Origin(request.head)
        )
    }
}
