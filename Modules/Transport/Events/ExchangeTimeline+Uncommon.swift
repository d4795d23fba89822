internal import HTTPTypes

extension ExchangeTimeline {
    /// The steps that an exchange on a kept connection does not have. Apart from the others, because a timeline with
    /// all of them has 700 bytes, which took 300 instructions per exchange to initialize, copy and destroy.
    struct UncommonSteps: Sendable {
        var informationalResponses: [HTTPResponse] = []
        var trailers: HTTPFields?
        var tls: TLSDescription?
        var connectAttempts: [ConnectAttempt] = []
        var resolution: Span?
        var proxy: Span?
        var tlsHandshake: Span?
        var informationalResponse: MonotonicInstant?
        var trailersReceived: MonotonicInstant?
        var otherDecisions: [Decision] = []
    }

    /// The steps, shared by copies of a timeline until one of them changes.
    ///
    /// `@unchecked Sendable`: it is immutable while it is shared. Only a timeline that holds the sole reference changes
    /// it.
    final class UncommonBox: @unchecked Sendable {
        @exclusivity(unchecked) fileprivate(set) var steps: UncommonSteps

        fileprivate init(_ steps: UncommonSteps) { self.steps = steps }
    }

    /// The steps, of which a timeline has a box from its first change on.
    var uncommon: UncommonSteps {
        get { box?.steps ?? UncommonSteps() }
        _modify {
            let own: UncommonBox
            if isKnownUniquelyReferenced(&box), let box {
                own = box
            } else {
                own = UncommonBox(box?.steps ?? UncommonSteps())
                box = own
            }
            yield &own.steps
        }
    }
}
