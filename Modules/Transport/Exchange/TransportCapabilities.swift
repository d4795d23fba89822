internal import HTTPTypes

/// The abilities of a transport.
///
/// An option that the transport lacks is refused before any input or output; see ``accept(_:on:)``.
public struct TransportCapabilities: Sendable, Hashable {
    /// The name of the engine for messages, such as `curl 7.88.1`.
    public var engine: String

    /// The supported features.
    public var features: TransportFeatures

    /// The content codings (RFC 9110 §8.4.1) that the transport's layers decode, preferred first. A session advertises
    /// these and no others.
    public var contentCodings: [String]

    /// The authentication schemes (RFC 9110 §11.1) whose challenges the transport's layers answer with a request's
    /// credential. If there are none, a request with a credential is refused.
    public var authenticationSchemes: [String]

    /// Describes a transport.
    ///
    /// - Parameters:
    ///   - engine: Its name for messages.
    ///   - features: The supported features.
    ///   - contentCodings: The content codings that it decodes.
    ///   - authenticationSchemes: The schemes of the challenges that it answers.
    public init(
        engine: String,
        features: TransportFeatures,
        contentCodings: [String] = [],
        authenticationSchemes: [String] = []
    ) {
        self.engine = engine
        self.features = features
        self.contentCodings = contentCodings
        self.authenticationSchemes = authenticationSchemes
    }

    /// Checks that the transport supports every option of `request`, and that no limit has elapsed before the start.
    ///
    /// Engines call ``accept(_:on:)``, which applies the request's `security` first.
    ///
    /// - Throws: ``TransportError/Code/unsupportedOption``, with the name of the engine and of what it lacks;
    ///   ``TransportError/Code/timedOut`` for a deadline or a limit that is zero or negative.
    package func requireSupport(for request: borrowing TransportRequest) throws(TransportError) {
        try requireSupport(for: request, request.traits)
    }

    /// Checks a request of which `traits` are known.
    func requireSupport(for request: borrowing TransportRequest, _ traits: RequestTraits) throws(TransportError) {
        var required = traits.hasOptions ? request.options.requiredFeatures : []
        // The order matters: reading the scheme copies a string, and nearly all engines have TLS.
        if !features.contains(.tls), request.head.scheme == "https" { required.insert(.tls) }
        if traits.hasTrust { required.insert(.trustEvaluation) }
        if traits.hasIdentity { required.insert(.clientIdentity) }
        if traits.hasContent, request.body.trailers != nil { required.insert(.requestTrailers) }
        if traits.hasUpgrade { required.insert(.upgrade) }
        if traits.hasPriorityUpdates { required.insert(.priorityUpdates) }
        if traits.hasDeadline { required.insert(.deadline) }
        let missing = required.subtracting(features)
        guard missing.isEmpty else {
            throw TransportError(
                .unsupportedOption,
                phase: .options,
                processing: .notSent,
                message: "the transport \(engine) does not support \(missing)",
                origin: Origin(request.head)
            )
        }
        if traits.limitsTime, let elapsed = request.options.elapsedLimit {
            throw TransportError(
                .timedOut,
                phase: .options,
                processing: .notSent,
                message: "the \(elapsed) had elapsed before the request started",
                origin: Origin(request.head)
            )
        }
    }
}
