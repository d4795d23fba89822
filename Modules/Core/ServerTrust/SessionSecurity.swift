internal import AirframeTransport

/// A session's rules on trust, with the transport that its evaluators may send questions over: a revocation check asks
/// the responders that certificates name.
struct SessionSecurity: OriginSecurity {
    let rules: any OriginSecurity
    /// The transport beneath the session's redirects and HSTS: responders are asked in the clear (RFC 5280 §4.2.1.13).
    let transport: any Transport

    func trust(for origin: Origin) throws -> (any TrustEvaluation)? {
        let trust = try rules.trust(for: origin)
        return (trust as? EvaluatorTrust)?.asking(over: transport) ?? trust
    }

    func identity(for origin: Origin) -> ClientIdentity? { rules.identity(for: origin) }
}
