internal import AirframeTransport

/// A session's rules on trust and identities, with a request's own evaluation and identity for its first origin.
///
/// A redirect to another origin uses neither of the two.
struct FirstOriginSecurity: OriginSecurity {
    let rules: (any OriginSecurity)?
    /// The request's first origin over TLS, to which a layer may upgrade a request for `http` (RFC 6797).
    let origin: Origin
    /// The request's own evaluation.
    var trust: (any TrustEvaluation)?
    /// The request's own identity.
    var requestIdentity: ClientIdentity?
    /// The configuration's identity, which the rules take precedence over.
    var sessionIdentity: ClientIdentity?

    func trust(for origin: Origin) throws -> (any TrustEvaluation)? {
        if let trust, origin == self.origin { return trust }
        return try rules?.trust(for: origin)
    }

    func identity(for origin: Origin) -> ClientIdentity? {
        guard origin == self.origin else { return rules?.identity(for: origin) }
        return requestIdentity ?? rules?.identity(for: origin) ?? sessionIdentity
    }
}

extension Origin {
    /// The same host over TLS: with port 443 instead of 80, and any other port (RFC 6797 §8.3).
    var overTLS: Origin {
        guard !isSecure else { return self }
        return Origin(scheme: "https", host: host, port: port == 80 ? 443 : port)
    }
}
