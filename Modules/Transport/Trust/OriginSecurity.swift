/// The evaluation of certificates and the client identity for each origin.
///
/// A request that is redirected to another origin follows that origin's rules, and does not present an identity that
/// was meant for the first. The engine asks for the origin of the request as it receives it from the layers.
public protocol OriginSecurity: Sendable {
    /// Returns the evaluation for servers of `origin`; `nil` for the engine's default.
    ///
    /// - Throws: Any error refuses the origin before anything is sent. It becomes the underlying error of
    ///   ``TransportError/Code/trustRefused``.
    func trust(for origin: Origin) throws -> (any TrustEvaluation)?

    /// Returns the identity to present to servers of `origin`.
    func identity(for origin: Origin) -> ClientIdentity?
}

extension OriginSecurity {
    /// No identity.
    public func identity(for origin: Origin) -> ClientIdentity? { nil }
}

extension TransportRequest {
    /// Sets trust and identity for the origin of ``head`` from ``security``, if there is one.
    ///
    /// ``TransportCapabilities/accept(_:on:)`` calls it for every engine; layers need not.
    ///
    /// - Throws: ``TransportError/Code/trustRefused`` if the origin is refused; ``TransportError/Code/invalidRequest``
    ///   if there are rules and the head names no origin.
    public mutating func applySecurity() throws(TransportError) {
        guard storage.hasSecurity, let security else { return }
        guard let origin = Origin(head) else {
            throw TransportError(
                .invalidRequest,
                phase: .options,
                processing: .notSent,
                message: "the request needs a scheme and a valid authority for its trust rules to apply"
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
