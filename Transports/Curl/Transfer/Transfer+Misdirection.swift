internal import AirframeTransport
internal import HTTPTypes

/// Whether a server has answered a transfer with `421 (Misdirected Request)` (RFC 9110 §15.5.20).
enum Misdirection {
    case none
    /// The server has, and the request is to be sent again on a new connection.
    case received
    /// The request has been sent again. A second 421 is the response.
    case retried
}

extension Transfer {
    /// Whether `head` is the first 421, and the request can be sent again. Records that it has to be.
    func isMisdirected(_ head: HTTPResponse) -> Bool {
        guard head.status.code == 421, misdirection == .none else { return false }
        guard upload == nil || plan.request.body.replay != .oneShot else { return false }
        misdirection = .received
        return true
    }

    /// Why the request is sent again on a new connection, regardless of its method: the server has declined it.
    func takeMisdirection() -> String? {
        guard misdirection == .received, upload?.rewind(to: 0, replay: plan.request.body.replay) ?? true else {
            return nil
        }
        misdirection = .retried
        return "the server answered 421 (Misdirected Request, RFC 9110 §15.5.20)"
    }
}
