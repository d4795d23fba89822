internal import HTTPTypes

/// What a transport can do.
///
/// An option that the transport lacks is refused before any input or output; see ``accept(_:on:)``.
public struct TransportCapabilities: Sendable, Hashable {
    /// The name of the engine for messages, such as `curl 7.88.1`.
    public var engine: String

    /// What it can do.
    public var features: TransportFeatures

    /// The content codings (RFC 9110 §8.4.1) that responses are freed of before they reach the caller, best first. A
    /// session advertises these and no others.
    public var contentCodings: [String]

    /// The schemes of the challenges (RFC 9110 §11.1) that are answered with a request's credential: those of layers. A
    /// request with a credential is refused where there are none.
    public var authenticationSchemes: [String]

    /// Describes a transport.
    ///
    /// - Parameters:
    ///   - engine: Its name for messages.
    ///   - features: What it can do.
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

    /// Checks that everything that `request` asks for can be done, and that no limit has elapsed before it starts.
    ///
    /// Engines call ``accept(_:on:)``, which calls this after it has asked the request's `security`.
    ///
    /// - Throws: ``TransportError/Code/unsupportedOption``, with the name of the engine and of what it lacks;
    ///   ``TransportError/Code/timedOut`` for a deadline or a limit that is zero or negative.
    package func requireSupport(for request: borrowing TransportRequest) throws(TransportError) {
        var required = request.options.requiredFeatures
        // Asked of those alone that lack it: the question copies strings.
        if !features.contains(.tls), request.head.scheme == "https" { required.insert(.tls) }
        if request.trust != nil { required.insert(.trustEvaluation) }
        if request.identity != nil { required.insert(.clientIdentity) }
        if request.body.trailers != nil { required.insert(.requestTrailers) }
        if request.upgrade != nil { required.insert(.upgrade) }
        if request.priorityUpdates != nil { required.insert(.priorityUpdates) }
        if request.deadline != nil { required.insert(.deadline) }
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
        if let elapsed = request.options.elapsedLimit {
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
