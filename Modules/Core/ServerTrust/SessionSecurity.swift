internal import AirframeTransport

/// A session's rules on trust, with a transport for requests of its evaluators: a revocation check sends requests to
/// the responders that certificates name.
struct SessionSecurity: OriginSecurity {
    let rules: any OriginSecurity
    /// The transport beneath the session's redirects and HSTS: requests to responders are unencrypted (RFC 5280
    /// §4.2.1.13).
    let transport: any Transport

    func trust(for origin: Origin) throws -> (any TrustEvaluation)? {
        let trust = try rules.trust(for: origin)
        return (trust as? EvaluatorTrust)?.asking(over: transport) ?? trust
    }

    func identity(for origin: Origin) -> ClientIdentity? { rules.identity(for: origin) }
}
