/// Says, origin by origin, who decides on a server's certificates and which identity it is shown.
///
/// A request that is redirected to another origin must be judged by that origin's rules, and must not show it an
/// identity that was meant for the first.
public protocol OriginSecurity: Sendable {
    /// The evaluation for servers of `origin`, or `nil` to leave it to the engine.
    ///
    /// - Throws: Any error refuses the origin before anything is sent; it is found beneath
    ///   ``TransportError/Code/trustRefused``.
    func trust(for origin: Origin) throws -> (any TrustEvaluation)?

    /// The identity to show to servers of `origin`.
    func identity(for origin: Origin) -> ClientIdentity?
}

extension OriginSecurity {
    /// No identity.
    public func identity(for origin: Origin) -> ClientIdentity? { nil }
}

extension TransportRequest {
    /// Takes trust and identity for the origin of ``head`` from ``security``, where there is one.
    ///
    /// Whoever makes a request calls it once; a layer calls it again when it has changed the origin.
    ///
    /// - Throws: ``TransportError/Code/trustRefused`` when the origin is refused;
    ///   ``TransportError/Code/invalidRequest`` when there are rules and the head names no origin to ask them for.
    public mutating func applySecurity() throws(TransportError) {
        guard let security else { return }
        guard let origin = Origin(head) else {
            throw TransportError(
                .invalidRequest,
                phase: .options,
                processing: .notSent,
                message: "the request has no scheme, or no valid authority, to judge a server by"
            )
        }
        do {
            trust = try security.trust(for: origin)
        } catch {
            throw TransportError(
                .trustRefused,
                phase: .options,
                processing: .notSent,
                message: "\(error)",
                origin: origin,
                underlying: error
            )
        }
        identity = security.identity(for: origin)
    }
}
