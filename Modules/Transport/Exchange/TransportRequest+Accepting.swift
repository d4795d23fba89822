// The first steps of every engine with a request.

extension TransportRequest {
    /// Returns this request as an engine takes it: with the engine's default options beneath its own, an instant for
    /// its deadline, and a recorder for its timeline.
    ///
    /// - Parameters:
    ///   - defaults: The options of the engine's configuration.
    ///   - clock: The engine's clock.
    public func prepared(
        with defaults: TransportOptions = TransportOptions(),
        on clock: any TransportClock
    ) -> TransportRequest {
        var request = withDefaults(defaults, on: clock)
        if request.timelines == nil { request.timelines = TimelineRecorder() }
        return request
    }

    /// Returns this request as ``prepared(with:on:)`` does, but without a recorder, for an engine that keeps the
    /// recorder itself: setting one would copy the request's storage
    /// (Docs/Decisions/0062-requests-are-references.md).
    package func withDefaults(_ defaults: TransportOptions, on clock: any TransportClock) -> TransportRequest {
        var request = self
        if defaults != TransportOptions() { request.options = defaults.merging(options) }
        request.startDeadline(on: clock)
        return request
    }
}

extension TransportCapabilities {
    /// Takes trust and identity for the request's origin from its ``TransportRequest/security``, and checks that the
    /// transport supports every option of the request.
    ///
    /// Engines call it before anything else, so that a layer that changes the origin need not ask for trust.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - clock: The engine's clock.
    /// - Throws: The errors of ``TransportRequest/applySecurity()``; ``TransportError/Code/unsupportedOption`` for an
    ///   option that the transport does not support; ``TransportError/Code/timedOut`` if the deadline has passed.
    public func accept(_ request: inout TransportRequest, on clock: any TransportClock) throws(TransportError) {
        _ = try acceptance(of: &request, on: clock)
    }

    /// Does what ``accept(_:on:)`` does, and returns the parts of the request that are set.
    package func acceptance(
        of request: inout TransportRequest,
        on clock: any TransportClock
    ) throws(TransportError) -> RequestTraits {
        try request.applySecurity()
        let traits = request.traits
        try requireSupport(for: request, traits)
        if traits.hasDeadline {
            try request.requireTime(on: clock, in: .options, processing: .notSent, before: "the request started")
        }
        return traits
    }
}
