internal import AirframeTransport

/// A plan whose random values have been drawn.
struct Script: Sendable {
    private static let phases: [TransportPhase] = [
        .pool, .resolve, .connect, .proxy, .tls, .requestHead, .requestBody, .responseHead, .responseBody,
    ]

    let plan: ReplyPlan
    /// The duration of each phase.
    let delays: [TransportPhase: Duration]

    init(_ plan: ReplyPlan, using generator: inout SeededGenerator) {
        self.plan = plan
        // In the order of the phases, not of the delays in the plan, so that the draws do not depend on the latter.
        var delays: [TransportPhase: Duration] = [:]
        for phase in Self.phases where plan.delays.contains(where: { $0.phase == phase }) {
            delays[phase] = plan.delay(in: phase, using: &generator)
        }
        self.delays = delays
    }
}

/// The answer to a request: a script, or a closure that makes one when the request has arrived.
struct MatchedRoute: Sendable {
    let index: Int
    let name: String
    /// The plan up to the arrival of the request. For a closure it holds what was set on its reply in advance.
    let script: Script
    let handler: (call: Route.Handler, changes: [Reply.Modification])?
    let generator: SeededGenerator
}
