internal import AirframeTransport
internal import HTTPTypes

/// Whether a server has answered an exchange with `421 (Misdirected Request)` (RFC 9110 §15.5.20).
enum Misdirection {
    case none
    /// It has, and the request is to be sent again on another connection.
    case received
    /// The request has been sent again. A second 421 is the response.
    case retried
}

/// Requests that a server does not answer on this connection: they are sent again once, on another one.
extension Exchange {
    /// Whether the request can be sent again on another connection.
    private var mayAvoidConnection: Bool {
        guard misdirection == .none else { return false }
        guard case .sending = upload else { return true }
        return plan.content.isReplayable
    }

    /// Returns the error that has the request sent again, if `head` is the first 421 and the content can be repeated.
    func misdirectionError(_ head: HTTPResponse) -> TransportError? {
        guard head.status.code == 421, mayAvoidConnection else { return nil }
        misdirection = .received
        return TransportError(
            .connectionLost,
            phase: stage.phase,
            processing: .notProcessed,
            message: "the server answers no request for \(plan.origin) on this connection (421)",
            origin: plan.origin
        )
    }

    /// The repetition of a request that was misdirected; `nil` for one that was not.
    func repetitionElsewhere() -> Repetition? {
        guard misdirection == .received else { return nil }
        misdirection = .retried
        if let lease { engine.pool.exclude(lease.connection, from: plan.origin) }
        return Repetition(
            permission: .always,
            reason: "the server answered 421 (Misdirected Request, RFC 9110 §15.5.20)"
        )
    }
}
