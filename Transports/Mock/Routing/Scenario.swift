/// A state that routes share: a request can change it for the next ones.
///
/// ```swift
/// enum Outage { case down, up }
/// let outage = Scenario(startingAt: Outage.down)
/// let mock = MockTransport {
///     Route(.get, "/status").when(outage, is: .down).moving(outage, to: .up).reply(.status(503))
///     Route(.get, "/status").when(outage, is: .up).reply(.status(200))
/// }
/// ```
///
/// The state belongs to the transport, so the same scenario starts over in each. A request is matched and the state
/// changed in one step: of simultaneous requests only one finds the old state.
public struct Scenario<State: Sendable & Hashable>: Sendable {
    let identity = Identity()

    /// The name, for messages.
    public let name: String
    /// The state that a transport starts with.
    public let initial: State

    /// Creates a scenario.
    ///
    /// - Parameters:
    ///   - name: Its name, for messages.
    ///   - initial: The state that a transport starts with.
    public init(_ name: String = "scenario", startingAt initial: State) {
        self.name = name
        self.initial = initial
    }
}

/// The states of one transport's scenarios.
struct ScenarioStates: Sendable {
    private var states: [Identity: any Sendable] = [:]

    subscript<State>(scenario: Scenario<State>) -> State {
        get { states[scenario.identity] as? State ?? scenario.initial }
        set { states[scenario.identity] = newValue }
    }
}

/// A condition on a scenario, or a change of it.
struct ScenarioCondition: Sendable {
    /// The line of a report if the scenario is in another state.
    let mismatch: @Sendable (ScenarioStates) -> Mismatch?
}
