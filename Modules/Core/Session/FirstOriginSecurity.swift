internal import AirframeTransport

/// A session's rules on trust and identities, with the configuration's identity for the origin that a request names.
///
/// A redirect to another origin leaves that identity behind.
struct FirstOriginSecurity: OriginSecurity {
    let rules: (any OriginSecurity)?
    let identity: ClientIdentity
    let origin: Origin

    func trust(for origin: Origin) throws -> (any TrustEvaluation)? { try rules?.trust(for: origin) }

    func identity(for origin: Origin) -> ClientIdentity? {
        rules?.identity(for: origin) ?? (origin == self.origin ? identity : nil)
    }
}
