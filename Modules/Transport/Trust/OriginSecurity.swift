/// The evaluation of certificates and the client identity for each origin.
///
/// A request that is redirected to another origin is judged by that origin's rules, and does not show it an identity
/// that was meant for the first. The engine asks when it is given the request, whatever layers have made of its origin.
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
    /// ``TransportCapabilities/accept(_:on:)`` calls it for every engine; layers need not.
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
