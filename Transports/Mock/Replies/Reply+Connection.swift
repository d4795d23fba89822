public import AirframeTransport

extension Reply {
    /// Returns the reply with a fault. Everything before the fault happens as usual.
    public func failing(with fault: Fault) -> Reply {
        modified { $0.fault = fault }
    }

    /// Returns a fault instead of a response. A fault in the body occurs in a body of that many zero bytes.
    public static func fault(_ fault: Fault) -> Reply {
        var plan = ReplyPlan(contentType: "application/octet-stream", body: .data(fault.filler))
        plan.framing = .open
        plan.fault = fault
        return Reply(plan)
    }

    /// Returns the reply, after which the server closes the connection.
    public func closingConnection() -> Reply {
        modified { $0.closesConnection = true }
    }

    /// Returns the reply for new connections. A kept connection turns out to be closed after the request has been
    /// written, as happens when the server closes it at the same time. The exchange then fails with
    /// ``TransportError/Code/connectionLost``.
    public func closedWhenReused() -> Reply {
        modified { $0.isClosedWhenReused = true }
    }

    /// Returns the reply, sent before the request's body is read. The body is not sent, and the connection is closed.
    public func beforeBody() -> Reply {
        modified { $0.answersBeforeBody = true }
    }

    /// Returns the reply of a server that ignores `Expect: 100-continue`: the client waits and then sends the body.
    public func withoutContinue() -> Reply {
        modified { $0.sendsContinue = false }
    }

    /// Returns the reply of a server with these certificates, on its own connection.
    public func presenting(_ certificates: ServerCertificates) -> Reply {
        modified { $0.certificates = certificates }
    }
}

/// The certificates of a server in the TLS handshake.
public struct ServerCertificates: Sendable, Hashable {
    /// The chain, leaf first.
    public var chain: [DER]
    /// The stapled OCSP response (RFC 6066 §8).
    public var stapledOCSPResponse: DER?
    /// Whether the engine trusts them if the request has no ``TrustEvaluation``. The mock reads no certificates.
    public var isTrusted: Bool

    /// Creates a description of certificates.
    ///
    /// - Parameters:
    ///   - chain: The chain, leaf first.
    ///   - stapledOCSPResponse: The stapled OCSP response.
    ///   - isTrusted: Whether the engine trusts them if the request has no evaluation.
    public init(chain: [DER] = [], stapledOCSPResponse: DER? = nil, isTrusted: Bool = true) {
        self.chain = chain
        self.stapledOCSPResponse = stapledOCSPResponse
        self.isTrusted = isTrusted
    }
}
