public import AirframeTransport
public import HTTPTypes

/// Follows redirects (RFC 9110 §15.4), so that no engine has to.
///
/// A `303`, and a `301` or `302` in answer to `POST`, are followed by `GET` without the content; all others keep method
/// and content, which must then be replayable. Credentials stay behind when the origin changes. Whether a redirect is
/// followed, and with which request, a request may decide for itself: see ``RedirectDecision``.
public struct RedirectLayer: TransportLayer {
    /// The transport beneath.
    public let base: any Transport

    /// The most redirects to follow for one request.
    public let limit: Int

    /// Wraps `base`.
    ///
    /// - Parameters:
    ///   - base: The transport to send through.
    ///   - limit: The most redirects to follow; one more fails with ``TransportError/Code/tooManyRedirects``.
    public init(_ base: any Transport, limit: Int = 20) {
        self.base = base
        self.limit = limit
    }

    /// Sends `request` and follows where the responses point.
    public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        var request = request
        var followed = 0
        while true {
            let response = try await base.send(request)
            guard let redirect = try Redirect(response.head, answering: request) else { return response }
            guard followed < limit else { throw tooMany(request) }
            guard let next = await decide(redirect, request) else {
                report(.refusedRedirect(response.head), "the request does not follow redirects", request)
                return response
            }
            try await finish(response, before: next, of: request)
            report(.followedRedirect(response.head, next: next), "status \(response.head.status.code)", request)
            try request.continue(with: next, keepingBody: redirect.keepsBody)
            followed += 1
        }
    }

    private func decide(_ redirect: Redirect, _ request: TransportRequest) async -> HTTPRequest? {
        guard let decide = request[RedirectDecision.self] else { return redirect.next }
        return await decide(redirect.response, redirect.next)
    }

    /// Reads what little follows the head, so that the connection can be used again; gives it up when it is more.
    private func finish(
        _ response: TransportResponse,
        before next: HTTPRequest,
        of request: TransportRequest
    ) async throws(TransportError) {
        let worthReading = 64 << 10
        var count = 0
        do throws(TransportError) {
            while count <= worthReading, let chunk = try await response.body.next() { count += chunk.count }
        } catch where error.isCancellation {
            throw error
        } catch {
            // The head said where to go; what becomes of the rest does not matter.
        }
        response.body.cancel()
    }

    private func report(_ kind: TransportDecision.Kind, _ reason: String, _ request: TransportRequest) {
        request.events?.receive(TransportEvent(.decided(TransportDecision(kind, reason: reason)), at: clock.now))
    }

    private func tooMany(_ request: TransportRequest) -> TransportError {
        let error = TransportError(
            .tooManyRedirects,
            phase: .layer,
            processing: .unknown,
            message: "more than \(limit) redirects, the last to \(request.head.path ?? "/")",
            origin: Origin(request.head)
        )
        request.events?.receive(TransportEvent(.failed(error), at: clock.now))
        return error
    }
}

/// A request's own word on its redirects.
///
/// The value takes the response that asks for a redirect and the request that would follow it; it returns that request,
/// another one, or `nil` to hand out the response as it is. Without a value every redirect is followed.
public enum RedirectDecision: TransportRequestKey {
    /// Decides on one redirect.
    public typealias Value = (@Sendable (HTTPResponse, HTTPRequest) async -> HTTPRequest?)?
    /// No word: follow.
    public static var defaultValue: Value { nil }
}

extension TransportRequest {
    /// Turns this request into the one that follows a redirect.
    fileprivate mutating func `continue`(with next: HTTPRequest, keepingBody: Bool) throws(TransportError) {
        let originChanges = Origin(next) != Origin(head)
        if !keepingBody || next.method == .get || next.method == .head { body = .none }
        if body.replay == .oneShot {
            throw TransportError(
                .bodyNotReplayable,
                phase: .layer,
                processing: .unknown,
                message: "a redirect to \(next.path ?? "/") asks for the body again, and it can be read only once",
                origin: Origin(head)
            )
        }
        head = next
        if originChanges { try applySecurity() }
    }
}
