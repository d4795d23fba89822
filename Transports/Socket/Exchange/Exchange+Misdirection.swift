internal import AirframeTransport
internal import HTTPTypes

/// The progress of the retry after `421 (Misdirected Request)` (RFC 9110 §15.5.20).
enum Misdirection {
    case none
    /// The server has answered 421. The request must be sent again on another connection.
    case received
    /// The request has been sent again. A second 421 is delivered as the response.
    case retried
}

/// Retries a misdirected request once, on another connection.
extension Exchange {
    /// Whether the request can be sent again on another connection.
    private var mayAvoidConnection: Bool {
        guard misdirection == .none else { return false }
        guard case .sending = upload else { return true }
        return plan.content.isReplayable
    }

    /// Returns the error that triggers the retry if `head` is the first 421 and the content can be sent again.
    func misdirectionError(_ head: borrowing MessageHead) -> TransportError? {
        guard head.statusCode == 421, mayAvoidConnection else { return nil }
        misdirection = .received
        return TransportError(
            .connectionLost,
            phase: stage.phase,
            processing: .notProcessed,
            message: "the server does not serve \(plan.origin) on this connection (421)",
            origin: plan.origin
        )
    }

    /// Returns the retry of a misdirected request; `nil` if the request was not misdirected.
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
