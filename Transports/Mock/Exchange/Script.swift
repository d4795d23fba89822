internal import AirframeTransport

/// A plan whose draws are made.
struct Script: Sendable {
    private static let phases: [TransportPhase] = [
        .pool, .resolve, .connect, .proxy, .tls, .requestHead, .requestBody, .responseHead, .responseBody,
    ]

    let plan: ReplyPlan
    /// How long each phase takes.
    let delays: [TransportPhase: Duration]

    init(_ plan: ReplyPlan, using generator: inout SeededGenerator) {
        self.plan = plan
        // In the order of the phases, and not of the delays in the plan, so that the draws are the same in any case.
        var delays: [TransportPhase: Duration] = [:]
        for phase in Self.phases where plan.delays.contains(where: { $0.phase == phase }) {
            delays[phase] = plan.delay(in: phase, using: &generator)
        }
        self.delays = delays
    }
}

/// What a request is answered with: a script, or a closure that writes one when the request has arrived.
struct MatchedRoute: Sendable {
    let index: Int
    let name: String
    /// What happens until the request has arrived: with a closure, what was said of the reply beforehand.
    let script: Script
    let handler: (call: Route.Handler, changes: [Reply.Modification])?
    let generator: SeededGenerator
}
