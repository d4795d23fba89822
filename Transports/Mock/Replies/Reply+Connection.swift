public import AirframeTransport

extension Reply {
    /// The reply with a fault on its way. What comes before the fault happens as it would.
    public func failing(with fault: Fault) -> Reply {
        modified { $0.fault = fault }
    }

    /// A fault in place of a response. A fault in the body comes in a body of that many zero bytes.
    public static func fault(_ fault: Fault) -> Reply {
        var plan = ReplyPlan(contentType: "application/octet-stream", body: .data(fault.filler))
        plan.framing = .open
        plan.fault = fault
        return Reply(plan)
    }

    /// The reply, after which the server closes the connection.
    public func closingConnection() -> Reply {
        modified { $0.closesConnection = true }
    }

    /// The reply, unless it is asked for on a kept connection: that one turns out to be closed when the request has been
    /// written on it, as happens when the server and the client make their decisions at the same time. The exchange
    /// then fails with ``TransportError/Code/connectionLost``.
    public func closedWhenReused() -> Reply {
        modified { $0.isClosedWhenReused = true }
    }

    /// The reply, given before the request's body is read: the body is not sent, and the connection closed.
    public func beforeBody() -> Reply {
        modified { $0.answersBeforeBody = true }
    }

    /// The reply of a server that does not know `Expect: 100-continue`: the client waits in vain and then sends the body.
    public func withoutContinue() -> Reply {
        modified { $0.sendsContinue = false }
    }

    /// The reply of a server with these certificates, on a connection of its own.
    public func presenting(_ certificates: ServerCertificates) -> Reply {
        modified { $0.certificates = certificates }
    }
}

/// The certificates that a server shows in the TLS handshake.
public struct ServerCertificates: Sendable, Hashable {
    /// The chain, the server's own first.
    public var chain: [DER]
    /// The OCSP response that it staples (RFC 6066 §8).
    public var stapledOCSPResponse: DER?
    /// What the engine thinks of them where the request brings no ``TrustEvaluation``: the mock reads no certificates.
    public var isTrusted: Bool

    /// Describes certificates.
    ///
    /// - Parameters:
    ///   - chain: The chain, the server's own first.
    ///   - stapledOCSPResponse: The OCSP response that it staples.
    ///   - isTrusted: What the engine thinks of them where the request brings no evaluation.
    public init(chain: [DER] = [], stapledOCSPResponse: DER? = nil, isTrusted: Bool = true) {
        self.chain = chain
        self.stapledOCSPResponse = stapledOCSPResponse
        self.isTrusted = isTrusted
    }
}
